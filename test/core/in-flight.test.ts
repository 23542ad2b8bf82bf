/**
 * What is known of a call while it is under way: the word that a write leaves behind, and what its caller hears of a question.
 */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/ports.ts';
import { startRig } from '../fakes/rig.ts';

describe('a write under way', () => {
  it('E04 leaves word of itself before its handler runs, until its row is written', async () => {
    const rig = startRig({ asyncLog: true });
    let atHandler: unknown;
    rig.tool('books.add', { effect: 'write', replay: 'unsafe', handler: () => Promise.resolve(void (atHandler = [...rig.journal.open.values()])) });
    rig.device({ auto: 'allow_once' });
    const calling = rig.call('books.add', {});
    await rig.settle();
    rig.releaseLog(); // the look whether it can be written
    await rig.settle();
    expect(atHandler).toMatchObject([{ kind: 'call', tool: 'books.add', plugin: 'books', client: { kind: 'plugin', name: 'books' }, args: rig.crypto.hashArguments('{}'), policy: { effective: 'ask', source: 'builtin' } }]);
    expect([rig.journal.open.size, rig.calls().length]).toEqual([1, 0]);
    rig.releaseLog();
    await calling;
    expect([rig.journal.open.size, rig.calls().length]).toEqual([0, 1]);
    expect(rig.spans('tool_call')[0]?.attributes['modelhub.tool.replay']).toBe('unsafe');
  });

  it('F157 whose caller leaves while its word is being written does not run', async () => {
    const rig = startRig();
    let entered = 0;
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(++entered) });
    rig.device({ auto: 'allow_once' });
    const caller = new AbortController();
    rig.journal.begin = () => caller.abort();
    expect(await rig.refused('books.add', {}, { signal: caller.signal })).toMatchObject({ code: 'aborted' });
    expect([entered, rig.spans('execute_tool')]).toEqual([0, []]);
  });

  it('E04 a read and a write that was refused leave none', async () => {
    const rig = startRig();
    let atRead = -1;
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(void (atRead = rig.journal.open.size)) });
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    await rig.call('books.list', {});
    await rig.refused('books.add', {});
    expect([atRead, rig.journal.open.size]).toEqual([0, 0]);
  });

  it('E04 what a crash left is done with when its row is written, and not before', async () => {
    const left: Intent = {
      kind: 'call', id: 'aaaaaaaaaaaaaaaa', trace: 'b'.repeat(32), runSpan: 'cccccccccccccccc', at: 1_796_000_000_000_000, run: 'r-1',
      client: { kind: 'mcp', name: 'agent' }, plugin: 'books', tool: 'books.add',
    };
    const rig = startRig({ asyncLog: true, start: false });
    rig.journal.left = [left];
    rig.journal.open.set(left.id, left);
    const starting = rig.hub.start();
    await rig.settle();
    expect([rig.journal.open.size, rig.calls().length]).toEqual([1, 0]);
    rig.releaseLog();
    await starting;
    expect([rig.journal.open.size, rig.calls().map(({ outcome }) => outcome)]).toEqual([0, ['interrupted']]);
    expect(rig.spans('tool_call').map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([['interrupted', 2]]);
  });

  it('D24 D28 an undo is answered after its row is written, and its claim stands until then', async () => {
    const rig = startRig({ asyncLog: true });
    const releasing = async <T>(work: Promise<T>): Promise<T> => {
      const state = { over: false };
      void work.finally(() => { state.over = true; });
      while (!state.over) {
        await rig.settle();
        rig.releaseLog();
      }
      return work;
    };
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve(1) }, () => Promise.resolve('Taken off.'));
    rig.device({ auto: 'allow_once' });
    await releasing(rig.call('books.add', {}));
    let answered = false;
    const taking = rig.hub.undo('books', 'h').then((sentence) => { answered = true; return sentence; });
    await rig.settle();
    expect([answered, rig.journal.open.size, rig.rows().length]).toEqual([false, 1, 1]);
    expect(await releasing(taking)).toBe('Taken off.');
    expect([rig.journal.open.size, rig.rows().length]).toEqual([0, 2]);
  });

  it('E04 D28 an undo that a crash interrupted has its row, and is not offered again', async () => {
    const before = startRig();
    before.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve(1) }, () => Promise.resolve(''));
    before.device({ auto: 'allow_once' });
    await before.call('books.add', {});
    const { id: of, run, client, spans } = before.lastCall();
    const rig = startRig({ after: before, start: false });
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) }, () => Promise.resolve(''));
    rig.journal.left = [{ kind: 'undo', id: 'a'.repeat(16), trace: 'b'.repeat(32), runSpan: spans.run, at: before.clock.micros() + 1, run, client, plugin: 'books', tool: 'books.add', of, trigger: 'view' }];
    await rig.hub.start();
    await rig.hub.restored();
    expect(rig.rows().at(-1)).toMatchObject({ kind: 'undo', id: 'a'.repeat(16), of, trigger: 'view', outcome: 'interrupted', code: 'interrupted' });
    expect(rig.hub.undoable().size).toBe(0);
  });

  it.each(['allow_once', 'deny'] as const)('its caller hears that a question waits, at which place and how long, and that it was answered: %s', async (answer) => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    const device = rig.device();
    const heard: unknown[] = [];
    const listening = { onWaiting: (state: unknown) => heard.push(state), onAnswered: () => heard.push('answered') };
    const first = rig.call('books.add', {}).catch(() => undefined);
    await rig.settle();
    const second = rig.call('books.add', {}, listening).catch(() => undefined);
    await rig.settle();
    expect(heard).toEqual([{ position: 1, timeoutSeconds: 120 }]);
    device.answer('allow_once');
    await first;
    device.answer(answer);
    await second;
    expect(heard).toEqual([{ position: 1, timeoutSeconds: 120 }, 'answered']);
  });

  it('F049 a yes for the run says so in the row', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    rig.device({ auto: 'allow_run' });
    await rig.call('books.add', {}, { run: rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id });
    expect(rig.lastCall().approval).toMatchObject({ decision: 'allow_run', granularity: 'run' });
  });
});
