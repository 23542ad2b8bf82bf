/**
 * The hub closes: what is under way is told, every row is written, and nothing new begins.
 */
import { describe, expect, it } from 'vitest';
import { startRig } from '../fakes/rig.ts';

const BOOKS = { kind: 'plugin', name: 'books' } as const;

describe('closing the hub', () => {
  it('F157 F185 stops a call of its own run, through the signal, and waits for its row', async () => {
    const rig = startRig();
    let signal: AbortSignal | undefined;
    rig.tool('books.list', { effect: 'read', handler: (_, ctx) => { signal = ctx.signal; return new Promise(() => undefined); } });
    const calling = rig.refused('books.list', {});
    await rig.settle();
    await rig.hub.close();
    expect(await calling).toMatchObject({ code: 'aborted', message: 'Model Hub was closed during the call.' });
    expect([signal?.aborted, rig.calls().map(({ outcome }) => outcome)]).toEqual([true, ['aborted']]);
  });

  it('F227 ends every run, once', async () => {
    const rig = startRig();
    rig.hub.openRun('books', BOOKS);
    rig.hub.openRun('mcp:1', { kind: 'mcp', name: 'Claude Code' });
    await Promise.all([rig.hub.close(), rig.hub.close()]);
    expect(rig.rows().map((row) => row.kind === 'run' && row.reason)).toEqual(['shutdown', 'shutdown']);
  });

  it('D28 waits for an undo under way', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve(1) }, () => rig.later(1_000, 'Taken off.'));
    rig.device({ auto: 'allow_once' });
    await rig.call('books.add', {});
    const taking = rig.hub.undoCall(rig.lastCall().id, 'view');
    await rig.settle();
    let closed = false;
    const closing = rig.hub.close().then(() => { closed = true; });
    await rig.settle();
    expect(closed).toBe(false);
    await rig.clock.advance(1_000);
    await closing;
    expect(rig.rows().at(-1)).toMatchObject({ kind: 'undo', outcome: 'done' });
    expect(await taking).toBe('Taken off.');
  });

  it('F173 nothing new begins: calls, runs, tools and undos are told that the hub has gone', async () => {
    const rig = startRig();
    await rig.hub.close();
    const gone = { code: 'hub-gone' };
    expect(await rig.refused('books.list', {})).toMatchObject(gone);
    expect(() => rig.hub.openRun('books', BOOKS)).toThrow(expect.objectContaining(gone) as Error);
    expect(() => rig.hub.register({ id: 'books', name: 'Books' }, [])).toThrow(expect.objectContaining(gone) as Error);
    await expect(rig.hub.undo('books', 'h')).rejects.toMatchObject(gone);
    await expect(rig.hub.undoCall('0000000000000000', 'view')).rejects.toMatchObject(gone);
  });
});
