/**
 * Row → spans: what a row of the log comes to in a trace. Pure, and the same each time, so that what is sent again after an
 * outage or a crash is the same to the byte as what was sent before it (E03).
 *
 * Only keys of the registry that may travel, with values of their type and list, get in; messages, handles and whatever
 * else a row holds stay here (D31). Rows come from a file that anybody may have edited: what does not fit is left out.
 */
import { fits, specOf, type AttributeKey, type AttributeValueOf, type EventName, type SpanKindName } from '../attributes.ts';
import type { CallOutcome, CallRow, RowBody, RowLink, RunRow, UndoOutcome, UndoRow } from '../row.ts';
import { cutBytes, microsOf } from '../text.ts';

/** A span as it travels. Times are microseconds since 1970; ids are lower-case hex of 32 and 16 digits. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: SpanKindName;
  readonly start: number;
  readonly end: number;
  readonly attributes: SentAttributes;
  readonly error: boolean;
  readonly events: readonly { readonly name: EventName; readonly at: number }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: SentAttributes }[];
}

export interface SentAttributes { readonly [key: string]: string | number | boolean }

/** Backends count a value in bytes. */
export const VALUE_BYTES = 1_024;
const NAME_BYTES = 256;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** The spans that a row stands for; none if the row is not one that we could have written. Never throws. */
export function spansOf(row: RowBody): readonly SentSpan[] {
  try {
    return spansIn(row) ?? []; // of another kind than ours
  } catch {
    return []; // a value of another type, in a part that the log's reader does not look at
  }
}

function spansIn(row: RowBody): readonly SentSpan[] {
  const start = microsOf(row.time);
  if (!Number.isSafeInteger(start) || start < 0 || !isId(TRACE_ID, row.trace) || !isId(SPAN_ID, row.id)) return [];
  switch (row.kind) {
    case 'call':
      return callSpans(row, start);
    case 'undo':
      return [undoSpan(row, start)];
    case 'run':
      return [runSpan(row, start)];
  }
}

function callSpans(row: CallRow, start: number): SentSpan[] {
  const { trace, tool, us } = row;
  const end = after(start, us.end);
  const failed = errorOf(row.outcome) !== undefined;
  const errorType = { 'error.type': errorOf(row.outcome) };
  const spans: SentSpan[] = [span('tool_call', tool, {
    trace, id: row.id, parent: row.spans.run, start, end, error: failed, links: linksOf(row),
    attributes: { ...callAttributes(row), ...errorType },
  })];
  if (isId(SPAN_ID, row.spans.wait) && us.wait) spans.push(waitSpan(row, start, us.wait));
  if (isId(SPAN_ID, row.spans.exec) && us.exec) {
    const [entered, left] = us.exec;
    spans.push(span('execute_tool', tool, {
      trace, id: row.spans.exec, parent: row.id, start: after(start, entered, 0), end: after(after(start, entered, 0), (left ?? 0) - (entered ?? 0)), error: failed,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': row.id, ...errorType },
    }));
  }
  // The root last: a backend that shows a trace by its root then has the rest of it.
  if (row.single && isId(SPAN_ID, row.spans.run)) spans.push(singleRunSpan(row, start, end));
  return spans;
}

function callAttributes(row: CallRow): Attributes {
  const isWrite = row.effect === 'write';
  const hasResult = row.outcome === 'ok' || row.outcome === 'empty';
  return {
    ...subjectOf(row),
    'gen_ai.tool.name': row.tool, 'gen_ai.tool.call.id': row.id,
    'modelhub.run.kind': row.single ? 'single_call' : undefined,
    'modelhub.tool.owner': row.plugin, 'modelhub.tool.effect': row.effect, 'modelhub.tool.replay': row.replay,
    'modelhub.arguments.hash': row.args, 'modelhub.arguments.size': row.size,
    'modelhub.policy.effective': row.policy?.effective, 'modelhub.policy.source': row.policy?.source,
    'modelhub.call.outcome': row.outcome, 'modelhub.call.code': row.code, 'modelhub.refusal.reason': row.reason,
    'modelhub.result.size': row.chars, 'modelhub.result.truncated': row.cut,
    'modelhub.undo.offered': isWrite && hasResult ? row.undo !== undefined : undefined,
    'mcp.method.name': row.wire ? 'tools/call' : undefined, 'jsonrpc.request.id': row.wire?.id, 'network.transport': row.wire?.transport,
  };
}

function waitSpan(row: CallRow, start: number, us: readonly number[]): SentSpan {
  const [asked = 0, second = 0, third] = us;
  const from = after(start, asked, 0);
  const { approval } = row;
  return span('await_approval', row.tool, {
    trace: row.trace, id: row.spans.wait!, parent: row.id, start: from, end: after(from, (third ?? second) - asked), error: false,
    events: third === undefined ? [] : [{ name: 'presented', at: after(from, second - asked, 0) }],
    attributes: {
      'gen_ai.tool.name': row.tool,
      'modelhub.approval.request_id': approval?.id, 'modelhub.approval.decision': approval?.decision, 'modelhub.approval.source': approval?.by,
      'modelhub.approval.timeout_s': approval?.limitS, 'modelhub.approval.shown_hash': row.args, 'modelhub.approval.granularity': approval?.granularity,
      'modelhub.approval.queue_position': approval?.position, 'modelhub.approval.preview': approval?.preview,
    },
  });
}

/** The run of a call that had none, told by the call's row. */
function singleRunSpan(row: CallRow, start: number, end: number): SentSpan {
  return span('invoke_agent', row.client.name, {
    trace: row.trace, id: row.spans.run, start, end, error: false,
    attributes: {
      ...runAttributes(row, 'single_call', row.outcome === 'interrupted' ? 'interrupted' : 'single_call'),
      'modelhub.run.calls': 1,
      'modelhub.run.refusals': row.outcome === 'refused' || row.outcome === 'invalid' ? 1 : 0,
      'modelhub.run.failures': row.outcome === 'failed' || row.outcome === 'timeout' ? 1 : 0,
      'modelhub.run.undos': 0,
    },
  });
}

function runSpan(row: RunRow, start: number): SentSpan {
  return span('invoke_agent', row.client.name, {
    trace: row.trace, id: row.id, start, end: after(start, row.us.end), error: false,
    attributes: {
      ...runAttributes(row, 'explicit', row.reason),
      'modelhub.run.calls': row.calls, 'modelhub.run.refusals': row.refusals, 'modelhub.run.failures': row.failures, 'modelhub.run.undos': row.undos,
      'modelhub.run.cost_usd_micros': row.costUsdMicros, 'modelhub.run.budget_usd_micros': row.budgetUsdMicros,
      'modelhub.run.tools_allowed': row.tools, 'modelhub.run.parent_id': row.parent,
      'mcp.session.id': row.session, 'mcp.protocol.version': row.protocol,
      'modelhub.log.head': row.head,
    },
  });
}

function runAttributes(row: RowBody, kind: AttributeValueOf<'modelhub.run.kind'>, reason: string): Attributes {
  return { ...subjectOf(row), 'gen_ai.operation.name': 'invoke_agent', 'modelhub.run.kind': kind, 'modelhub.run.end_reason': reason };
}

function undoSpan(row: UndoRow, start: number): SentSpan {
  return span('undo', row.tool, {
    trace: row.trace, id: row.id, parent: row.spans.run, start, end: after(start, row.us.end), error: errorOf(row.outcome) !== undefined,
    links: [linkTo({ trace: row.trace, span: row.of }, 'undoes')],
    attributes: {
      ...subjectOf(row),
      'gen_ai.tool.name': row.tool, 'modelhub.tool.owner': row.plugin,
      'modelhub.undo.call_id': row.of, 'modelhub.undo.trigger': row.trigger, 'modelhub.undo.outcome': row.outcome,
      'modelhub.call.code': row.code, 'modelhub.refusal.reason': row.reason,
      'error.type': row.code === 'tool-timeout' ? row.code : errorOf(row.outcome),
    },
  });
}

/** The tool did not do its job; where the gate refused, or a caller left, both did theirs. */
function errorOf(outcome: CallOutcome | UndoOutcome): AttributeValueOf<'error.type'> | undefined {
  switch (outcome) {
    case 'failed':
      return 'tool-failed';
    case 'timeout':
      return 'tool-timeout';
    case 'interrupted':
      return 'interrupted';
    case 'ok':
    case 'empty':
    case 'refused':
    case 'invalid':
    case 'aborted':
    case 'done':
    case 'already_done':
    case 'conflict':
    case 'owner_gone':
      return undefined;
  }
}

/** In which run, and who asked. */
function subjectOf({ run, client }: RowBody): Attributes {
  return { 'gen_ai.conversation.id': run, 'gen_ai.agent.name': client.name, 'modelhub.client.kind': client.kind };
}

function linksOf(row: CallRow): SentSpan['links'] {
  return [
    ...(row.caller ? [linkTo(row.caller, 'mcp_caller')] : []),
    ...(row.granted ? [linkTo(row.granted, 'granted_by', row.grant)] : []),
  ];
}

function linkTo({ trace, span: id }: RowLink, kind: AttributeValueOf<'modelhub.link.kind'>, request?: string): SentSpan['links'][number] {
  return { traceId: trace, spanId: id, attributes: listed({ 'modelhub.link.kind': kind, 'modelhub.approval.request_id': request }) };
}

/** What a row says, not checked yet. */
type Attributes = { readonly [K in AttributeKey]?: unknown };

interface Parts {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly start: number;
  readonly end: number;
  readonly error: boolean;
  readonly attributes: Attributes;
  readonly events?: SentSpan['events'];
  readonly links?: SentSpan['links'];
}

function span(kind: SpanKindName, subject: string, { trace, id, parent, start, end, error, attributes, events = [], links = [] }: Parts): SentSpan {
  return {
    traceId: trace, spanId: id, ...(isId(SPAN_ID, parent) ? { parentId: parent } : {}),
    name: cutBytes(`${kind} ${subject}`.toWellFormed(), NAME_BYTES), kind, start, end, error, events,
    attributes: listed(attributes), links: links.filter(({ traceId, spanId }) => isId(TRACE_ID, traceId) && isId(SPAN_ID, spanId)),
  };
}

/** What the registry lists and lets travel. */
function listed(attributes: Attributes): SentAttributes {
  const sent: { [key: string]: string | number | boolean } = {};
  for (const key in attributes) {
    const value = attributes[key as AttributeKey];
    const spec = specOf(key);
    if (value === undefined || !spec || spec.reach === 'local' || !fits(spec, value)) continue;
    sent[key] = typeof value === 'string' ? cutBytes(value.toWellFormed(), VALUE_BYTES) : (value as number | boolean);
  }
  return sent;
}

/** A list of one text would pass for that text, where it is only held against a pattern. */
function isId(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Backends complain of spans without a length, and of times that their clocks do not reach; a row may say anything. */
function after(start: number, micros: number | undefined, least = 1): number {
  const time = start + Math.max(least, micros ?? least);
  return Number.isSafeInteger(micros) && Number.isSafeInteger(time) ? time : start + least;
}
