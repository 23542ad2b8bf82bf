/**
 * Every attribute that a span of the hub may carry: its type, its closed list of values, and the spans that need it.
 *
 * One registry. The compiler checks each `set` against it, the row is made from its keys, and the monitor holds every ended
 * span against it. What is written here is public from the first release: a key is added, never renamed.
 *
 * Keys follow the OpenTelemetry conventions where there are any (GenAI and MCP: development status, as published with
 * semantic conventions 1.37); our own stand under `modelhub.`. Money is an integer in millionths of a dollar.
 */

/** The kinds of span, by the first word of the span's name. */
export type SpanKindName = 'invoke_agent' | 'tool_call' | 'await_approval' | 'execute_tool' | 'chat' | 'undo';

/** How far an attribute travels. `local` ones feed the log's row and are never exported. */
export type Reach = 'exported' | 'local';

/** One line of the registry. `required` and `optional` say on which spans the key must be there when the span ends, and on which it may be. */
export interface AttributeSpec {
  readonly type: 'string' | 'int' | 'boolean' | 'string[]';
  /** The closed list of values, for enumerations. */
  readonly values?: readonly string[];
  readonly required?: readonly SpanKindName[];
  readonly optional?: readonly SpanKindName[];
  readonly reach?: Reach;
  readonly about: string;
}

export const ATTRIBUTES = {
  // Conventions
  'gen_ai.operation.name': { type: 'string', values: ['invoke_agent', 'execute_tool', 'chat'], required: ['invoke_agent', 'execute_tool', 'chat'], about: 'what kind of step this is' },
  'gen_ai.agent.name': { type: 'string', required: ['invoke_agent'], optional: ['tool_call', 'undo', 'chat'], about: 'the name of the client that asked' },
  'gen_ai.conversation.id': { type: 'string', required: ['invoke_agent', 'tool_call', 'undo', 'chat'], about: 'the id of the run' },
  'gen_ai.tool.name': { type: 'string', required: ['tool_call', 'await_approval', 'execute_tool', 'undo'], about: 'the full name of the tool' },
  'gen_ai.tool.type': { type: 'string', values: ['function'], required: ['execute_tool'], about: 'always a function' },
  'gen_ai.tool.call.id': { type: 'string', required: ['tool_call', 'execute_tool'], about: 'the id of the call, which is that of its span and of its row' },
  'error.type': { type: 'string', values: ['tool-failed', 'tool-timeout', 'interrupted'], optional: ['tool_call', 'execute_tool', 'undo'], about: 'set where the tool did not do its job' },
  'mcp.method.name': { type: 'string', values: ['tools/call'], optional: ['tool_call'], about: 'the MCP method that the call came by' },
  'mcp.session.id': { type: 'string', optional: ['invoke_agent'], about: 'the MCP session that is this run' },
  'mcp.protocol.version': { type: 'string', optional: ['invoke_agent'], about: 'the MCP revision that the client speaks' },
  'jsonrpc.request.id': { type: 'string', optional: ['tool_call'], about: 'the id of the JSON-RPC request' },
  'network.transport': { type: 'string', values: ['tcp', 'pipe'], optional: ['tool_call'], about: 'tcp for HTTP, pipe for stdio' },

  // The run
  'modelhub.client.kind': { type: 'string', values: ['plugin', 'panel', 'mcp', 'agent'], required: ['invoke_agent'], optional: ['tool_call', 'undo', 'chat'], about: 'what kind of client asked' },
  'modelhub.run.kind': { type: 'string', values: ['explicit', 'single_call'], required: ['invoke_agent'], optional: ['tool_call'], about: 'opened by its client, or made for one call; on a call only in the latter case' },
  'modelhub.run.end_reason': { type: 'string', values: ['ended', 'single_call', 'owner_unloaded', 'session_closed', 'idle', 'shutdown', 'interrupted'], required: ['invoke_agent'], about: 'why the run ended' },
  'modelhub.run.calls': { type: 'int', required: ['invoke_agent'], about: 'calls, whatever their outcome' },
  'modelhub.run.refusals': { type: 'int', required: ['invoke_agent'], about: 'calls refused, or not fit to be judged' },
  'modelhub.run.failures': { type: 'int', required: ['invoke_agent'], about: 'calls failed or timed out' },
  'modelhub.run.undos': { type: 'int', required: ['invoke_agent'], about: 'writes taken back while the run was open' },
  'modelhub.run.budget_usd_micros': { type: 'int', optional: ['invoke_agent'], about: 'the run\'s limit' },
  'modelhub.run.cost_usd_micros': { type: 'int', optional: ['invoke_agent'], about: 'what the run spent' },
  'modelhub.run.tools_allowed': { type: 'int', optional: ['invoke_agent'], about: 'how many tools the run\'s list names' },
  'modelhub.run.parent_id': { type: 'string', optional: ['invoke_agent'], about: 'the run that this one is part of' },
  'modelhub.log.head': { type: 'string', optional: ['invoke_agent'], about: 'writer, counter and digest of the newest row: a witness outside the file' },

  // The call
  'modelhub.tool.owner': { type: 'string', required: ['tool_call'], optional: ['undo'], about: 'the plugin that registered the tool; absent if nobody did' },
  'modelhub.tool.effect': { type: 'string', values: ['read', 'write'], required: ['tool_call'], about: 'looks only, or changes something; absent if the tool is unknown' },
  'modelhub.tool.replay': { type: 'string', values: ['safe', 'unsafe'], optional: ['tool_call'], about: 'whether sending the call again has a further effect' },
  'modelhub.arguments.hash': { type: 'string', required: ['tool_call'], about: 'keyed hash of the canonical arguments; absent if they were not JSON' },
  'modelhub.arguments.size': { type: 'int', required: ['tool_call'], about: 'UTF-16 units of the canonical arguments' },
  'modelhub.policy.effective': { type: 'string', values: ['allow', 'ask', 'defer', 'deny'], required: ['tool_call'], about: 'the verdict in force; absent if the call was not fit to be judged' },
  'modelhub.policy.source': { type: 'string', values: ['tool', 'plugin', 'builtin', 'run_list', 'hook', 'guard', 'grant', 'unrestricted', 'log'], required: ['tool_call'], about: 'what the verdict rests on' },
  'modelhub.call.outcome': { type: 'string', values: ['ok', 'empty', 'refused', 'invalid', 'failed', 'timeout', 'aborted', 'interrupted'], required: ['tool_call'], about: 'how the call ended' },
  'modelhub.call.code': { type: 'string', values: ['tool-unknown', 'tool-invalid-input', 'tool-denied', 'tool-failed', 'tool-timeout', 'aborted', 'run-budget', 'invalid-request', 'hub-gone', 'interrupted'], optional: ['tool_call', 'undo'], about: 'the error code that the caller got' },
  'modelhub.refusal.reason': { type: 'string', values: ['policy', 'user', 'no-answer', 'hook', 'guard', 'deferred', 'no-surface', 'log'], optional: ['tool_call', 'undo'], about: 'why a call was denied' },
  'modelhub.result.size': { type: 'int', optional: ['tool_call'], about: 'UTF-16 units of the result\'s JSON' },
  'modelhub.result.truncated': { type: 'boolean', optional: ['tool_call'], about: 'true if the result was cut' },
  'modelhub.undo.offered': { type: 'boolean', optional: ['tool_call'], about: 'true if the write can be taken back' },
  'modelhub.link.kind': { type: 'string', values: ['mcp_caller', 'granted_by', 'undoes'], about: 'on links only: what the link means' },

  // The wait
  'modelhub.approval.request_id': { type: 'string', required: ['await_approval'], about: 'the id of the question, random' },
  'modelhub.approval.decision': { type: 'string', values: ['deny', 'allow_once', 'allow_run', 'always_allow', 'none'], required: ['await_approval'], about: 'the answer; none if nobody gave one' },
  'modelhub.approval.source': { type: 'string', values: ['dialog', 'remote', 'policy_change', 'timeout', 'run_end', 'caller_gone', 'grant', 'no_surface'], required: ['await_approval'], about: 'what settled the question' },
  'modelhub.approval.timeout_s': { type: 'int', required: ['await_approval'], about: 'seconds that the question may stay open once shown' },
  'modelhub.approval.shown_hash': { type: 'string', required: ['await_approval'], about: 'hash of the arguments that were shown' },
  'modelhub.approval.granularity': { type: 'string', values: ['once', 'run', 'arguments', 'tool', 'workspace'], optional: ['await_approval'], about: 'what a yes covers' },
  'modelhub.approval.queue_position': { type: 'int', optional: ['await_approval'], about: 'questions that stood before this one' },
  'modelhub.approval.preview': { type: 'string', values: ['arguments', 'text', 'edits'], optional: ['await_approval'], about: 'what the question showed' },

  // The model call
  'gen_ai.request.model': { type: 'string', optional: ['chat'], about: 'the model that was asked for' },
  'modelhub.cost_usd_micros': { type: 'int', optional: ['chat'], about: 'what the model call cost, in millionths of a dollar' },

  // The undo
  'modelhub.undo.call_id': { type: 'string', required: ['undo'], about: 'span id of the call that is taken back' },
  'modelhub.undo.trigger': { type: 'string', values: ['notice', 'code', 'view', 'run'], required: ['undo'], about: 'where the undo was asked for' },
  'modelhub.undo.outcome': { type: 'string', values: ['done', 'failed', 'already_done', 'conflict', 'owner_gone', 'refused', 'interrupted'], required: ['undo'], about: 'how the undo ended' },

  // For the row alone
  'modelhub.local.message': { type: 'string', optional: ['tool_call', 'undo'], reach: 'local', about: 'the error\'s message, one line, at most 500 characters' },
  'modelhub.local.undo_handle': { type: 'string', optional: ['tool_call'], reach: 'local', about: 'the handle that takes the write back' },
} as const satisfies Record<string, AttributeSpec>;

/** What every span says of where it comes from. */
export const RESOURCE = {
  'service.name': '`model-hub`, unless the user set another',
  'service.version': 'the version of Model Hub',
  'service.instance.id': 'the writer of the log\'s rows: random, one per start',
  'modelhub.telemetry.schema': 'the version of this registry',
  'modelhub.vault.id': 'random, one per vault; says nothing about its path',
} as const;

/** The attributes of the resource, all of them. */
export type ResourceAttributes = { readonly [K in keyof typeof RESOURCE]: string };

/** The specification of a key; `undefined` if it is not listed. */
export function specOf(key: string): AttributeSpec | undefined {
  return SPECS.get(key);
}
const SPECS: ReadonlyMap<string, AttributeSpec> = new Map(Object.entries(ATTRIBUTES));

/** True if the value is of the type, and of the closed list, that the registry names for its key. */
export function fits({ type, values }: AttributeSpec, value: unknown): boolean {
  switch (type) {
    case 'int':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && (values?.includes(value) ?? true);
    case 'string[]':
      return Array.isArray(value) && value.every((each) => typeof each === 'string');
  }
}

/** A key that may be set on a span. */
export type AttributeKey = keyof typeof ATTRIBUTES;

type SpecOf<K extends AttributeKey> = (typeof ATTRIBUTES)[K];

/** The type of a key's value: a closed list where there is one. */
export type AttributeValueOf<K extends AttributeKey> =
  SpecOf<K> extends { readonly values: readonly (infer V)[] } ? V
  : SpecOf<K> extends { readonly type: 'int' } ? number
  : SpecOf<K> extends { readonly type: 'boolean' } ? boolean
  : SpecOf<K> extends { readonly type: 'string[]' } ? readonly string[]
  : string;

/** Events on spans, by name. `presented`: the question was shown, which splits queueing from thinking. */
export type EventName = 'presented';

/** The version of this registry, on every resource. It moves when a key is added. */
export const TELEMETRY_SCHEMA = '1.0.0';

/** What the instrumentation scope of every span is called. */
export const SCOPE_NAME = 'model-hub';
