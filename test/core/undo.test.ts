/** Taking a write back: once, by whom, after a restart, and where it cannot be. */
import { describe, expect, it } from 'vitest';
import type { UndoRow } from '../../otel/row.ts';
import { startRig, type Rig, type RigOptions } from '../fakes/rig.ts';

const conflict = (): Error => Object.assign(new Error('The note has changed since.'), { code: 'undo-conflict' });

/** A rig with one write, done, whose undo behaves as given. */
async function afterWrite(undo?: (handle: string) => Promise<string>, options: RigOptions = {}): Promise<{ rig: Rig; call: string }> {
  const rig = startRig(options);
  let n = 0;
  rig.tool('books.add', { effect: 'write', undo: { kind: 'handle' }, undoHandle: () => `h-${++n}`, handler: () => Promise.resolve('ok') }, undo);
  rig.device({ auto: 'allow_once' });
  await rig.call('books.add', {});
  return { rig, call: rig.lastCall().id };
}

const undos = (rig: Rig): UndoRow[] => rig.rows().filter((row) => row.kind === 'undo');

describe('undo', () => {
  it('F073 F075 F077 F081 F083 F117 F142 D28 the plugin takes the write back and says so; both are logged and linked', async () => {
    const handles: string[] = [];
    const { rig, call } = await afterWrite((handle) => { handles.push(handle); return Promise.resolve('Took “Emma” off the shelf.'); });
    expect(rig.lastCall().undo).toBe('h-1');
    expect([...rig.hub.undoable()]).toEqual([call]);
    expect(await rig.hub.undoCall(call, 'notice')).toBe('Took “Emma” off the shelf.');
    expect(handles).toEqual(['h-1']);
    expect(undos(rig)).toMatchObject([{ of: call, tool: 'books.add', plugin: 'books', trigger: 'notice', outcome: 'done', run: rig.lastCall().run, trace: rig.lastCall().trace }]);
    expect(rig.bytes()).not.toContain('Emma');
    expect(rig.spans('undo')[0]?.links[0]?.context.spanId).toBe(call);
  });

  it('F074 B37 clicked twice, or at once from the notice and by code: one undo runs, the other is told', async () => {
    let ran = 0;
    const { rig, call } = await afterWrite(() => { ran++; return rigLater(); });
    let release: (text: string) => void = () => undefined;
    function rigLater(): Promise<string> { return new Promise((resolve) => { release = resolve; }); }
    const first = rig.hub.undoCall(call, 'notice');
    const second = rig.hub.undo('books', 'h-1').catch((error: unknown) => error);
    await rig.settle();
    release('done');
    expect([await first, await second]).toMatchObject(['done', { code: 'invalid-request', details: { reason: 'already-done' } }]);
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'invalid-request' });
    expect([ran, undos(rig).map(({ outcome }) => outcome)]).toEqual([1, ['already_done', 'done', 'already_done']]);
  });

  it('F078 F079 F076 without an undo function, or with null for a handle, there is nothing to take back', async () => {
    const { rig } = await afterWrite(undefined);
    expect([rig.lastCall().undo, rig.hub.undoable().size]).toEqual([undefined, 0]);
    rig.tool('books.add', { effect: 'write', undoHandle: () => null, handler: () => Promise.resolve('ok') }, () => Promise.resolve(''));
    expect(await rig.call('books.add', {})).toEqual({ result: 'ok', truncated: false });
    expect([rig.lastCall().undo, rig.hub.undoable().size]).toEqual([undefined, 0]);
  });

  it.each<[string, () => unknown]>([['throws', () => { throw new Error('x'); }], ['answers a number', () => 7], ['answers an empty text', () => ''], ['answers 1 001 characters', () => 'x'.repeat(1_001)], ['answers half a pair', () => '\ud800']])(
    'D28 an undoHandle that %s does not undo the success of the write', async (_, undoHandle) => {
      const { rig } = await afterWrite(() => Promise.resolve(''));
      rig.tool('books.add', { effect: 'write', undoHandle: undoHandle as () => string, handler: () => Promise.resolve('ok') }, () => Promise.resolve(''));
      expect(await rig.call('books.add', {})).toEqual({ result: 'ok', truncated: false });
    });

  it('F082 F084 B37 the caller of a write may take it back by its handle, and so may the tool\'s plugin; nobody else', async () => {
    const { rig } = await afterWrite(() => Promise.resolve('done'));
    await rig.call('books.add', {}, { owner: 'reader', client: { kind: 'plugin', name: 'reader' } });
    const stranger = (handle: string): Promise<unknown> => rig.hub.undo('stranger', handle).catch((error: unknown) => error);
    expect(await stranger('h-2')).toMatchObject({ code: 'invalid-request' });
    expect(await rig.hub.undo('reader', 'h-2')).toBe('done');
    expect(await rig.hub.undo('books', 'h-1')).toBe('done');
  });

  it('B37 one handle given twice names the newer write, then the older', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'same', handler: () => Promise.resolve('ok') }, () => Promise.resolve('done'));
    rig.device({ auto: 'allow_once' });
    await rig.call('books.add', {});
    const first = rig.lastCall().id;
    await rig.call('books.add', {});
    await rig.hub.undo('books', 'same');
    expect([...rig.hub.undoable()]).toEqual([first]);
    await rig.hub.undo('books', 'same');
    expect(undos(rig).map(({ of }) => of)).toEqual([rig.lastCall().id, first]);
  });

  it('B37 D28 a conflict refuses with the reason and leaves the handle: undo A after B wrote, then B, then A', async () => {
    let blocked = true;
    const { rig, call } = await afterWrite(() => (blocked ? Promise.reject(conflict()) : Promise.resolve('done')));
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'tool-failed', message: 'The note has changed since.', details: { reason: 'undo-conflict' } });
    blocked = false;
    expect(await rig.hub.undoCall(call, 'view')).toBe('done');
    expect(undos(rig).map(({ outcome }) => outcome)).toEqual(['conflict', 'done']);
  });

  it('B37 an undo function that throws half-way uses the handle up, and the row says failed', async () => {
    const { rig, call } = await afterWrite(() => Promise.reject(new Error('The disk is full.')));
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'tool-failed' });
    expect(undos(rig)).toMatchObject([{ outcome: 'failed', message: 'The disk is full.' }]);
    expect(rig.hub.undoable().size).toBe(0);
  });

  it('B37 an undo that hangs is failed after 60 seconds', async () => {
    const { rig, call } = await afterWrite(() => new Promise(() => undefined));
    const taking = rig.hub.undoCall(call, 'view').catch((error: unknown) => error);
    await rig.clock.advance(60_000);
    expect(await taking).toMatchObject({ code: 'tool-timeout' });
    expect(undos(rig)[0]?.outcome).toBe('failed');
  });

  it('B37 after the plugin was reloaded its new undo function is used; while it is away the handle waits', async () => {
    const { rig, call } = await afterWrite(() => Promise.resolve('old'));
    rig.hub.pluginUnloaded('books');
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'tool-failed', message: expect.stringContaining('switched off') as string });
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve('ok') }, () => Promise.resolve('new'));
    expect(await rig.hub.undoCall(call, 'view')).toBe('new');
    expect(undos(rig).map(({ outcome }) => outcome)).toEqual(['owner_gone', 'done']);
  });

  it('D28 after a restart a write can still be taken back, once', async () => {
    const { rig: before, call } = await afterWrite(() => Promise.resolve('old'));
    const restart = async (after: Rig): Promise<Rig> => {
      const rig = startRig({ after });
      rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve('ok') }, () => Promise.resolve('new'));
      await rig.hub.start();
      await rig.hub.restored();
      return rig;
    };
    const second = await restart(before);
    expect([...second.hub.undoable()]).toEqual([call]);
    expect(await second.hub.undoCall(call, 'view')).toBe('new');
    const third = await restart(second);
    expect(third.hub.undoable().size).toBe(0);
    expect(await third.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'invalid-request' });
  });

  it('D28 another process that is at it is found in the journal', async () => {
    let ran = 0;
    const { rig, call } = await afterWrite(() => Promise.resolve(String(++ran)));
    rig.journal.open.set('x', { kind: 'undo', id: 'x', trace: '', runSpan: '', at: 0, run: '', client: { kind: 'panel', name: '' }, plugin: 'books', tool: 'books.add', of: call, trigger: 'view' });
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ details: { reason: 'already-done' } });
    expect(ran).toBe(0);
  });

  it('D28 another process that was first is found in the log', async () => {
    const { rig: before, call } = await afterWrite(() => Promise.resolve(''));
    let ran = 0;
    const [first, second] = await Promise.all([0, 1].map(async () => {
      const rig = startRig({ after: before });
      rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve('ok') }, () => Promise.resolve(`done ${++ran}`));
      await rig.hub.start();
      await rig.hub.restored();
      return rig;
    })) as [Rig, Rig];
    expect(await first.hub.undoCall(call, 'view')).toBe('done 1');
    second.rows = () => first.rows(); // they share the file
    expect(await second.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'invalid-request', details: { reason: 'already-done' } });
    expect(ran).toBe(1);
  });

  it.each<[string, () => Promise<string>, string, string, string | undefined]>([
    ['fails', () => Promise.reject(new Error('The disk is full.')), 'failed', 'tool-failed', 'tool-failed'],
    ['hangs', () => new Promise(() => undefined), 'failed', 'tool-timeout', 'tool-timeout'],
    ['finds the note changed', () => Promise.reject(conflict()), 'conflict', 'tool-failed', undefined],
  ])('F075 F114 an undo that %s: its row has outcome and code, its span the kind of error', async (_, undo, outcome, code, errorType) => {
    const { rig, call } = await afterWrite(undo);
    const taking = rig.hub.undoCall(call, 'view').catch(() => undefined);
    await rig.clock.advance(60_000);
    await taking;
    expect(undos(rig)).toMatchObject([{ outcome, code }]);
    expect(rig.spans('undo')[0]?.attributes['error.type']).toBe(errorType);
  });

  it('D24 without a log nothing is taken back', async () => {
    let ran = 0;
    const { rig, call } = await afterWrite(() => Promise.resolve(String(++ran)));
    rig.breakLog();
    await rig.refused('books.gone', {});
    expect(await rig.hub.undoCall(call, 'view').catch((error: unknown) => error)).toMatchObject({ code: 'tool-denied', details: { reason: 'log' } });
    rig.mendLog();
    expect([ran, await rig.hub.undoCall(call, 'view')]).toEqual([0, '1']);
    expect(undos(rig)).toMatchObject([{ outcome: 'refused', code: 'tool-denied', reason: 'log' }, { outcome: 'done' }]);
  });

  it('B37 a write can be taken back while its run is still at work', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve('ok') }, () => Promise.resolve('done'));
    rig.tool('books.wait', { effect: 'read', handler: () => new Promise(() => undefined) }, () => Promise.resolve('done'));
    rig.device({ auto: 'allow_once' });
    const { id } = rig.hub.openRun('books', { kind: 'plugin', name: 'books' });
    await rig.call('books.add', {}, { run: id });
    const waiting = rig.refused('books.wait', {}, { run: id });
    expect(await rig.hub.undo('books', 'h')).toBe('done');
    rig.hub.closeRun('books', id, 'ended');
    await waiting;
    expect(rig.rows().find((row) => row.kind === 'run')).toMatchObject({ undos: 1 });
  });

  it('B40 D31 what an undo answers and throws leaves nothing of the note in the log or the spans', async () => {
    const { rig, call } = await afterWrite(() => Promise.resolve('CANARY-7f3a was restored'));
    await rig.hub.undoCall(call, 'view');
    expect(rig.bytes() + JSON.stringify(rig.spans('').map(({ attributes, events, status }) => ({ attributes, events, status })))).not.toContain('CANARY');
  });

  it('D28 where the log cannot be read nothing is taken back, nothing is used up, and no path is told', async () => {
    let ran = 0;
    const { rig, call } = await afterWrite(() => Promise.resolve(String(++ran)));
    rig.unreadable = true;
    const error = await rig.hub.undoCall(call, 'view').catch((thrown: unknown) => thrown);
    rig.unreadable = false;
    expect(error).toMatchObject({ code: 'tool-denied', details: { reason: 'log' } });
    expect(`${rig.bytes()}${String(error)}`).not.toContain('/home');
    expect([ran, await rig.hub.undoCall(call, 'view')]).toEqual([0, '1']);
  });

  it('F173 the hub closes before the writes of earlier starts are known: nothing is taken back after its end', async () => {
    let ran = 0;
    const { rig, call } = await afterWrite(() => Promise.resolve(String(++ran)));
    const undoing = rig.hub.undoCall(call, 'view').catch((thrown: unknown) => thrown);
    void rig.hub.close();
    expect([await undoing, ran]).toMatchObject([{ code: 'hub-gone' }, 0]);
  });
});
