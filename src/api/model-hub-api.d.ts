/**
 * The API of Model Hub for other plugins. Copy this file into your plugin, beside on-hub-ready.ts.
 *
 * Made from the source by `npm run api`. Do not edit it: change src/core/types.ts.
 */

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | {
    readonly [key: string]: Json;
};
/** A read looks only; a write changes something (F005, F180). */
export type Effect = 'read' | 'write';
/** What a user may set on a tool or a plugin. `default` on a tool defers to its plugin, on a plugin to the built-in rule (F027–F034). */
export type Setting = 'allow' | 'ask' | 'deny' | 'default';
/** What a decision comes to. The strictest wins: deny, defer, ask, allow (D01). */
export type Verdict = 'allow' | 'ask' | 'defer' | 'deny';
/** What a verdict rests on. */
export type PolicySource = 'tool' | 'plugin' | 'builtin' | 'run_list' | 'hook' | 'guard' | 'grant' | 'unrestricted' | 'log';
/** Who asks: another plugin, the hub's own panel, an MCP client from outside, a sub-agent. */
export type ClientKind = 'plugin' | 'panel' | 'mcp' | 'agent';
/** The client as the dialog and the log name it. Names are labels: they confer no right (F211, D21). */
export interface Client {
    readonly kind: ClientKind;
    readonly name: string;
}
/** The part of JSON Schema that a tool's input may use, and nothing else (F181). A property that is not named here is refused (D22). */
export interface InputSchema {
    readonly type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
    readonly description?: string;
    readonly properties?: {
        readonly [name: string]: InputSchema;
    };
    readonly required?: readonly string[];
    readonly items?: InputSchema;
    readonly enum?: readonly (string | number | boolean | null)[];
    readonly minimum?: number;
}
/** What a handler is told besides its input. */
export interface ToolContext {
    /** The id of the run that the call belongs to (F183). */
    readonly run: string;
    /** Who asked (F184). */
    readonly client: Client;
    /** Fires at 60 seconds, when the run ends and when the caller leaves (F185). */
    readonly signal: AbortSignal;
}
/** One passage of one note as it is and as it would be. */
export interface NoteEdit {
    /** The note's path in the vault. */
    readonly note: string;
    readonly before: string;
    readonly after: string;
}
/** What `describe` may answer: a sentence, or the edits that the call would make (F060–F062). */
export type Description = string | {
    readonly summary?: string;
    readonly edits: readonly NoteEdit[];
};
/** Whether a write can be taken back, and why not (F187). */
export type UndoDeclaration = {
    readonly kind: 'handle';
} | {
    readonly kind: 'none';
    readonly reason: string;
};
/**
 * A single action that a plugin performs on request.
 *
 * `replay` and `undo` need API 0.9; everything else API 0.6 (F171).
 */
export interface HubTool<Input = any, Result = any> {
    /** `namespace.name`, lower-case, at most 64 characters. The first plugin to use a namespace owns it (F006–F012, D26). */
    readonly name: string;
    /** What it does, for people and models. */
    readonly description: string;
    /** `read` only for tools that change nothing. */
    readonly effect: Effect;
    readonly input: InputSchema;
    /**
     * Does the work. `input` has the shape that the schema says and is frozen. What it returns must be JSON; `null`, `''`,
     * `[]` and `{ empty: true, message }` count as empty. Errors must not hold note text or arguments: the message is
     * logged and returned (F120).
     */
    readonly handler: (input: Input, ctx: ToolContext) => Promise<Result>;
    /** `safe` if sending the call again has no further effect, `unsafe` if it acts a second time (F186). */
    readonly replay?: 'safe' | 'unsafe';
    /** Writes only. `{ kind: 'handle' }` needs `undoHandle` (F188, F189). */
    readonly undo?: UndoDeclaration;
    /** The handle, at most 1 000 characters, that takes this write back; `null` if there is nothing to take back (F077). */
    readonly undoHandle?: (result: Result) => string | null;
    /** Says in words or edits what the call would do. Must change nothing; falls back to the arguments after 500 ms (F060). */
    readonly describe?: (input: Input, ctx: ToolContext) => Description | Promise<Description>;
}
/** Reverses the write that a handle names and answers a sentence that says what was restored (F080, F081). Throw an error with `code: 'undo-conflict'` if the target changed since. */
export type UndoFunction = (handle: string) => Promise<string>;
/** A tool as the list shows it. */
export interface ToolInfo {
    readonly name: string;
    readonly description: string;
    readonly effect: Effect;
    readonly input: InputSchema;
    readonly replay?: 'safe' | 'unsafe';
    readonly undo?: UndoDeclaration;
    /** The plugin that registered it. */
    readonly owner: string;
    /** The setting in force and what it rests on (D07). */
    readonly policy: {
        readonly effective: Verdict;
        readonly source: PolicySource;
    };
}
/** What a call answers (F212). */
export interface CallAnswer<Result = unknown> {
    /** What the handler returned; where `truncated` is true, a {@link CutResult}. */
    readonly result: Result;
    readonly truncated: boolean;
    /** The handle that takes the write back, where there is one. */
    readonly undo?: string;
}
/** A result that was over the limit (F097). Lengths are UTF-16 units of the JSON text. */
export interface CutResult {
    readonly truncated: true;
    /** The first characters of the result's JSON. */
    readonly result: string;
    readonly originalChars: number;
    /** Says how much is missing. */
    readonly cut: string;
}
/** A result with nothing in it (F197). */
export interface EmptyResult {
    readonly empty: true;
    readonly message: string;
}
/** What a run is opened with (F217). */
export interface RunOptions {
    /** Limits the model calls made with the run's id; 0 or more. No limit unless set (F219, F220). */
    readonly budgetUsd?: number;
    /** The only tools that the run may call (F222). */
    readonly tools?: readonly string[];
}
/** A run as it stood when it was asked for; it does not change afterwards (F223). */
export interface RunSnapshot {
    readonly id: string;
    readonly owner: string;
    readonly tools?: readonly string[];
    readonly budgetUsd?: number;
    readonly spentUsd: number;
    /** Handles of the run's writes so far, oldest first, each until it is used (F084). */
    readonly undo: readonly string[];
}
/** Which rows of the log to answer. Times are ISO 8601; `since` is included, `until` is not (F122). */
export interface ToolCallFilter {
    readonly run?: string;
    readonly plugin?: string;
    readonly tool?: string;
    readonly since?: string;
    readonly until?: string;
}
/** A call or an undo as the log holds it. Arguments are there as a hash only (F118). */
export interface ToolCallRow {
    readonly kind: 'call' | 'undo';
    readonly id: string;
    readonly trace: string;
    readonly time: string;
    readonly run: string;
    readonly client: Client;
    readonly plugin?: string;
    readonly tool: string;
    readonly effect?: Effect;
    readonly args?: string;
    readonly policy?: {
        readonly effective: string;
        readonly source: string;
    };
    readonly outcome: string;
    readonly code?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly waitMs?: number;
    readonly ms?: number;
    readonly undo?: string;
    /** On an undo: the id of the call that it takes back. */
    readonly of?: string;
}
/** Every code that an error of the hub may carry (F150–F160). Frozen: one is added, none changes its meaning. */
export type ErrorCode = 'tool-unknown' | 'tool-invalid-input' | 'tool-denied' | 'tool-failed' | 'tool-timeout' | 'aborted' | 'run-budget' | 'tool-name-taken' | 'invalid-request' | 'hub-gone';
/** Why a call was denied (D06). */
export type DenyReason = 'policy' | 'user' | 'no-answer' | 'hook' | 'guard' | 'deferred' | 'no-surface' | 'log';
/** An error of the hub: show `message` to people, branch on `code` (F161, F231). */
export interface HubErrorShape extends Error {
    readonly code: ErrorCode;
    readonly details: {
        readonly reason?: string;
        readonly [key: string]: Json | undefined;
    };
}
/** The hub, as one plugin holds it. `owner` is always that plugin's own id (D21). */
export interface HubApi {
    /** The version of this API. */
    readonly apiVersion: string;
    /** Registers a plugin's tools, in place of its earlier ones (F174, F175). Throws `tool-name-taken` or `invalid-request`; then nothing changes. */
    registerTools(owner: string, tools: readonly HubTool[], options?: {
        readonly undo?: UndoFunction;
    }): void;
    /** Takes the plugin's tools away (F177). */
    unregisterTools(owner: string): void;
    /** Runs a tool under the user's settings (F210). Without a run, one is made for this call (F215). Rejects with a {@link HubErrorShape}. */
    callTool(owner: string, name: string, input: unknown, options?: {
        readonly run?: string;
        readonly signal?: AbortSignal;
    }): Promise<CallAnswer>;
    /** All tools, with the policy in force (F213). */
    tools(): readonly ToolInfo[];
    /** Calls back after each change of that list, of a setting too; answers the function that stops it (F214). */
    onToolsChanged(callback: () => void): () => void;
    startRun(owner: string, options?: RunOptions): RunSnapshot;
    /** Closes a run and stops its calls in flight with `aborted` (F218, F227). Ending it twice does nothing. */
    endRun(owner: string, id: string): void;
    /** The run as it stands now (F224). Throws `invalid-request` for anyone but its starter (F225). */
    run(owner: string, id: string): RunSnapshot;
    /** Takes a write back, once; answers the plugin's sentence (F082, D28). */
    undo(owner: string, handle: string): Promise<string>;
    /** Rows of the log, oldest first (F122). */
    toolCalls(filter?: ToolCallFilter): Promise<readonly ToolCallRow[]>;
}

/** The plugin that wants the hub: an Obsidian `Plugin`, or anything with these parts. */
export interface HubConsumer {
    readonly manifest: {
        readonly id: string;
        readonly name: string;
        readonly version?: string;
    };
    /** Registers what is to happen when this plugin unloads. */
    register(cleanup: () => void): void;
}
/**
 * Calls back with the hub as soon as it is there, and again each time it is reloaded: register tools inside the callback.
 * Never throws anything of its own, never times out. `version` is the API version needed, such as '0.9.0'; if the hub's is
 * lower, the user is told and the callback is not called. A function that the callback answers runs once, when the plugin
 * unloads or that hub goes. When the plugin unloads, its tools go with it.
 */
export declare function onHubReady(app: object, plugin: HubConsumer, version: string, callback: (hub: HubApi) => unknown): void;
