/**
 * The words that others rely on, spelled out once more: codes, reasons, decisions, attribute keys and limits. A word is
 * added here on purpose; one that changes or goes breaks somebody's code, dashboard or log.
 */
import { describe, expect, it } from 'vitest';
import { ATTRIBUTES, TELEMETRY_SCHEMA, type AttributeSpec } from '../../otel/attributes.ts';
import { API_VERSION } from '../../src/api/hub-for-plugin.ts';
import { meetingOf } from '../../src/api/on-hub-ready.ts';
import { ASK_SECONDS } from '../../src/core/approvals.ts';
import { HANDLER_LIMIT_MS } from '../../src/core/handler.ts';
import { DEPTH_LIMIT, SIZE_LIMIT } from '../../src/core/input.ts';
import { PREVIEW_LIMIT_MS } from '../../src/core/preview.ts';
import { LONG_ARGUMENTS, type Decision, type SettledBy } from '../../src/core/questions.ts';
import { NAME_LIMIT } from '../../src/core/registry.ts';
import { HANDLE_LIMIT, PANEL_RESULT_LIMIT, RESULT_LIMIT } from '../../src/core/result.ts';
import type { ClientKind, DenyReason, Effect, ErrorCode, PolicySource, Setting, Verdict } from '../../src/core/types.ts';

/** The list has each word of the union and no other: the compiler sees to both. */
type Words<Union extends string> = <const List extends readonly Union[]>(list: [Union] extends [List[number]] ? List : never) => List;
const words = <Union extends string>(): Words<Union> => (list) => list;

describe('the words that are public', () => {
  it('F150 F151 F152 F153 F155 F156 F157 F159 F160 the codes of errors', () => {
    expect(words<ErrorCode>()([
      'tool-unknown', 'tool-invalid-input', 'tool-denied', 'tool-failed', 'tool-timeout', 'aborted', 'run-budget', 'tool-name-taken', 'invalid-request', 'hub-gone',
    ])).toHaveLength(10);
  });

  it('D06 F154 the reasons of a refusal', () => {
    expect(words<DenyReason>()(['policy', 'user', 'no-answer', 'hook', 'guard', 'deferred', 'no-surface', 'log'])).toHaveLength(8);
  });

  it('F027 D01 settings, verdicts and what they rest on', () => {
    expect([
      words<Setting>()(['allow', 'ask', 'deny', 'default']),
      words<Verdict>()(['allow', 'ask', 'defer', 'deny']),
      words<PolicySource>()(['tool', 'plugin', 'builtin', 'run_list', 'hook', 'guard', 'grant', 'unrestricted', 'log']),
      words<Effect>()(['read', 'write']),
      words<ClientKind>()(['plugin', 'panel', 'mcp', 'agent']),
    ].map(({ length }) => length)).toEqual([4, 4, 9, 2, 4]);
  });

  it('F262 F263 answers to a question, and what settles one', () => {
    expect([
      words<Decision>()(['deny', 'allow_once', 'allow_run']),
      words<SettledBy>()(['dialog', 'remote', 'policy_change', 'timeout', 'run_end', 'caller_gone', 'grant', 'no_surface']),
    ].map(({ length }) => length)).toEqual([3, 8]);
  });

  it('F053 F093 F094 F095 D22 D26 D28 the limits', () => {
    expect({ ASK_SECONDS, HANDLER_LIMIT_MS, RESULT_LIMIT, PANEL_RESULT_LIMIT, HANDLE_LIMIT, NAME_LIMIT, DEPTH_LIMIT, SIZE_LIMIT, PREVIEW_LIMIT_MS, LONG_ARGUMENTS }).toEqual({
      ASK_SECONDS: 120, HANDLER_LIMIT_MS: 60_000, RESULT_LIMIT: 100_000, PANEL_RESULT_LIMIT: 25_000, HANDLE_LIMIT: 1_000, NAME_LIMIT: 64, DEPTH_LIMIT: 64, SIZE_LIMIT: 1_048_576,
      PREVIEW_LIMIT_MS: 500, LONG_ARGUMENTS: 20_000,
    });
  });

  it('F171 F172 versions, and the place where plugins meet the hub', () => {
    const app = {};
    meetingOf(app);
    expect([API_VERSION, TELEMETRY_SCHEMA, Object.getOwnPropertySymbols(app)]).toEqual(['0.9.0', '1.0.0', [Symbol.for('model-hub.meeting.1')]]);
  });
});

describe('the attributes of spans', () => {
  it('D30 key, type or values, the spans that need it, the spans that may have it', () => {
    expect(Object.entries<AttributeSpec>(ATTRIBUTES).map(inOneLine)).toEqual(KEYS);
  });

  it('D31 what is for the log alone is called so', () => {
    expect(Object.entries<AttributeSpec>(ATTRIBUTES).filter(([key, { reach }]) => key.startsWith('modelhub.local.') !== (reach === 'local'))).toEqual([]);
  });

  it('no key is the beginning of another one', () => {
    const keys = Object.keys(ATTRIBUTES);
    expect(keys.filter((key) => keys.some((other) => other.startsWith(`${key}.`)))).toEqual([]);
  });
});

function inOneLine([key, { type, values, required = [], optional = [], reach }]: [string, AttributeSpec]): string {
  return [key, values?.join(' ') ?? type, ...(required.length > 0 ? [`on ${required.join(' ')}`] : []), ...(optional.length > 0 ? [`may ${optional.join(' ')}`] : []), ...(reach ? [reach] : [])].join(' | ');
}

const KEYS: readonly string[] = [
  'gen_ai.operation.name | invoke_agent execute_tool chat | on invoke_agent execute_tool chat',
  'gen_ai.agent.name | string | on invoke_agent | may tool_call undo chat',
  'gen_ai.conversation.id | string | on invoke_agent tool_call undo chat',
  'gen_ai.tool.name | string | on tool_call await_approval execute_tool undo',
  'gen_ai.tool.type | function | on execute_tool',
  'gen_ai.tool.call.id | string | on tool_call execute_tool',
  'error.type | tool-failed tool-timeout interrupted | may tool_call execute_tool undo',
  'mcp.method.name | tools/call | may tool_call',
  'mcp.session.id | string | may invoke_agent',
  'mcp.protocol.version | string | may invoke_agent',
  'jsonrpc.request.id | string | may tool_call',
  'network.transport | tcp pipe | may tool_call',
  'modelhub.client.kind | plugin panel mcp agent | on invoke_agent | may tool_call undo chat',
  'modelhub.run.kind | explicit single_call | on invoke_agent | may tool_call',
  'modelhub.run.end_reason | ended single_call owner_unloaded session_closed idle shutdown interrupted | on invoke_agent',
  'modelhub.run.calls | int | on invoke_agent',
  'modelhub.run.refusals | int | on invoke_agent',
  'modelhub.run.failures | int | on invoke_agent',
  'modelhub.run.undos | int | on invoke_agent',
  'modelhub.run.budget_usd_micros | int | may invoke_agent',
  'modelhub.run.cost_usd_micros | int | may invoke_agent',
  'modelhub.run.tools_allowed | int | may invoke_agent',
  'modelhub.run.parent_id | string | may invoke_agent',
  'modelhub.log.head | string | may invoke_agent',
  'modelhub.tool.owner | string | on tool_call | may undo',
  'modelhub.tool.effect | read write | on tool_call',
  'modelhub.tool.replay | safe unsafe | may tool_call',
  'modelhub.arguments.hash | string | on tool_call',
  'modelhub.arguments.size | int | on tool_call',
  'modelhub.policy.effective | allow ask defer deny | on tool_call',
  'modelhub.policy.source | tool plugin builtin run_list hook guard grant unrestricted log | on tool_call',
  'modelhub.call.outcome | ok empty refused invalid failed timeout aborted interrupted | on tool_call',
  'modelhub.call.code | tool-unknown tool-invalid-input tool-denied tool-failed tool-timeout aborted run-budget invalid-request hub-gone interrupted | may tool_call undo',
  'modelhub.refusal.reason | policy user no-answer hook guard deferred no-surface log | may tool_call undo',
  'modelhub.result.size | int | may tool_call',
  'modelhub.result.truncated | boolean | may tool_call',
  'modelhub.undo.offered | boolean | may tool_call',
  'modelhub.link.kind | mcp_caller granted_by undoes',
  'modelhub.approval.request_id | string | on await_approval',
  'modelhub.approval.decision | deny allow_once allow_run always_allow none | on await_approval',
  'modelhub.approval.source | dialog remote policy_change timeout run_end caller_gone grant no_surface | on await_approval',
  'modelhub.approval.timeout_s | int | on await_approval',
  'modelhub.approval.shown_hash | string | on await_approval',
  'modelhub.approval.granularity | once run arguments tool workspace | may await_approval',
  'modelhub.approval.queue_position | int | may await_approval',
  'modelhub.approval.preview | arguments text edits | may await_approval',
  'gen_ai.request.model | string | may chat',
  'modelhub.cost_usd_micros | int | may chat',
  'modelhub.undo.call_id | string | on undo',
  'modelhub.undo.trigger | notice code view run | on undo',
  'modelhub.undo.outcome | done failed already_done conflict owner_gone refused interrupted | on undo',
  'modelhub.local.message | string | may tool_call undo | local',
  'modelhub.local.undo_handle | string | may tool_call | local',
];
