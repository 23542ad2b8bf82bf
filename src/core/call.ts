/**
 * The phases of a call. Each step takes one and returns the next, or throws: the compiler checks the order of the doors.
 *
 * Asked → Found → Checked → Judged → Cleared → Ran. A call is a value; nothing looks one up by its id.
 */
import type { HubError } from './errors.ts';
import type { Judgement } from './policy.ts';
import type { OpenSpan, SpanRef } from './ports.ts';
import type { RegisteredTool } from './registry.ts';
import type { Run } from './runs.ts';
import type { Stop } from './stop.ts';
import type { Client, Json } from './types.ts';

/** How the caller reached the hub, where that was over a wire. */
export interface Wire {
  readonly requestId: string;
  readonly transport: 'tcp' | 'pipe';
  /** The caller's own span, if it named one (E12). */
  readonly caller?: SpanRef;
}

/** A call as a caller puts it. */
export interface CallRequest {
  /** Whose runs it may use: a plugin's id, or `mcp:<conversation>`. */
  readonly owner: string;
  readonly client: Client;
  /** The full name. */
  readonly tool: string;
  readonly input: unknown;
  /** An open run of the owner's; without one, a run is made for this call (F215). */
  readonly run?: string;
  /** Fires when the caller leaves. */
  readonly signal?: AbortSignal;
  readonly wire?: Wire;
  /** Told when a question about this call is put in line. */
  readonly onWaiting?: (state: { readonly position: number; readonly timeoutSeconds: number }) => void;
  /** Told when that question is settled, whatever the answer. */
  readonly onAnswered?: () => void;
}

export interface Asked {
  readonly request: CallRequest;
  readonly run: Run;
  readonly span: OpenSpan;
  readonly stop: Stop;
}

export interface Found extends Asked {
  readonly tool: RegisteredTool;
}

export interface Checked extends Found {
  /** The caller's arguments: copied, frozen, canonical, and hashed once (D11). */
  readonly input: Json;
  readonly canonical: string;
  readonly hash: string;
}

export interface Judged extends Checked {
  readonly judgement: Judgement;
  /** What guards, hooks and the hub itself say of these arguments: fixed for the call, weighed again with the settings of the moment. */
  readonly others: readonly Judgement[];
}

export interface Ran extends Judged {
  readonly value: unknown;
  /** The value's JSON; the fault of a value that has none. */
  readonly json: string | HubError;
}

// From phase to phase. Written out, because spreading a call into the next phase costs more than hashing its arguments.

export function toFound({ request, run, span, stop }: Asked, tool: RegisteredTool): Found {
  return { request, run, span, stop, tool };
}

export function toChecked({ request, run, span, stop, tool }: Found, { input, canonical }: Pick<Checked, 'input' | 'canonical'>, hash: string): Checked {
  return { request, run, span, stop, tool, input, canonical, hash };
}

export function toJudged({ request, run, span, stop, tool, input, canonical, hash }: Checked, judgement: Judgement, others: readonly Judgement[]): Judged {
  return { request, run, span, stop, tool, input, canonical, hash, judgement, others };
}

export function toRan({ request, run, span, stop, tool, input, canonical, hash, judgement, others }: Judged, value: unknown, json: string | HubError): Ran {
  return { request, run, span, stop, tool, input, canonical, hash, judgement, others, value, json };
}
