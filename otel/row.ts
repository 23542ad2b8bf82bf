/**
 * A row of `tool-calls.jsonl`: its shape. `row-of.ts` makes it from ended spans.
 *
 * Keys stand in the order in which they are written; a key is absent rather than null.
 */

export interface RowClient { readonly kind: 'plugin' | 'panel' | 'mcp' | 'agent'; readonly name: string }

/** What the three kinds of row share. Times are ISO 8601 UTC with microseconds; ids are lower-case hex. */
interface RowBase {
  /** The version of the row's shape. */
  readonly v: 1;
  /** Span id. */
  readonly id: string;
  /** Trace id. */
  readonly trace: string;
  readonly time: string;
  readonly run: string;
  readonly client: RowClient;
}

/** The place of a span in another trace, or in this one. */
export interface RowLink { readonly trace: string; readonly span: string }

/** The chain: the writer, its counter from 1, and the digest of its row before (absent on its first). Set when the row is written. */
export interface ChainPart {
  /** True if the row waited in memory because the log could not be written. */
  readonly late?: true;
  readonly w: string;
  readonly n: number;
  readonly prev?: string;
}

export type CallOutcome = 'ok' | 'empty' | 'refused' | 'invalid' | 'failed' | 'timeout' | 'aborted' | 'interrupted';
export type UndoOutcome = 'done' | 'failed' | 'already_done' | 'conflict' | 'owner_gone' | 'refused' | 'interrupted';

/** One call, however it ended. */
export interface CallRow extends RowBase {
  readonly kind: 'call';
  /** The run is this one call: its root span begins and ends with the call. */
  readonly single?: true;
  /** The plugin that owns the tool; absent where nobody registered it. */
  readonly plugin?: string;
  readonly tool: string;
  readonly effect?: 'read' | 'write';
  readonly replay?: 'safe' | 'unsafe';
  /** `hmac-sha256:<hex>` or `sha256:<hex>` of the canonical arguments. */
  readonly args?: string;
  /** UTF-16 units of the canonical arguments. */
  readonly size?: number;
  readonly policy?: { readonly effective: string; readonly source: string };
  readonly outcome: CallOutcome;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  /** Milliseconds until the question was settled. */
  readonly waitMs?: number;
  /** Milliseconds in the handler. */
  readonly ms?: number;
  readonly approval?: {
    readonly id: string;
    readonly decision: string;
    readonly by: string;
    readonly granularity?: string;
    /** Seconds that the question could stay open; questions that stood before it; what it showed. */
    readonly limitS?: number;
    readonly position?: number;
    readonly preview?: string;
  };
  /** The id of the approval that let the call through without asking. */
  readonly grant?: string;
  /** That approval's wait span. */
  readonly granted?: RowLink;
  /** The caller's own span, as an MCP client named it (E12). */
  readonly caller?: RowLink;
  /** How the call came over a wire: the id of its JSON-RPC request, and `tcp` or `pipe`. */
  readonly wire?: { readonly id: string; readonly transport: string };
  /** UTF-16 units of the result's JSON. */
  readonly chars?: number;
  readonly cut?: true;
  /** The handle of a write that can be taken back. */
  readonly undo?: string;
  readonly spans: { readonly run: string; readonly wait?: string; readonly exec?: string };
  /** Microseconds from `time`. */
  readonly us: { readonly wait?: readonly number[]; readonly exec?: readonly number[]; readonly end: number };
}

/** One attempt to take a write back. */
export interface UndoRow extends RowBase {
  readonly kind: 'undo';
  readonly plugin?: string;
  readonly tool: string;
  readonly effect: 'write';
  /** The id of the call that is taken back. */
  readonly of: string;
  readonly trigger: 'notice' | 'code' | 'view' | 'run';
  readonly outcome: UndoOutcome;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly ms: number;
  readonly spans: { readonly run: string };
  readonly us: { readonly end: number };
}

/** The end of an explicit run. Neither counted nor returned as a call. */
export interface RunRow extends RowBase {
  readonly kind: 'run';
  readonly reason: string;
  readonly calls: number;
  readonly refusals: number;
  readonly failures: number;
  readonly undos: number;
  readonly costUsdMicros?: number;
  readonly budgetUsdMicros?: number;
  /** How many tools the run's list names. */
  readonly tools?: number;
  /** The run that it is part of. */
  readonly parent?: string;
  /** The MCP session and revision. */
  readonly session?: string;
  readonly protocol?: string;
  /** `w:n:digest` of the newest row when the run ended: in a trace, a witness outside the file. */
  readonly head?: string;
  readonly us: { readonly end: number };
}

/** A row before it has its place in the chain. */
export type RowBody = CallRow | UndoRow | RunRow;

/** A row as it stands in the file. */
export type Row = RowBody & ChainPart;
