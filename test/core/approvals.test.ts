/** The questions: what is asked, who may answer what, how each way of ending one comes out. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { LONG_ARGUMENTS } from '../../src/core/questions.ts';
import { startRig, type Rig } from '../fakes/rig.ts';

const AGENT = { kind: 'mcp', name: 'Claude Code' } as const;

/** A rig with a write that counts how often it ran, in the order of its `n`. */
function withWrite(): { rig: Rig; ran: number[]; run: string; add: (n: number, run?: string, signal?: AbortSignal) => Promise<unknown> } {
  const rig = startRig();
  const ran: number[] = [];
  rig.tool('books.add', { effect: 'write', input: { type: 'object', properties: { n: { type: 'integer' } } }, handler: ({ n }: { n: number }) => { ran.push(n); return Promise.resolve(n); } });
  const { id: run } = rig.hub.openRun('books', { kind: 'plugin', name: 'books' });
  const add = (n: number, inRun = run, signal?: AbortSignal): Promise<unknown> => rig.call('books.add', { n }, { run: inRun, ...(signal ? { signal } : {}) }).catch((error: unknown) => error);
  return { rig, ran, run, add };
}

/** A getter that answers one thing first and another one after. */
function twice(first: unknown, then: unknown): () => unknown {
  let read = 0;
  return () => (read++ === 0 ? first : then);
}

describe('asking', () => {
  it('F040 F041 F042 F043 F044 F045 a write asks: who, which tool, read or write, the exact arguments, the spend', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', description: 'Adds a book.', input: { type: 'object', properties: { book: { type: 'string' } } }, undo: { kind: 'none', reason: 'A sent letter stays sent.' }, handler: () => Promise.resolve(1) });
    const device = rig.device();
    const calling = rig.call('books.add', { book: 'Emma' }, { client: AGENT, owner: 'mcp:1', run: rig.hub.openRun('mcp:1', AGENT).id });
    await rig.settle();
    expect(device.current).toMatchObject({
      client: AGENT, plugin: 'Books', tool: 'books.add', description: 'Adds a book.', effect: 'write', arguments: '{"book":"Emma"}', spentUsdMicros: 0, timeoutSeconds: 120,
      remainingMs: 120_000, waiting: 0, why: 'Writes ask unless you set otherwise.', undo: { possible: false, reason: 'A sent letter stays sent.' },
    });
    expect(device.current!.id.length).toBeGreaterThanOrEqual(8);
    device.answer('deny');
    await calling.catch(() => undefined);
  });

  it('F046 F047 nothing runs before an answer, and Deny refuses', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calling = add(1);
    await rig.clock.advance(60_000);
    expect(ran).toEqual([]);
    device.answer('deny');
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'user' } });
    expect([ran, rig.lastCall().outcome, rig.lastCall().reason]).toEqual([[], 'refused', 'user']);
    expect(rig.spans('execute_tool')).toEqual([]);
  });

  it('F048 Allow once runs this call, and the next one asks', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device({ auto: 'allow_once' });
    await add(1);
    await add(2);
    expect([ran, device.shown.length]).toEqual([[1, 2], 2]);
    expect(rig.lastCall().approval).toMatchObject({ decision: 'allow_once', by: 'dialog', granularity: 'once' });
  });

  it('F049 F050 Allow for this run covers later calls of the same tool in the same run, and no other tool', async () => {
    const { rig, ran, add, run } = withWrite();
    const device = rig.device({ auto: 'allow_run' });
    await add(1);
    await add(2);
    expect([ran, device.shown.length]).toEqual([[1, 2], 1]);
    expect(rig.lastCall()).toMatchObject({ policy: { effective: 'allow', source: 'grant' }, grant: device.shown[0]!.id });
    rig.tool('books.remove', { effect: 'write', handler: () => Promise.resolve(1) });
    device.auto = undefined;
    void rig.call('books.remove', {}, { run }).catch(() => undefined);
    await rig.settle();
    expect(device.current?.tool).toBe('books.remove');
  });

  it('F051 the grant ends with the run', async () => {
    const { rig, run, add } = withWrite();
    const device = rig.device({ auto: 'allow_run' });
    await add(1);
    rig.hub.closeRun('books', run, 'ended');
    await add(2, rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id);
    expect(device.shown).toHaveLength(2);
  });

  it('F052 B04 questions are shown one after another, and an answer settles exactly one', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calls = [add(1), add(2), add(3)];
    await rig.settle();
    expect([device.shown.length, device.current?.waiting]).toEqual([1, 2]);
    device.answer('allow_once');
    await rig.settle();
    device.answer('deny');
    expect(await calls[1]).toMatchObject({ code: 'tool-denied' });
    expect(device.current?.arguments).toBe('{"n":3}');
    device.answer('allow_once');
    await Promise.all(calls);
    expect(ran).toEqual([1, 3]);
  });

  it('B03 D15 five at once, the first answered for the run: one question, five runs, in the order of arrival', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calls = [1, 2, 3, 4, 5].map((n) => add(n));
    await rig.settle();
    device.answer('allow_run');
    await Promise.all(calls);
    expect([device.shown.length, ran]).toEqual([1, [1, 2, 3, 4, 5]]);
  });

  it('B03 D15 five at once, each answered once: five questions', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device({ auto: 'allow_once' });
    await Promise.all([1, 2, 3, 4, 5].map((n) => add(n)));
    expect([device.shown.length, ran]).toEqual([5, [1, 2, 3, 4, 5]]);
  });

  it('B03 a grant for one run leaves the questions of other runs where they are', async () => {
    const { rig, add } = withWrite();
    const others = [1, 2, 3, 4].map(() => rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id);
    const device = rig.device({ auto: 'allow_run' });
    await Promise.all([add(1), ...others.map((run, n) => add(n + 2, run))]);
    expect(device.shown).toHaveLength(5);
  });

  it('F053 F054 D10 two minutes without an answer refuse, counted from when the question was shown', async () => {
    const { rig, ran, add } = withWrite();
    rig.device();
    const calling = add(1);
    await rig.clock.advance(119_999);
    expect(rig.calls()).toEqual([]);
    await rig.clock.advance(1);
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'no-answer' } });
    expect([ran, rig.lastCall().approval]).toEqual([[], expect.objectContaining({ decision: 'none', by: 'timeout' })]);
  });

  it('B19 the queue does not eat the clock: each question has its own two minutes', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calls = [add(1), add(2), add(3)];
    await rig.clock.advance(119_000);
    device.answer('allow_once');
    await rig.clock.advance(118_000);
    device.answer('allow_once');
    await rig.clock.advance(119_999);
    expect(ran).toEqual([1, 2]);
    await rig.clock.advance(1);
    expect(await calls[2]).toMatchObject({ details: { reason: 'no-answer' } });
    expect(rig.lastCall().us.wait).toEqual([0, 237_000_000, 357_000_000]);
  });

  it('B19 a timer that is late changes nothing: an answer past the deadline is no answer', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calling = add(1);
    await rig.settle();
    rig.clock.stall(121_000);
    expect(device.answer('allow_once')).toMatchObject({ accepted: false, why: 'already_answered', settlement: { by: 'timeout' } });
    expect(await calling).toMatchObject({ details: { reason: 'no-answer' } });
    expect(ran).toEqual([]);
  });

  it('F056 F058 D08 a write of an MCP client is not offered the whole run, says why, and such an answer leaves it open', async () => {
    const { rig, ran } = withWrite();
    const device = rig.device();
    const run = rig.hub.openRun('mcp:1', AGENT).id;
    const calling = rig.call('books.add', { n: 1 }, { owner: 'mcp:1', client: AGENT, run });
    await rig.settle();
    expect(device.current).toMatchObject({ choices: ['deny', 'allow_once'], withheld: expect.stringContaining('MCP') as string });
    expect(device.answer('allow_run')).toMatchObject({ accepted: false, why: 'not_offered' });
    expect(device.current).toBeDefined();
    device.answer('allow_once');
    await calling;
    expect(ran).toEqual([1]);
  });

  it('F036 F057 the switch on the Tools page lifts that', async () => {
    const { rig } = withWrite();
    rig.hub.settings.setMcpRunGrants(true);
    const device = rig.device({ auto: 'allow_run' });
    const run = rig.hub.openRun('mcp:1', AGENT).id;
    await rig.call('books.add', { n: 1 }, { owner: 'mcp:1', client: AGENT, run });
    await rig.call('books.add', { n: 2 }, { owner: 'mcp:1', client: AGENT, run });
    expect(device.shown).toHaveLength(1);
  });

  it('F058 a read of an MCP client that asks may be allowed for the run', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    rig.hub.settings.setTool('books', 'books.list', 'ask');
    const device = rig.device({ auto: 'allow_run' });
    const run = rig.hub.openRun('mcp:1', AGENT).id;
    await rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT, run });
    await rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT, run });
    expect(device.shown).toHaveLength(1);
  });

  it('F059 a setting that is turned to Deny while the question is open beats a later yes', async () => {
    const { rig, ran, add } = withWrite();
    rig.hub.settings.setTool('books', 'books.add', 'ask');
    const device = rig.device();
    const calling = add(1);
    await rig.settle();
    // Written by another window: the hub has not been told, and finds it when it reads again after the answer.
    rig.settings.saved = { ...rig.settings.saved, plugins: new Map([['books', { setting: 'default', tools: new Map([['books.add', 'deny']]) }]]) };
    device.answer('allow_run');
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    expect([ran, rig.lastCall().policy]).toEqual([[], { effective: 'deny', source: 'tool' }]);
  });

  it('F059 B10 a setting that becomes Deny closes the open question at once; one that becomes Allow lets the call through', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const denied = add(1);
    await rig.settle();
    rig.hub.settings.setPlugin('books', 'deny');
    expect(await denied).toMatchObject({ details: { reason: 'policy' } });
    rig.hub.settings.setPlugin('books', 'ask');
    const allowed = add(2);
    await rig.settle();
    rig.hub.settings.setPlugin('books', 'allow');
    expect(await allowed).toMatchObject({ result: 2 });
    expect([ran, device.closed.map(({ by }) => by), device.current]).toEqual([[2], ['policy_change', 'policy_change'], undefined]);
  });

  it('F262 F263 F264 D12 two devices: both show it, the first answer wins, the other closes, and a later one is told who answered', async () => {
    const { rig, ran, add } = withWrite();
    const page = rig.device({ name: 'the page' });
    const phone = rig.device({ name: 'the phone', kind: 'remote' });
    const calling = add(1);
    await rig.settle();
    const { id } = page.current!;
    expect(phone.current?.id).toBe(id);
    expect(phone.answer('deny')).toMatchObject({ accepted: true });
    expect(page.closed).toEqual([{ id, decision: 'deny', by: 'remote', device: 'the phone' }]);
    expect(page.answer('allow_once', id)).toEqual({ accepted: false, why: 'already_answered', settlement: { id, decision: 'deny', by: 'remote', device: 'the phone' } });
    expect(await calling).toMatchObject({ details: { reason: 'user' } });
    expect([ran, phone.closed.length, rig.lastCall().approval?.by]).toEqual([[], 1, 'remote']);
  });

  it('B16 an answer to a question that never was, is queued, or named like a part of Object.prototype is unknown', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    void add(1);
    void add(2);
    await rig.settle();
    for (const id of ['none', '', '__proto__', 'constructor', 'toString']) expect(device.answer('allow_once', id)).toEqual({ accepted: false, why: 'unknown' });
    expect(ran).toEqual([]);
  });

  it('D06 B23 nobody can be asked: refused at once, with no question left behind', async () => {
    const { rig, add } = withWrite();
    expect(await add(1)).toMatchObject({ code: 'tool-denied', details: { reason: 'no-surface' } });
    expect([rig.hub.approvals.length, rig.clock.waiting, rig.spans('await_approval').length]).toEqual([0, 0, 0]);
  });

  it('B23 a device that takes a question and goes silent: the first call waits for the deadline, the next of the run does not', async () => {
    const { rig, add } = withWrite();
    rig.device({ silent: true });
    const first = add(1);
    await rig.clock.advance(120_000);
    expect(await first).toMatchObject({ details: { reason: 'no-answer' } });
    expect(await add(2)).toMatchObject({ details: { reason: 'no-surface' } });
    const other = add(3, rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id);
    await rig.clock.advance(120_000);
    expect(await other).toMatchObject({ details: { reason: 'no-answer' } });
  });

  it('B23 a person who does not answer in time is asked again all the same', async () => {
    const { rig, add } = withWrite();
    const device = rig.device();
    const first = add(1);
    await rig.clock.advance(120_000);
    await first;
    device.auto = 'allow_once';
    expect(await add(2)).toMatchObject({ result: 2 });
  });

  it('B23 a device that comes while the question is open gets it, with the time that is left', async () => {
    const { rig, add } = withWrite();
    rig.device({ silent: true });
    const calling = add(1);
    await rig.clock.advance(60_000);
    const late = rig.device({ name: 'the phone' });
    expect(late.current?.remainingMs).toBe(60_000);
    late.answer('allow_once');
    expect(await calling).toMatchObject({ result: 1 });
  });

  it.each([
    ['the caller leaves', 'aborted', 'caller_gone'], ['its run ends', 'aborted', 'run_end'], ['its plugin unloads', 'tool-failed', 'policy_change'],
    ['nobody answers', 'tool-denied', 'timeout'], ['another device answers', 'tool-denied', 'remote'],
  ] as const)('B20 %s: the question closes on every device once, the caller is told once, a later yes runs nothing', async (ending, code, by) => {
    const { rig, ran, add, run } = withWrite();
    const page = rig.device();
    const phone = rig.device({ name: 'the phone', kind: 'remote' });
    const caller = new AbortController();
    const calling = rig.call('books.add', { n: 1 }, { owner: 'books', run, signal: caller.signal }).catch((error: unknown) => error);
    await rig.settle();
    const { id } = page.current!;
    if (ending === 'the caller leaves') caller.abort();
    if (ending === 'its run ends') rig.hub.closeRun('books', run, 'ended');
    if (ending === 'its plugin unloads') rig.hub.pluginUnloaded('books');
    if (ending === 'nobody answers') await rig.clock.advance(120_000);
    if (ending === 'another device answers') phone.answer('deny');
    expect(await calling).toMatchObject({ code });
    expect([page.closed.length, phone.closed.length, page.current]).toEqual([1, 1, undefined]);
    expect(page.closed[0]?.by).toBe(by);
    expect(page.answer('allow_once', id)).toMatchObject({ accepted: false, why: 'already_answered' });
    expect([ran, rig.clock.waiting]).toEqual([[], 0]);
    void add;
  });

  it('D10 B20 a queued call whose caller leaves is aborted and never shown', async () => {
    const { rig, add } = withWrite();
    const device = rig.device();
    const caller = new AbortController();
    void add(1);
    const queued = add(2, undefined, caller.signal);
    await rig.settle();
    caller.abort();
    expect(await queued).toMatchObject({ code: 'aborted' });
    expect([device.shown.length, device.current?.waiting]).toEqual([1, 0]);
  });

  it('B20 X11 after a thousand asks nothing is left behind: no timer, no listener, no question', async () => {
    const { rig, add } = withWrite();
    const device = rig.device({ auto: 'deny' });
    const caller = new AbortController();
    for (let n = 0; n < 1_000; n++) await add(n, undefined, caller.signal);
    device.detach();
    expect([rig.clock.waiting, rig.hub.approvals.length, getEventListeners(caller.signal, 'abort')]).toEqual([0, 0, []]);
  });

  it('F060 F061 a tool may say what it would do, in words or in edits', async () => {
    const rig = startRig();
    const edits = [{ note: 'a.md', before: '1', after: '2' }];
    rig.tool('notes.say', { effect: 'write', describe: () => 'Renames the note.', handler: () => Promise.resolve(1) });
    const device = rig.device();
    void rig.refused('notes.say', {});
    await rig.settle();
    expect(device.current?.preview).toEqual({ kind: 'text', text: 'Renames the note.' });
    device.answer('deny');
    rig.tool('notes.edit', { effect: 'write', describe: () => Promise.resolve({ summary: 'One change.', edits }), handler: () => Promise.resolve(1) });
    void rig.refused('notes.edit', {});
    await rig.settle();
    expect(device.current?.preview).toEqual({ kind: 'edits', summary: 'One change.', edits });
    device.answer('deny');
  });

  it.each<[string, () => unknown]>([
    ['throws', () => { throw new Error('CANARY'); }], ['rejects', () => Promise.reject(new Error('CANARY'))], ['answers null', () => null], ['answers edits that are none', () => ({ edits: [{ note: 1 }] })],
    ['answers nothing', () => undefined], ['answers an empty text', () => ' '],
  ])('X6 a description that %s falls back to the arguments, and never decides', async (_, describeIt) => {
    const rig = startRig();
    rig.tool('notes.edit', { effect: 'write', describe: describeIt as () => string, handler: () => Promise.resolve(1) });
    const device = rig.device();
    const calling = rig.refused('notes.edit', {});
    await rig.settle();
    expect(device.current?.preview).toEqual({ kind: 'arguments' });
    device.answer('deny');
    await calling;
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('X6 a description that hangs is not waited for longer than half a second, and keeps its place in line', async () => {
    const rig = startRig();
    rig.tool('notes.edit', { effect: 'write', describe: () => new Promise<string>(() => undefined), handler: () => Promise.resolve(1) });
    const device = rig.device();
    void rig.refused('notes.edit', {});
    await rig.clock.advance(499);
    expect(device.current).toBeUndefined();
    await rig.clock.advance(1);
    expect(device.current).toMatchObject({ preview: { kind: 'arguments' }, remainingMs: 120_000 });
    device.answer('deny');
  });

  it('D08 B26 long arguments must have been shown to their end before the run is allowed', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', input: { type: 'object', properties: { book: { type: 'string' } } }, handler: () => Promise.resolve(1) });
    const device = rig.device();
    const run = rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id;
    const calling = rig.call('books.add', { book: 'x'.repeat(LONG_ARGUMENTS) }, { run });
    await rig.settle();
    expect(device.answer('allow_run')).toMatchObject({ accepted: false, why: 'not_offered' });
    expect(device.answer('allow_run', undefined, true)).toMatchObject({ accepted: true });
    await calling;
  });

  it('B15 the hub is closed with one question open and two queued: nobody\'s call runs, and each is told', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calls = [add(1), add(2), add(3)];
    await rig.settle();
    const { id } = device.current!;
    await rig.hub.close();
    expect(await Promise.all(calls)).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }, { code: 'aborted' }]);
    expect(device.answer('allow_once', id)).toMatchObject({ accepted: false });
    expect([ran, rig.calls().length]).toEqual([[], 3]);
    expect(await add(4)).toMatchObject({ code: 'hub-gone' });
  });

  it('B35 a tool that is registered anew while its question is open is not run by that question\'s answer', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device();
    const calling = add(1);
    await rig.settle();
    rig.tool('books.add', { effect: 'write', input: { type: 'object', properties: { n: { type: 'integer' } } }, handler: () => Promise.resolve(ran.push(-1)) });
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    expect([ran, device.current]).toEqual([[], undefined]);
  });

  it('F036 F056 the switch is turned off: a run that was allowed asks again, and a yes to an open question is for its call', async () => {
    const { rig } = withWrite();
    rig.hub.settings.setMcpRunGrants(true);
    const device = rig.device();
    const run = rig.hub.openRun('mcp:1', AGENT).id;
    const add = async (answer: 'allow_run' | 'allow_once'): Promise<void> => {
      const calling = rig.call('books.add', { n: 1 }, { owner: 'mcp:1', client: AGENT, run });
      await rig.settle();
      if (device.current) device.answer(answer);
      await calling;
    };
    await add('allow_run');
    await add('allow_run');
    expect(device.shown).toHaveLength(1);
    rig.hub.settings.setMcpRunGrants(false);
    await add('allow_once');
    expect(device.shown).toHaveLength(2);

    rig.hub.settings.setMcpRunGrants(true);
    const other = rig.hub.openRun('mcp:1', AGENT).id;
    const calling = rig.call('books.add', { n: 1 }, { owner: 'mcp:1', client: AGENT, run: other });
    await rig.settle();
    rig.settings.save({ ...rig.settings.saved, mcpRunGrants: false }); // in another window
    device.answer('allow_run');
    expect(await calling).toMatchObject({ result: 1 });
    rig.hub.settings.setMcpRunGrants(true);
    const next = rig.call('books.add', { n: 1 }, { owner: 'mcp:1', client: AGENT, run: other });
    await rig.settle();
    expect(device.shown).toHaveLength(4);
    device.answer('allow_once');
    await next;
  });

  it('B20 a device that throws keeps neither the others nor the rest of the line from hearing', async () => {
    const { rig, ran, add } = withWrite();
    rig.hub.approvals.attach({ name: 'a broken one', kind: 'remote', present: () => { throw new Error('present'); }, close: () => { throw new Error('close'); } });
    const device = rig.device({ auto: 'allow_once' });
    await Promise.all([add(1), add(2)]);
    expect([ran, device.closed.length]).toEqual([[1, 2], 2]);
  });

  it('B16 a device that was taken away answers nothing any more', async () => {
    const { rig, ran, add } = withWrite();
    const [gone, stays] = [rig.device(), rig.device()];
    const calling = add(1);
    await rig.settle();
    const { id } = gone.current!;
    gone.detach();
    expect(gone.answer('allow_once', id)).toEqual({ accepted: false, why: 'unknown' });
    expect([ran, rig.hub.approvals.length]).toEqual([[], 1]);
    stays.answer('deny');
    await calling;
    expect(gone.answer('allow_once', id)).toMatchObject({ accepted: false, why: 'already_answered' });
  });

  it('X11 B23 a device that stays silent is remembered for as long as the run, and no longer', async () => {
    const { rig, ran, add } = withWrite();
    const device = rig.device({ silent: true });
    const call = (): Promise<unknown> => rig.call('books.add', { n: 1 }).catch((error: unknown) => error);
    for (let i = 0; i < 3; i++) {
      const calling = call();
      await rig.clock.advance(120_000);
      expect(await calling).toMatchObject({ details: { reason: 'no-answer' } });
    }
    expect([device.shown.length, ran, rig.hub.approvals.silentRuns]).toEqual([3, [], 0]);
    const calling = add(1);
    await rig.clock.advance(120_000);
    await calling;
    expect(rig.hub.approvals.silentRuns).toBe(1);
  });

  it.each([
    ['over 2 000 000 characters together', Array.from({ length: 21 }, () => ({ note: 'a.md', before: 'x'.repeat(50_000), after: 'y'.repeat(50_000) }))],
    ['one of which says something else each time that it is read', [Object.defineProperty({ note: 'a.md', before: 'x' }, 'after', { get: twice('y', 7), enumerable: true })]],
  ])('X6 B26 edits %s are shown as they were looked at, or not at all', async (_, edits) => {
    const rig = startRig();
    rig.tool('notes.edit', { effect: 'write', describe: () => ({ edits: edits as never }), handler: () => Promise.resolve(1) });
    const device = rig.device();
    const calling = rig.refused('notes.edit', {});
    await rig.settle();
    expect(device.current?.preview).toEqual(edits.length > 1 ? { kind: 'arguments' } : { kind: 'edits', edits: [{ note: 'a.md', before: 'x', after: 'y' }] });
    device.answer('deny');
    await calling;
  });
});
