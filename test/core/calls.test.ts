/** One call through the whole gate: results, failures, limits, the row before the answer, and what a crash leaves. */
import { describe, expect, it } from 'vitest';
import { cut } from '../../src/core/result.ts';
import { startRig, type Rig } from '../fakes/rig.ts';

const READ = { effect: 'read' } as const;

/** Answers what a read's handler returns, and the row. */
async function answerOf(rig: Rig, value: unknown, client: 'plugin' | 'panel' = 'plugin') {
  rig.tool('books.list', { ...READ, handler: () => Promise.resolve(value) });
  const answer = await rig.call('books.list', {}, { client: { kind: client, name: 'books' } });
  return { answer, row: rig.lastCall() };
}

describe('one call', () => {
  it('F003 F110 F116 F118 an allowed read runs, and leaves one row with its arguments as a hash only', async () => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, input: { type: 'object', properties: { shelf: { type: 'string' } } }, replay: 'safe', handler: () => rig.clock.advance(7).then(() => ['Emma']) });
    expect(await rig.call('books.list', { shelf: 'To read' })).toEqual({ result: ['Emma'], truncated: false });
    expect(rig.calls()).toHaveLength(1);
    expect(rig.lastCall()).toMatchObject({
      v: 1, kind: 'call', time: '2026-11-30T12:00:00.000000Z', client: { kind: 'plugin', name: 'books' }, plugin: 'books', tool: 'books.list', effect: 'read',
      args: rig.crypto.hashArguments('{"shelf":"To read"}'), policy: { effective: 'allow', source: 'builtin' }, outcome: 'ok', ms: 7, chars: 8, n: 1,
    });
    expect(rig.bytes()).not.toContain('To read');
  });

  it('F151 D06 a name that nobody registered is tool-unknown, and refused in the log', async () => {
    const rig = startRig();
    for (const name of ['books.list', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'x'.repeat(5_000), null]) {
      expect(await rig.refused(name as string, {})).toMatchObject({ code: 'tool-unknown' });
      expect(rig.lastCall()).toMatchObject({ outcome: 'refused', code: 'tool-unknown' });
    }
    expect(rig.calls()).toHaveLength(8);
    expect(rig.bytes()).not.toContain('xxxx');
  });

  it('F090 F091 F152 arguments that do not fit never reach the handler', async () => {
    const rig = startRig();
    let entered = 0;
    rig.tool('books.list', { ...READ, input: { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'] }, handler: () => Promise.resolve(++entered) });
    expect(await rig.refused('books.list', { shelf: 1 })).toMatchObject({ code: 'tool-invalid-input', message: '"shelf" must be of the type string.' });
    expect([entered, rig.lastCall().outcome]).toEqual([0, 'invalid']);
  });

  it('D11 the handler gets the copy that was hashed, frozen, whatever the caller does to its object meanwhile', async () => {
    const rig = startRig();
    let got: unknown;
    rig.tool('books.add', { effect: 'write', input: { type: 'object', properties: { book: { type: 'string' } } }, handler: (input) => Promise.resolve((got = input)) });
    const device = rig.device();
    const mine = { book: 'Emma' };
    const calling = rig.call('books.add', mine);
    await rig.settle();
    mine.book = 'Dracula';
    expect(device.current?.arguments).toBe('{"book":"Emma"}');
    device.answer('allow_once');
    await calling;
    expect([got, Object.isFrozen(got)]).toEqual([{ book: 'Emma' }, true]);
    expect(rig.lastCall().args).toBe(rig.crypto.hashArguments('{"book":"Emma"}'));
    expect(device.shown[0]?.hash).toBe(rig.lastCall().args);
  });

  it.each([['null', null], ['an empty text', ''], ['an empty list', []], ['nothing at all', undefined], ['{ empty: true }', { empty: true, message: 'No such shelf.' }]])('F197 F198 %s counts as empty', async (_, value) => {
    const { row } = await answerOf(startRig(), value);
    expect(row.outcome).toBe('empty');
  });

  it.each([['0', 0], ['false', false], ['{}', {}], ['[0]', [0]]])('F198 %s does not count as empty', async (_, value) => {
    const { row } = await answerOf(startRig(), value);
    expect(row.outcome).toBe('ok');
  });

  it('F094 F096 F097 a result over 100 000 characters is cut and marked', async () => {
    const { answer, row } = await answerOf(startRig(), 'x'.repeat(100_000));
    expect(answer.truncated).toBe(true);
    expect(answer.result).toMatchObject({ truncated: true, originalChars: 100_002, result: `"${'x'.repeat(99_999)}`, cut: expect.stringContaining('2 of 100002') as string });
    expect(row).toMatchObject({ outcome: 'ok', chars: 100_002, cut: true });
  });

  it('F094 a result of exactly 100 000 characters is whole', async () => {
    const { answer } = await answerOf(startRig(), 'x'.repeat(99_998));
    expect(answer.truncated).toBe(false);
  });

  it('F095 the panel gets 25 000', async () => {
    const { answer } = await answerOf(startRig(), 'x'.repeat(30_000), 'panel');
    expect((answer.result as { result: string }).result).toHaveLength(25_000);
  });

  it('D23 a cut never splits a surrogate pair', () => {
    expect(cut('ab😀', 3).result).toBe('ab');
    expect(cut('ab😀', 4).result).toBe('ab😀');
  });

  it('F155 a handler that rejects is tool-failed with its message, and nothing else of the error', async () => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, handler: () => Promise.reject(Object.assign(new Error('The shelf is gone.', { cause: 'c' }), { code: 'E', extra: 1 })) });
    const error = await rig.refused('books.list', {});
    expect(error).toMatchObject({ code: 'tool-failed', message: 'The shelf is gone.', details: {} });
    expect(error).not.toHaveProperty('extra');
    expect(rig.lastCall()).toMatchObject({ outcome: 'failed', code: 'tool-failed', message: 'The shelf is gone.' });
  });

  it.each([['a text', 'CANARY'], ['undefined', undefined], ['an object', { message: 'CANARY' }], ['an error without a message', new Error('')]])('B40 a handler that throws %s fails without repeating it', async (_, thrown) => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, handler: () => { throw thrown as Error; } });
    expect(await rig.refused('books.list', {})).toMatchObject({ code: 'tool-failed', message: 'The tool failed without saying why.' });
  });

  it.each([['a cycle', () => { const a: { a?: unknown } = {}; a.a = a; return a; }], ['a BigInt', () => 1n], ['a function', () => () => 1]])('F155 a result that is %s is tool-failed', async (_, make) => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, handler: () => Promise.resolve(make()) });
    expect(await rig.refused('books.list', {})).toMatchObject({ code: 'tool-failed', message: 'The tool answered something that is not JSON.' });
  });

  it('F093 F156 F185 D20 after 60 seconds the signal fires and the call is tool-timeout', async () => {
    const rig = startRig();
    let signal: AbortSignal | undefined;
    rig.tool('books.list', { ...READ, handler: (_, ctx) => { signal = ctx.signal; return new Promise(() => undefined); } });
    const calling = rig.refused('books.list', {});
    await rig.clock.advance(59_999);
    expect(signal?.aborted).toBe(false);
    await rig.clock.advance(1);
    expect(await calling).toMatchObject({ code: 'tool-timeout' });
    expect([signal?.aborted, (signal?.reason as { code: string }).code]).toEqual([true, 'tool-timeout']);
    expect(rig.lastCall()).toMatchObject({ outcome: 'timeout', ms: 60_000 });
  });

  it('D20 the 60 seconds count from the handler\'s entry: waiting for a person takes none of them', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => rig.later(50_000, 'done') });
    const device = rig.device();
    const calling = rig.call('books.add', {});
    await rig.clock.advance(100_000);
    device.answer('allow_once');
    await rig.clock.advance(50_000);
    expect(await calling).toMatchObject({ result: 'done' });
    expect(rig.lastCall()).toMatchObject({ waitMs: 100_000, ms: 50_000 });
  });

  it('D20 the handle of a write that came too late is kept', async () => {
    const rig = startRig();
    const undone: string[] = [];
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h-1', handler: () => rig.later(70_000, 'done') }, (handle) => { undone.push(handle); return Promise.resolve('Taken off.'); });
    rig.device({ auto: 'allow_once' });
    const calling = rig.refused('books.add', {});
    await rig.clock.advance(70_001);
    expect(await calling).toMatchObject({ code: 'tool-timeout' });
    expect(await rig.hub.undoCall(rig.lastCall().id, 'view')).toBe('Taken off.');
    expect(undone).toEqual(['h-1']);
  });

  it('F157 a caller that leaves during the handler gets aborted, and nothing of its reason is repeated', async () => {
    const rig = startRig();
    const caller = new AbortController();
    rig.tool('books.list', { ...READ, handler: () => new Promise(() => undefined) });
    const calling = rig.refused('books.list', {}, { signal: caller.signal });
    await rig.settle();
    caller.abort(new Error('CANARY-7f3a'));
    const error = await calling;
    expect(error).toMatchObject({ code: 'aborted' });
    expect(error.message + rig.bytes()).not.toContain('CANARY');
    expect(rig.lastCall().outcome).toBe('aborted');
  });

  it('F157 a caller that has left before it calls runs nothing', async () => {
    const rig = startRig();
    let entered = 0;
    rig.tool('books.list', { ...READ, handler: () => Promise.resolve(++entered) });
    expect(await rig.refused('books.list', {}, { signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' });
    expect([entered, rig.calls().length]).toEqual([0, 1]);
  });

  it('F155 F176 a plugin that unloads during the call ends it as failed', async () => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, handler: () => new Promise(() => undefined) });
    const calling = rig.refused('books.list', {}, { owner: 'other', client: { kind: 'plugin', name: 'other' } });
    await rig.settle();
    rig.hub.pluginUnloaded('books');
    expect(await calling).toMatchObject({ code: 'tool-failed' });
    expect(rig.hub.tools()).toEqual([]);
  });

  it('D24 the row is written before the caller is answered, also after an error', async () => {
    const rig = startRig();
    rig.tool('books.list', { ...READ, handler: () => Promise.resolve(1) });
    let rowsAtAnswer = -1;
    await rig.call('books.list', {}).then(() => { rowsAtAnswer = rig.calls().length; });
    let rowsAtError = -1;
    await rig.call('books.gone', {}).catch(() => { rowsAtError = rig.calls().length; });
    expect([rowsAtAnswer, rowsAtError]).toEqual([1, 2]);
  });

  it('D24 a slow log is waited for: the caller is not answered before its row is there', async () => {
    const rig = startRig({ asyncLog: true });
    rig.tool('books.list', { ...READ, handler: () => Promise.resolve(1) });
    let answered = false;
    const calling = rig.call('books.list', {}).then(() => { answered = true; });
    await rig.settle();
    expect([answered, rig.calls().length]).toEqual([false, 0]);
    rig.releaseLog();
    await calling;
    expect(rig.calls()).toHaveLength(1);
  });

  it('D24 F112 without a log writes are refused before anybody is asked, and reads go on', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    const device = rig.device({ auto: 'allow_once' });
    rig.breakLog();
    await rig.call('books.list_all', {}).catch(() => undefined); // finds out that the log is broken
    expect(await rig.refused('books.add', {})).toMatchObject({ code: 'tool-denied', details: { reason: 'log' } });
    expect(device.shown).toEqual([]);
    rig.tool('books.list', { ...READ, handler: () => Promise.resolve('fine') });
    expect(await rig.call('books.list', {})).toMatchObject({ result: 'fine' });
    rig.mendLog();
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    expect(await rig.call('books.add', {})).toMatchObject({ result: 1 });
    expect(rig.calls().map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(['books.list_all refused', 'books.add refused', 'books.list ok', 'books.add ok']);
  });

  it('E04 a write whose word cannot be left behind does not run', async () => {
    const rig = startRig();
    let entered = 0;
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(++entered) });
    rig.device({ auto: 'allow_once' });
    rig.journal.broken = true;
    expect(await rig.refused('books.add', {})).toMatchObject({ code: 'tool-denied', details: { reason: 'log' } });
    expect(entered).toBe(0);
  });

  it('E04 a write that a crash interrupted gets its row once, with the ids that it had, and is not run again', async () => {
    const rig = startRig({ start: false });
    let entered = 0;
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve(++entered) }, () => Promise.resolve(''));
    rig.journal.left = [{
      kind: 'call', id: 'aaaaaaaaaaaaaaaa', trace: 'b'.repeat(32), runSpan: 'cccccccccccccccc', at: 1_796_000_000_000_000, run: 'r-1',
      client: { kind: 'mcp', name: 'agent' }, plugin: 'books', tool: 'books.add', args: 'sha256:00', policy: { effective: 'ask', source: 'builtin' },
    }];
    await rig.hub.start();
    expect(rig.calls()).toHaveLength(1);
    expect(rig.lastCall()).toMatchObject({ id: 'aaaaaaaaaaaaaaaa', trace: 'b'.repeat(32), run: 'r-1', outcome: 'interrupted', code: 'interrupted', args: 'sha256:00', spans: { run: 'cccccccccccccccc' } });
    await rig.hub.start();
    expect([rig.calls().length, entered, rig.hub.undoable().size]).toEqual([1, 0, 0]);
  });

  it('telemetry 24 the machine sleeps eight hours during a question: the times of the row are those of the wall', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => rig.later(5, 1) });
    const device = rig.device();
    const calling = rig.call('books.add', {});
    await rig.clock.advance(1_000);
    rig.clock.sleep(8 * 3600_000);
    device.answer('allow_once');
    await rig.clock.advance(5);
    await calling;
    expect(rig.lastCall()).toMatchObject({ time: '2026-11-30T12:00:00.000000Z', waitMs: 28_801_000, ms: 5, us: { end: 28_801_005_000 } });
  });
});
