/**
 * What the gate needs from outside, each as small as it can be. The hosts implement them over real parts; tests over
 * small classes. Nothing here is optional and nothing is global.
 */
import type { AttributeKey, AttributeValueOf, EventName, SpanKindName } from '../../otel/attributes.ts';
import type { Row, RowBody } from '../../otel/row.ts';
import type { Client, PolicySource, Setting, ToolCallFilter, Verdict } from './types.ts';

/** Microseconds since 1970, an integer. */
export type Micros = number;

export interface Clock {
  /** Wall time. Follows the system clock after sleep or a correction. */
  micros(): Micros;
  /** Milliseconds that only go forward. For deadlines. */
  monotonic(): number;
  /** Calls back after `ms`; answers the function that takes the timer back. */
  after(ms: number, run: () => void): () => void;
}

/** Random ids and keyed hashes. */
export interface Crypto {
  /** 128 random bits or more, in letters, digits and hyphens. */
  id(): string;
  /** The hash of canonical arguments as the log writes it: `hmac-sha256:<hex>`, or `sha256:<hex>` where the user chose that (D25). */
  hashArguments(canonical: string): string;
  /** SHA-256, lower-case hex. */
  digest(text: string): string;
}

/** The place of a span: enough to be a parent or the end of a link. Ids are lower-case hex of 32 and 16 digits. */
export interface SpanRef {
  readonly traceId: string;
  readonly spanId: string;
}

/** A span that is open. Only listed keys with their listed types can be set. */
export interface OpenSpan extends SpanRef {
  set<K extends AttributeKey>(key: K, value: AttributeValueOf<K>): void;
  event(name: EventName, at: Micros): void;
  link(to: SpanRef, kind: AttributeValueOf<'modelhub.link.kind'>, requestId?: string): void;
  /** Status error with this `error.type`. */
  fail(type: AttributeValueOf<'error.type'>): void;
  /** Ends the span, at least a microsecond after its start. Called once. */
  end(at: Micros): void;
}

/** Starts spans. Parents are given by hand; there is no current span. */
export interface Spans {
  /** The span is named `<kind> <subject>`. Without a parent it is the root of a new trace. */
  start(kind: SpanKindName, subject: string, at: Micros, parent?: SpanRef): OpenSpan;
  /** A span that an earlier process began and could not end, with the ids that it had then (E04). */
  resume(kind: SpanKindName, subject: string, at: Micros, ids: SpanRef, parent?: SpanRef): OpenSpan;
}

/** Which rows to read. `has: 'undo'`: only undos, and the calls that can be taken back. */
export interface LogFilter extends ToolCallFilter {
  readonly has?: 'undo';
}

/** The log as the gate sees it. Rows are written by the spans' processor; the gate waits for them and reads them. */
export interface CallLog {
  /** What to await before a caller is answered; `undefined` if every row is with the operating system, or kept because the log cannot be written. */
  written(): Promise<void> | undefined;
  /** True if the next row can be expected to reach the file. Tries again first if it could not (D24). */
  writable(): boolean | Promise<boolean>;
  /** Writer, counter and digest of the newest row, as `w:n:digest`; empty before the first. */
  head(): string;
  /** Calls and undos that fit, oldest first. */
  read(filter: LogFilter): Promise<readonly Row[]>;
  /** The last `n` calls and undos, newest first. */
  recent(n: number): Promise<readonly Row[]>;
  /** True if the end of this run is in the log. */
  ended(run: string): Promise<boolean>;
  /** Calls back with each row of a call or undo once it is written, or kept because it cannot be; answers the function that stops it. */
  onRow(callback: (row: RowBody) => void): () => void;
}

/** What a crash leaves behind (E04): a write that has been allowed and not yet answered, one that is being taken back, an open run. */
export type Intent = CallIntent | UndoIntent | RunIntent;

interface IntentBase {
  /** The span's id and trace. */
  readonly id: string;
  readonly trace: string;
  readonly at: Micros;
  readonly run: string;
  readonly client: Client;
}

export interface CallIntent extends IntentBase {
  readonly kind: 'call';
  readonly runSpan: string;
  /** The run is this one call. */
  readonly single?: true;
  readonly plugin: string;
  readonly tool: string;
  readonly args?: string;
  readonly policy?: { readonly effective: Verdict; readonly source: PolicySource };
}

export interface UndoIntent extends IntentBase {
  readonly kind: 'undo';
  readonly runSpan: string;
  readonly plugin: string;
  readonly tool: string;
  /** The id of the call that is taken back, and where that was asked for. */
  readonly of: string;
  readonly trigger: 'notice' | 'code' | 'view' | 'run';
}

export interface RunIntent extends IntentBase {
  readonly kind: 'run';
}

/** The journal of what is in flight. */
export interface Journal {
  /** On disk when it returns: between the last judgement and the handler nothing is waited for, so that no setting can change there. Throws if it cannot be written: then the write must not run. */
  begin(intent: Intent): void;
  /** The row is on disk; the intent is done with. Never throws. */
  end(id: string): void;
  /**
   * Claims the undo of a call, across processes and restarts: true for the first claim only (D28).
   * A claim stays until {@link Journal.end} is called for it.
   */
  claimUndo(intent: UndoIntent): boolean | Promise<boolean>;
  /** Intents of writers that are gone: each is answered once. */
  leftBehind(): Promise<readonly Intent[]>;
}

/** Who owns which namespace, across restarts (F010, F011). */
export interface NamespaceStore {
  load(): ReadonlyMap<string, string>;
  /** Called after each change, with all of them. */
  save(owners: ReadonlyMap<string, string>): void;
}

/** The settings that the gate reads. Keys are plugin ids and full tool names, in maps: a tool may be called `constructor`. */
export interface PolicySettings {
  readonly plugins: ReadonlyMap<string, PluginPolicy>;
  /** Let MCP clients be allowed for a whole run (F036). Off unless turned on. */
  readonly mcpRunGrants: boolean;
}

export interface PluginPolicy {
  readonly setting: Setting;
  readonly tools: ReadonlyMap<string, Setting>;
}

export interface SettingsStore {
  load(): PolicySettings;
  /** Called after each change by the user, with all of it. */
  save(settings: PolicySettings): void;
}

/** Sentences for the user that no caller gets: shown once, held in no log. */
export interface Notices {
  notice(text: string): void;
}
