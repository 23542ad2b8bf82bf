/** The monitor: each rule broken once, and lives of calls that break none. */
import { describe, expect, it } from 'vitest';
import { Monitor, type Violation } from '../../otel/monitor.ts';
import { createTracing, type HubSpan, type HubSpans } from '../../otel/tracing.ts';
import { HASH, startCall } from '../fakes/call-spans.ts';

const AT = 1_796_000_000_000_000;

function watched(strict = false): { readonly spans: HubSpans; readonly broken: () => string[] } {
  const violations: Violation[] = [];
  const monitor = new Monitor({ onViolation: (violation) => violations.push(violation), strict });
  const { spans } = createTracing({ processors: [monitor], serviceVersion: '0.9.0', instanceId: 'i', vaultId: 'v' });
  return { spans, broken: () => violations.map(({ rule, span, attribute }) => [rule, span, ...(attribute ? [attribute] : [])].join(' ')) };
}

/** A call that asks, up to its question. */
function asking(spans: HubSpans): { readonly call: HubSpan; readonly wait: HubSpan } {
  const call = spans.start('tool_call', 'books.add', AT);
  call.set('modelhub.policy.effective', 'ask');
  call.set('modelhub.policy.source', 'builtin');
  call.set('modelhub.arguments.hash', HASH);
  const wait = spans.start('await_approval', 'books.add', AT, call);
  wait.set('gen_ai.tool.name', 'books.add');
  wait.set('modelhub.approval.request_id', 'q');
  wait.set('modelhub.approval.timeout_s', 120);
  wait.set('modelhub.approval.shown_hash', HASH);
  return { call, wait };
}

function settle(wait: HubSpan, decision: 'deny' | 'allow_once' | 'allow_run' | 'none'): void {
  wait.set('modelhub.approval.decision', decision);
  wait.set('modelhub.approval.source', 'dialog');
  wait.end(AT + 1);
}

function execute(spans: HubSpans, call: HubSpan): HubSpan {
  const exec = spans.start('execute_tool', 'books.add', AT, call);
  exec.set('gen_ai.operation.name', 'execute_tool');
  exec.set('gen_ai.tool.name', 'books.add');
  exec.set('gen_ai.tool.type', 'function');
  exec.set('gen_ai.tool.call.id', 'c');
  return exec;
}

describe('what runs', () => {
  it.each(['allow_once', 'allow_run'] as const)('E05 after the answer %s may run', (decision) => {
    const { spans, broken } = watched();
    const { call, wait } = asking(spans);
    settle(wait, decision);
    execute(spans, call).end(AT + 2);
    expect(broken()).toEqual([]);
  });

  it.each(['deny', 'none'] as const)('E05 after the answer %s may not run', (decision) => {
    const { spans, broken } = watched();
    const { call, wait } = asking(spans);
    settle(wait, decision);
    execute(spans, call).end(AT + 2);
    expect(broken()).toEqual(['executed-without-allow execute_tool']);
  });

  it('E05 may not run while the question is open', () => {
    const { spans, broken } = watched();
    const { call, wait } = asking(spans);
    execute(spans, call).end(AT + 2);
    settle(wait, 'allow_once');
    expect(broken()).toEqual(['executed-without-allow execute_tool']);
  });

  it('E05 may not run with other arguments than were shown', () => {
    const { spans, broken } = watched();
    const { call, wait } = asking(spans);
    settle(wait, 'allow_once');
    call.set('modelhub.arguments.hash', `hmac-sha256:${'6'.repeat(64)}`);
    execute(spans, call).end(AT + 2);
    expect(broken()).toEqual(['executed-without-allow execute_tool']);
  });

  it('E05 may run without a question where the policy in force is to allow', () => {
    const { spans, broken } = watched();
    const call = spans.start('tool_call', 'books.list', AT);
    call.set('modelhub.policy.effective', 'allow');
    execute(spans, call).end(AT + 2);
    expect(broken()).toEqual([]);
  });
});

describe('the order of things', () => {
  it('E05 nothing of a call begins or ends after it', () => {
    const { spans, broken } = watched(false);
    const call = startCall(spans, { at: AT });
    const late = execute(spans, call);
    call.end(AT + 300);
    late.end(AT + 400);
    execute(spans, call).end(AT + 500);
    expect(broken()).toEqual(['outside-its-call execute_tool', 'outside-its-call execute_tool', 'outside-its-call execute_tool']);
  });

  it('E05 no call begins after the end of its run, and an undo may', () => {
    const { spans, broken } = watched();
    const run = spans.start('invoke_agent', 'books', AT);
    run.end(AT + 1);
    spans.start('tool_call', 'books.list', AT + 2, run);
    spans.start('undo', 'books.add', AT + 2, run);
    expect(broken().filter((each) => !each.startsWith('attribute'))).toEqual(['call-after-run-end tool_call']);
  });

  it('E05 a write is taken back once, however often it is tried', () => {
    const { spans, broken } = watched();
    for (const outcome of ['conflict', 'done', 'already_done', 'done'] as const) {
      const undo = spans.start('undo', 'books.add', AT);
      undo.set('gen_ai.tool.name', 'books.add');
      undo.set('gen_ai.conversation.id', 'run-1');
      undo.set('modelhub.undo.call_id', 'a'.repeat(16));
      undo.set('modelhub.undo.trigger', 'view');
      undo.set('modelhub.undo.outcome', outcome);
      undo.end(AT + 1);
    }
    expect(broken()).toEqual(['undone-twice undo']);
  });
});

describe('what a span must say', () => {
  it('E05 a call says how it ended', () => {
    const { spans, broken } = watched();
    const call = spans.start('tool_call', 'books.list', AT);
    for (const key of ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'gen_ai.conversation.id', 'modelhub.tool.owner', 'modelhub.arguments.hash'] as const) call.set(key, 'x');
    call.set('modelhub.tool.effect', 'read');
    call.set('modelhub.arguments.size', 2);
    call.set('modelhub.policy.effective', 'allow');
    call.set('modelhub.policy.source', 'builtin');
    call.end(AT + 1);
    expect(broken()).toEqual(['call-without-outcome tool_call']);
  });

  it.each(['tool-unknown', 'tool-invalid-input', 'invalid-request', 'aborted', 'hub-gone', 'interrupted'] as const)('E05 a call that ended early with %s need not say what was not known', (code) => {
    const { spans, broken } = watched();
    const call = spans.start('tool_call', 'books.list', AT);
    for (const key of ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'gen_ai.conversation.id'] as const) call.set(key, 'x');
    call.set('modelhub.call.code', code);
    call.set('modelhub.call.outcome', 'invalid');
    call.end(AT + 1);
    expect(broken()).toEqual([]);
  });

  it('E05 a call that was denied must say by what', () => {
    const { spans, broken } = watched(true);
    const call = spans.start('tool_call', 'books.list', AT);
    for (const key of ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'gen_ai.conversation.id', 'modelhub.tool.owner', 'modelhub.arguments.hash'] as const) call.set(key, 'x');
    call.set('modelhub.tool.effect', 'read');
    call.set('modelhub.arguments.size', 2);
    call.set('modelhub.call.code', 'tool-denied');
    call.set('modelhub.call.outcome', 'refused');
    call.end(AT + 1);
    expect(broken()).toEqual(['attribute-missing tool_call modelhub.policy.effective', 'attribute-missing tool_call modelhub.policy.source']);
  });

  it('telemetry 44 nothing is set that is not listed for its span, of its type, with its values', () => {
    const { spans, broken } = watched(true);
    const exec = spans.start('execute_tool', 'books.list', AT, startCall(spans, { at: AT }));
    const set = exec.set.bind(exec) as (key: string, value: unknown) => void;
    set('gen_ai.operation.name', 'execute_tool');
    set('gen_ai.tool.name', 'books.list');
    set('gen_ai.tool.type', 'procedure');
    set('gen_ai.tool.call.id', 7);
    set('note', 'text');
    set('modelhub.approval.decision', 'deny');
    exec.end(AT + 1);
    expect(broken()).toEqual([
      'attribute-not-listed execute_tool gen_ai.tool.type',
      'attribute-not-listed execute_tool gen_ai.tool.call.id',
      'attribute-not-listed execute_tool note',
      'attribute-not-listed execute_tool modelhub.approval.decision',
    ]);
  });

  it('B40 a violation holds ids and names, and no values', () => {
    const violations: Violation[] = [];
    const { spans } = createTracing({ processors: [new Monitor({ onViolation: (each) => violations.push(each), strict: true })], serviceVersion: '0', instanceId: 'i', vaultId: 'v' });
    const span = spans.start('undo', 'CANARY-7f3a', AT);
    span.set('modelhub.local.message', 'CANARY-7f3a');
    span.end(AT + 1);
    expect(violations.length).toBeGreaterThan(0);
    expect(JSON.stringify(violations)).not.toContain('CANARY-7f3a');
  });
});
