/**
 * Span → row: what an ended span, with its ended children, comes to in `tool-calls.jsonl`. Pure.
 *
 * Row and trace are made from the same span, so they cannot disagree (D30). The keys stand in the order of `row.ts`.
 */
import type { HrTime } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { AttributeKey } from './attributes.ts';
import type { CallOutcome, CallRow, RowBody, RowClient, RunRow, UndoOutcome, UndoRow } from './row.ts';
import { isoMicros, oneLine } from './text.ts';

/** The children of a call that its row tells of. */
export interface CallChildren {
  readonly wait?: ReadableSpan | undefined;
  readonly exec?: ReadableSpan | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The row of a call, an undo or an explicit run; `undefined` for every other span, which has no row of its own. */
export function rowOf(span: ReadableSpan, children: CallChildren = {}): RowBody | undefined {
  const { name } = span;
  if (name.startsWith('tool_call ')) return callRow(span, children);
  if (name.startsWith('undo ')) return undoRow(span);
  // A run of one call is told by its call's row.
  if (name.startsWith('invoke_agent ') && span.attributes['modelhub.run.kind'] === 'explicit') return runRow(span);
  return undefined;
}

function callRow(span: ReadableSpan, { wait, exec }: CallChildren): CallRow {
  const context = span.spanContext();
  const start = micros(span.startTime);
  const row = {
    v: 1,
    kind: 'call',
    id: context.spanId,
    trace: context.traceId,
    time: isoMicros(start),
    run: text(span, 'gen_ai.conversation.id') ?? '',
    client: clientOf(span),
  } as Mutable<CallRow>;

  if (text(span, 'modelhub.run.kind') === 'single_call') row.single = true;
  const plugin = text(span, 'modelhub.tool.owner');
  if (plugin !== undefined) row.plugin = plugin;
  row.tool = oneLine(text(span, 'gen_ai.tool.name') ?? '');
  const effect = text(span, 'modelhub.tool.effect');
  if (effect === 'read' || effect === 'write') row.effect = effect;
  const replay = text(span, 'modelhub.tool.replay');
  if (replay === 'safe' || replay === 'unsafe') row.replay = replay;
  const args = text(span, 'modelhub.arguments.hash');
  if (args !== undefined) row.args = args;
  const size = count(span, 'modelhub.arguments.size');
  if (size !== undefined) row.size = size;
  const effective = text(span, 'modelhub.policy.effective');
  const source = text(span, 'modelhub.policy.source');
  if (effective !== undefined && source !== undefined) row.policy = { effective, source };
  // Every exit of the gate says how it ended. If one did not, the row says what is known: nobody saw an end.
  row.outcome = (text(span, 'modelhub.call.outcome') as CallOutcome | undefined) ?? 'interrupted';
  noteFault(row, span);

  const us: Mutable<CallRow['us']> = {} as Mutable<CallRow['us']>;
  const spans: Mutable<CallRow['spans']> = { run: span.parentSpanContext?.spanId ?? '' };
  if (wait) {
    const asked = micros(wait.startTime) - start;
    const answered = micros(wait.endTime) - start;
    const presented = wait.events.find((event) => event.name === 'presented');
    us.wait = presented ? [asked, micros(presented.time) - start, answered] : [asked, answered];
    spans.wait = wait.spanContext().spanId;
    row.waitMs = (answered - asked) / 1000;
  }
  if (exec) {
    const entered = micros(exec.startTime) - start;
    const left = micros(exec.endTime) - start;
    us.exec = [entered, left];
    spans.exec = exec.spanContext().spanId;
    row.ms = (left - entered) / 1000;
  }
  us.end = micros(span.endTime) - start;

  if (wait) row.approval = approvalOf(wait);
  if (span.links.length > 0) noteLinks(row, span);
  const requestId = text(span, 'jsonrpc.request.id');
  if (requestId !== undefined) row.wire = { id: oneLine(requestId), transport: text(span, 'network.transport') ?? '' };
  const chars = span.attributes['modelhub.result.size'];
  if (typeof chars === 'number') row.chars = chars;
  if (span.attributes['modelhub.result.truncated'] === true) row.cut = true;
  const undo = text(span, 'modelhub.local.undo_handle');
  if (undo !== undefined) row.undo = undo;
  row.spans = spans;
  row.us = us;
  return row;
}

function undoRow(span: ReadableSpan): UndoRow {
  const context = span.spanContext();
  const start = micros(span.startTime);
  const end = micros(span.endTime) - start;
  const row = {
    v: 1,
    kind: 'undo',
    id: context.spanId,
    trace: context.traceId,
    time: isoMicros(start),
    run: text(span, 'gen_ai.conversation.id') ?? '',
    client: clientOf(span),
  } as Mutable<UndoRow>;

  const plugin = text(span, 'modelhub.tool.owner');
  if (plugin !== undefined) row.plugin = plugin;
  row.tool = oneLine(text(span, 'gen_ai.tool.name') ?? '');
  row.effect = 'write';
  row.of = text(span, 'modelhub.undo.call_id') ?? '';
  row.trigger = (text(span, 'modelhub.undo.trigger') as UndoRow['trigger'] | undefined) ?? 'code';
  row.outcome = (text(span, 'modelhub.undo.outcome') as UndoOutcome | undefined) ?? 'interrupted';
  noteFault(row, span);
  row.ms = end / 1000;
  row.spans = { run: span.parentSpanContext?.spanId ?? '' };
  row.us = { end };
  return row;
}

function runRow(span: ReadableSpan): RunRow {
  const context = span.spanContext();
  const start = micros(span.startTime);
  const row = {
    v: 1,
    kind: 'run',
    id: context.spanId,
    trace: context.traceId,
    time: isoMicros(start),
    run: text(span, 'gen_ai.conversation.id') ?? '',
    client: clientOf(span),
    reason: text(span, 'modelhub.run.end_reason') ?? 'interrupted',
    calls: count(span, 'modelhub.run.calls') ?? 0,
    refusals: count(span, 'modelhub.run.refusals') ?? 0,
    failures: count(span, 'modelhub.run.failures') ?? 0,
    undos: count(span, 'modelhub.run.undos') ?? 0,
  } as Mutable<RunRow>;

  const cost = count(span, 'modelhub.run.cost_usd_micros');
  if (cost !== undefined) row.costUsdMicros = cost;
  const budget = count(span, 'modelhub.run.budget_usd_micros');
  if (budget !== undefined) row.budgetUsdMicros = budget;
  const tools = count(span, 'modelhub.run.tools_allowed');
  if (tools !== undefined) row.tools = tools;
  const parent = text(span, 'modelhub.run.parent_id');
  if (parent !== undefined) row.parent = parent;
  const session = text(span, 'mcp.session.id');
  if (session !== undefined) row.session = oneLine(session);
  const protocol = text(span, 'mcp.protocol.version');
  if (protocol !== undefined) row.protocol = oneLine(protocol);
  const head = text(span, 'modelhub.log.head');
  if (head !== undefined) row.head = head;
  row.us = { end: micros(span.endTime) - start };
  return row;
}

/** Code, reason and message, where the span has them. */
function noteFault(row: { code?: string; reason?: string; message?: string }, span: ReadableSpan): void {
  const code = text(span, 'modelhub.call.code');
  if (code !== undefined) row.code = code;
  const reason = text(span, 'modelhub.refusal.reason');
  if (reason !== undefined) row.reason = reason;
  const message = text(span, 'modelhub.local.message');
  if (message !== undefined) row.message = oneLine(message);
}

function approvalOf(wait: ReadableSpan): NonNullable<CallRow['approval']> {
  const approval: Mutable<NonNullable<CallRow['approval']>> = {
    id: text(wait, 'modelhub.approval.request_id') ?? '',
    decision: text(wait, 'modelhub.approval.decision') ?? 'none',
    by: text(wait, 'modelhub.approval.source') ?? 'caller_gone',
  };
  const granularity = text(wait, 'modelhub.approval.granularity');
  if (granularity !== undefined) approval.granularity = granularity;
  const limit = count(wait, 'modelhub.approval.timeout_s');
  if (limit !== undefined) approval.limitS = limit;
  const position = count(wait, 'modelhub.approval.queue_position');
  if (position !== undefined) approval.position = position;
  const preview = text(wait, 'modelhub.approval.preview');
  if (preview !== undefined) approval.preview = preview;
  return approval;
}

function noteLinks(row: Mutable<CallRow>, span: ReadableSpan): void {
  for (const { context, attributes } of span.links) {
    const link = { trace: context.traceId, span: context.spanId };
    const kind = attributes?.['modelhub.link.kind'];
    if (kind === 'mcp_caller') row.caller = link;
    if (kind !== 'granted_by') continue;
    const id = attributes?.['modelhub.approval.request_id'];
    if (typeof id === 'string') row.grant = id;
    row.granted = link;
  }
}

function clientOf(span: ReadableSpan): RowClient {
  return {
    kind: (text(span, 'modelhub.client.kind') as RowClient['kind'] | undefined) ?? 'plugin',
    name: oneLine(text(span, 'gen_ai.agent.name') ?? ''),
  };
}

function text(span: ReadableSpan, key: AttributeKey): string | undefined {
  const value = span.attributes[key];
  return typeof value === 'string' ? value : undefined;
}

function count(span: ReadableSpan, key: AttributeKey): number | undefined {
  const value = span.attributes[key];
  return typeof value === 'number' ? value : undefined;
}

/** Exact: a span's times were set from whole microseconds. */
function micros([seconds, nanos]: HrTime): number {
  return seconds * 1e6 + Math.round(nanos / 1000);
}
