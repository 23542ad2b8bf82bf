/** A row rebuilds its spans: every one that the SDK ended, to the letter, but for what never travels. */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from '../fakes/rig.ts';
import { travelling } from '../fakes/travelling.ts';

/** A session with everything in it: reads, a write that asks, a grant, refusals, failures, an undo, calls with and without a run. */
async function session(): Promise<Rig> {
  const rig = startRig();
  rig.tool('books.list', { effect: 'read', replay: 'safe', handler: () => Promise.resolve([]) });
  rig.tool('books.fail', { effect: 'read', handler: () => Promise.reject(new Error('The shelf is gone.')) });
  rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve({ added: 1 }) }, () => Promise.resolve('Taken off.'));
  const client = { kind: 'mcp', name: 'Claude Code' } as const;
  const run = rig.hub.openRun('mcp:1', client, { tools: ['books.list', 'books.add'], mcp: { sessionId: 's-1', protocolVersion: '2025-11-25' } });
  const inRun = { owner: 'mcp:1', client, run: run.id, wire: { requestId: '7', transport: 'tcp' as const } };
  rig.device({ auto: 'allow_once' });
  await rig.call('books.list', {}, inRun);
  await rig.call('books.add', {}, inRun);
  await rig.refused('books.fail', {}, inRun);
  await rig.refused('books.nobody', {}, inRun);
  await rig.hub.undoCall(rig.calls().find(({ tool }) => tool === 'books.add')!.id, 'view');
  rig.hub.closeRun('mcp:1', run.id, 'ended');
  await rig.call('books.list', {});
  await rig.refused('books.fail', {});
  await rig.hub.close();
  return rig;
}

describe('rows as spans', () => {
  it('E03 rebuild every span of a session, with the same ids, times, attributes, links and events', async () => {
    const rig = await session();
    const ended = new Map(rig.allEnded().map(travelling).map((span) => [span.spanId, span]));
    const rebuilt = rig.rebuilt();
    expect([...rebuilt.keys()].sort()).toEqual([...ended.keys()].sort());
    expect(rebuilt).toEqual(ended);
    expect(new Set([...rebuilt.values()].map(({ kind }) => kind))).toEqual(new Set(['invoke_agent', 'tool_call', 'await_approval', 'execute_tool', 'undo']));
  });

  it('E03 D31 hold no message and no handle', async () => {
    const text = JSON.stringify([...(await session()).rebuilt().values()]);
    expect(text).not.toContain('The shelf is gone.');
    expect(text).not.toContain('modelhub.local');
    expect(text).not.toContain('"h"');
  });
});

describe('a run that a crash left open', () => {
  it('E04 is ended at the next start, with the counts of its rows, and the time of its last sign of life', async () => {
    const before = startRig();
    before.tool('books.list', { effect: 'read', handler: () => Promise.resolve([1]) });
    const run = before.hub.openRun('books', { kind: 'plugin', name: 'books' });
    await before.call('books.list', {}, { run: run.id });
    await before.refused('books.nobody', {}, { run: run.id });
    const left = [...before.journal.open.values()];
    expect(left).toMatchObject([{ kind: 'run', run: run.id, client: { kind: 'plugin', name: 'books' } }]);
    const rig = startRig({ after: before, start: false });
    rig.journal.left = left;
    await rig.hub.start();
    const row = rig.rows().at(-1)!;
    const last = rig.rows().filter(({ kind }) => kind === 'call').at(-1)!;
    expect(row).toMatchObject({ kind: 'run', run: run.id, id: last.kind === 'call' ? last.spans.run : '', trace: last.trace, reason: 'interrupted', calls: 2, refusals: 1, failures: 0, undos: 0 });
    expect(Date.parse(row.time) * 1000 + row.us.end).toBeGreaterThanOrEqual(Date.parse(last.time) * 1000 + last.us.end);
  });

  it('E04 is not ended twice, where its end was written and only the word of it was lost', async () => {
    const before = startRig();
    const run = before.hub.openRun('books', { kind: 'plugin', name: 'books' });
    const left = [...before.journal.open.values()];
    before.hub.closeRun('books', run.id, 'ended');
    await before.settle();
    const rig = startRig({ after: before, start: false });
    rig.journal.left = left;
    await rig.hub.start();
    expect(rig.rows().filter(({ kind }) => kind === 'run')).toHaveLength(1);
  });
});
