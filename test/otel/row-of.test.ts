/** From a span to its row, key by key. */
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowOf } from '../../otel/row-of.ts';
import { createTracing, type HubSpan, type HubSpans } from '../../otel/tracing.ts';

const AT = Date.UTC(2026, 10, 30, 12, 0, 0, 7) * 1000 + 42;

/** Keeps ended spans, by the first word of their name. */
class Ended {
  readonly #spans = new Map<string, ReadableSpan>();
  readonly hub: HubSpans;

  constructor() {
    const done = (): Promise<void> => Promise.resolve();
    this.hub = createTracing({
      processors: [{ onStart: () => undefined, onEnd: (span) => void this.#spans.set(span.name.split(' ')[0]!, span), forceFlush: done, shutdown: done }],
      serviceVersion: '0.9.0', instanceId: 'i', vaultId: 'v',
    }).spans;
  }

  get(kind: string): ReadableSpan {
    const span = this.#spans.get(kind);
    if (!span) throw new Error(`no ${kind} ended`);
    return span;
  }
}

function startCall(hub: HubSpans): { readonly run: HubSpan; readonly call: HubSpan } {
  const run = hub.start('invoke_agent', 'Claude Code', AT - 10);
  const call = hub.start('tool_call', 'books.add_to_shelf', AT, run);
  call.set('gen_ai.tool.name', 'books.add_to_shelf');
  call.set('gen_ai.conversation.id', 'run-1');
  call.set('gen_ai.agent.name', 'Claude Code');
  call.set('modelhub.client.kind', 'mcp');
  return { run, call };
}

describe('the row of a call', () => {
  it('F116 says when, in which run, who asked, what, how it ended and how long it took, in the order of the format', () => {
    const ended = new Ended();
    const { run, call } = startCall(ended.hub);
    call.set('modelhub.local.undo_handle', 'shelf:7');
    call.set('modelhub.result.truncated', true);
    call.set('modelhub.result.size', 120_000);
    call.set('modelhub.call.outcome', 'ok');
    call.set('modelhub.policy.source', 'builtin');
    call.set('modelhub.policy.effective', 'ask');
    call.set('modelhub.arguments.hash', 'hmac-sha256:00ff');
    call.set('modelhub.tool.effect', 'write');
    call.set('modelhub.tool.owner', 'books');
    const granted = ended.hub.start('await_approval', 'other', AT);
    call.link(granted, 'granted_by', 'question-0');
    const wait = ended.hub.start('await_approval', 'books.add_to_shelf', AT + 100, call);
    wait.set('modelhub.approval.request_id', 'question-1');
    wait.set('modelhub.approval.decision', 'allow_once');
    wait.set('modelhub.approval.source', 'dialog');
    wait.set('modelhub.approval.granularity', 'once');
    wait.event('presented', AT + 350);
    wait.end(AT + 2_001_500);
    const exec = ended.hub.start('execute_tool', 'books.add_to_shelf', AT + 2_001_600, call);
    exec.end(AT + 2_013_945);
    call.end(AT + 2_014_000);

    expect(JSON.stringify(rowOf(ended.get('tool_call'), { wait: ended.get('await_approval'), exec: ended.get('execute_tool') }))).toBe(
      `{"v":1,"kind":"call","id":"${call.spanId}","trace":"${call.traceId}","time":"2026-11-30T12:00:00.007042Z","run":"run-1",`
      + '"client":{"kind":"mcp","name":"Claude Code"},"plugin":"books","tool":"books.add_to_shelf","effect":"write","args":"hmac-sha256:00ff",'
      + '"policy":{"effective":"ask","source":"builtin"},"outcome":"ok","waitMs":2001.4,"ms":12.345,'
      + '"approval":{"id":"question-1","decision":"allow_once","by":"dialog","granularity":"once"},"grant":"question-0",'
      + `"granted":{"trace":"${granted.traceId}","span":"${granted.spanId}"},`
      + '"chars":120000,"cut":true,"undo":"shelf:7",'
      + `"spans":{"run":"${run.spanId}","wait":"${wait.spanId}","exec":"${exec.spanId}"},"us":{"wait":[100,350,2001500],"exec":[2001600,2013945],"end":2014000}}`,
    );
  });

  it('F112 F114 a call that was refused early has code and message, and nothing that was never known', () => {
    const ended = new Ended();
    const { run, call } = startCall(ended.hub);
    call.set('modelhub.call.outcome', 'refused');
    call.set('modelhub.call.code', 'tool-unknown');
    call.set('modelhub.local.message', 'Nobody registered a tool of this name.');
    call.end(AT + 30);
    expect(rowOf(ended.get('tool_call'))).toStrictEqual({
      v: 1, kind: 'call', id: call.spanId, trace: call.traceId, time: '2026-11-30T12:00:00.007042Z', run: 'run-1', client: { kind: 'mcp', name: 'Claude Code' },
      tool: 'books.add_to_shelf', outcome: 'refused', code: 'tool-unknown', message: 'Nobody registered a tool of this name.', spans: { run: run.spanId }, us: { end: 30 },
    });
  });

  it('D10 a question that nobody was ever shown has two times, asked and settled', () => {
    const ended = new Ended();
    const { call } = startCall(ended.hub);
    const wait = ended.hub.start('await_approval', 'books.add_to_shelf', AT + 5, call);
    wait.set('modelhub.approval.request_id', 'q');
    wait.set('modelhub.approval.decision', 'none');
    wait.set('modelhub.approval.source', 'caller_gone');
    wait.end(AT + 1005);
    call.set('modelhub.call.outcome', 'aborted');
    call.end(AT + 1010);
    expect(rowOf(ended.get('tool_call'), { wait: ended.get('await_approval') })).toMatchObject({
      waitMs: 1, approval: { id: 'q', decision: 'none', by: 'caller_gone' }, us: { wait: [5, 1005], end: 1010 },
    });
  });

  it.each([
    ['line ends', 'a\r\nb\u2028c\u0085d', 'a b c d'],
    ['controls and marks that turn the reading direction', 'a\u0000\u001b[31mb\u202ec', 'a [31mb c'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['501 characters', 'x'.repeat(501), `${'x'.repeat(499)}…`],
    ['a pair at the limit', `${'x'.repeat(498)}📚📚`, `${'x'.repeat(498)}…`],
    ['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
  ])('D31 a message with %s is one line that fits', (_, message, expected) => {
    const ended = new Ended();
    const { call } = startCall(ended.hub);
    call.set('modelhub.local.message', message);
    call.end(AT + 1);
    expect(rowOf(ended.get('tool_call'))).toMatchObject({ message: expected });
  });

  it('D30 a call that ended without saying how is no success', () => {
    const ended = new Ended();
    startCall(ended.hub).call.end(AT + 1);
    expect(rowOf(ended.get('tool_call'))).toMatchObject({ outcome: 'interrupted' });
  });
});

describe('the other rows', () => {
  it('F075 F115 an undo names the call that it takes back', () => {
    const ended = new Ended();
    const { run, call } = startCall(ended.hub);
    const undo = ended.hub.start('undo', 'books.add_to_shelf', AT, run);
    undo.link(call, 'undoes');
    undo.set('gen_ai.tool.name', 'books.add_to_shelf');
    undo.set('gen_ai.conversation.id', 'run-1');
    undo.set('gen_ai.agent.name', 'Claude Code');
    undo.set('modelhub.client.kind', 'mcp');
    undo.set('modelhub.tool.owner', 'books');
    undo.set('modelhub.undo.call_id', call.spanId);
    undo.set('modelhub.undo.trigger', 'notice');
    undo.set('modelhub.undo.outcome', 'conflict');
    undo.set('modelhub.call.code', 'tool-failed');
    undo.set('modelhub.local.message', 'The note has changed since.');
    undo.end(AT + 1500);
    expect(JSON.stringify(rowOf(ended.get('undo')))).toBe(
      `{"v":1,"kind":"undo","id":"${undo.spanId}","trace":"${undo.traceId}","time":"2026-11-30T12:00:00.007042Z","run":"run-1","client":{"kind":"mcp","name":"Claude Code"},`
      + `"plugin":"books","tool":"books.add_to_shelf","effect":"write","of":"${call.spanId}","trigger":"notice","outcome":"conflict","code":"tool-failed",`
      + `"message":"The note has changed since.","ms":1.5,"spans":{"run":"${run.spanId}"},"us":{"end":1500}}`,
    );
  });

  it.each([['explicit', true], ['single_call', false]] as const)('formats the end of a run of kind %s has a row: %s', (kind, has) => {
    const ended = new Ended();
    const run = ended.hub.start('invoke_agent', 'books', AT);
    run.set('gen_ai.agent.name', 'books');
    run.set('gen_ai.conversation.id', 'run-1');
    run.set('modelhub.client.kind', 'plugin');
    run.set('modelhub.run.kind', kind);
    run.set('modelhub.run.end_reason', 'ended');
    run.set('modelhub.run.calls', 3);
    run.set('modelhub.run.refusals', 1);
    run.set('modelhub.run.failures', 0);
    run.set('modelhub.run.undos', 1);
    run.set('modelhub.run.budget_usd_micros', 500_000);
    run.end(AT + 9);
    const expected = `{"v":1,"kind":"run","id":"${run.spanId}","trace":"${run.traceId}","time":"2026-11-30T12:00:00.007042Z","run":"run-1","client":{"kind":"plugin","name":"books"},`
      + '"reason":"ended","calls":3,"refusals":1,"failures":0,"undos":1,"budgetUsdMicros":500000,"us":{"end":9}}';
    expect(JSON.stringify(rowOf(ended.get('invoke_agent')))).toBe(has ? expected : undefined);
  });

  it('formats waits and executions have no row of their own', () => {
    const ended = new Ended();
    ended.hub.start('execute_tool', 'x', AT).end(AT + 1);
    expect(rowOf(ended.get('execute_tool'))).toBeUndefined();
  });
});

it('E02 a row read back from its line is the same row, and stringifies to the same text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 700 });
  fc.assert(fc.property(text, text, text, fc.nat(5_000_000), fc.nat(5_000_000), (message, agent, handle, wait, exec) => {
    const ended = new Ended();
    const run = ended.hub.start('invoke_agent', agent, AT);
    const call = ended.hub.start('tool_call', 'books.list', AT, run);
    call.set('gen_ai.agent.name', agent);
    call.set('modelhub.local.message', message);
    call.set('modelhub.local.undo_handle', handle);
    const asked = ended.hub.start('await_approval', 'books.list', AT, call);
    asked.end(AT + wait);
    const ran = ended.hub.start('execute_tool', 'books.list', AT + wait, call);
    ran.end(AT + wait + exec);
    call.end(AT + wait + exec);
    const row = rowOf(ended.get('tool_call'), { wait: ended.get('await_approval'), exec: ended.get('execute_tool') });
    const line = JSON.stringify(row);
    expect(line).not.toMatch(/[\n\r]/);
    expect(JSON.parse(line)).toStrictEqual(row);
    expect(JSON.stringify(JSON.parse(line))).toBe(line);
  }), { numRuns: 200 });
});
