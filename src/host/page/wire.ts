/**
 * What the host and its page say to each other: the events of the stream, and the bodies of the requests. Types only; both
 * sides check what they are sent.
 */
import type { Decision, Question, Settlement } from '../../core/questions.ts';
import type { Setting } from '../../core/types.ts';
import type { ShownRow } from '../../../views/calls.ts';
import type { ToolsData } from '../../../views/tools-settings.ts';
import type { TestResult, TraceFaults, TracesData } from '../../../views/traces-settings.ts';
import type { TraceSettings } from '../../../otel/exporter/settings.ts';
import type { SecretChange } from '../../shown/traces.ts';

/** What the page says about the host it belongs to. */
export interface PageInfo {
  readonly version: string;
  /** The vault's name, not its path. */
  readonly vault: string;
  readonly mcp: {
    readonly url: string;
    readonly token: string;
    /** How a client starts the same gate over stdio. */
    readonly stdio: { readonly command: string; readonly args: readonly string[] };
  };
}

export interface CallsData {
  /** Newest first. */
  readonly rows: readonly ShownRow[];
  /** Ids of rows that came since the last time. */
  readonly fresh: readonly string[];
}

/** Events of `/api/events`, by name. The first is `state`, again after each reconnect. */
export interface PageEvents {
  /** `page` names this page in later requests; `question` is the one that is open now. */
  readonly state: { readonly page: string; readonly info: PageInfo; readonly tools: ToolsData; readonly calls: CallsData; readonly traces: TracesData; readonly question?: Question };
  readonly question: Question;
  /** The open question has another count behind it. */
  readonly waiting: { readonly id: string; readonly waiting: number; readonly remainingMs: number };
  readonly close: Settlement;
  readonly tools: ToolsData;
  readonly calls: CallsData;
  /** Settings, names of secrets and how sending stands, when any of it has changed. */
  readonly traces: TracesData;
}

export type PageEventName = keyof PageEvents;

export interface AnswerBody { readonly page: string; readonly id: string; readonly decision: Decision; readonly shownWhole: boolean }
/** Without an id: a person has come back to the page. */
export interface SeenBody { readonly page: string; readonly id?: string }
export type SettingsBody =
  | { readonly plugin: string; readonly setting: Setting }
  | { readonly plugin: string; readonly tool: string; readonly setting: Setting }
  | { readonly mcpRunGrants: boolean };
export interface UndoBody { readonly call: string; readonly from: 'notice' | 'view' }
/** The settings as they are typed: to be kept (the answer is what is kept), to be looked over, or to be tried with a test span. */
export type TracesBody = TraceSettings;
export type TracesChecked = TraceFaults;
export type TracesTested = TestResult;
/** Sets a secret for the origin of the endpoint; without a value, takes the secret away. No answer ever holds one. */
export type SecretBody = SecretChange;

/** What a request that failed is answered with. */
export interface PageError { readonly code: string; readonly message: string }
