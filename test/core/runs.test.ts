/** Runs: made, used by their starter alone, ended, and what ends with them. */
import { describe, expect, it } from 'vitest';
import { startRig } from '../fakes/rig.ts';

const BOOKS = { kind: 'plugin', name: 'books' } as const;

describe('runs', () => {
  it('F215 without a run a call gets one of its own: one root span, no row but the call\'s', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    await rig.call('books.list', {});
    const [root] = rig.spans('invoke_agent');
    expect(root?.parentSpanContext).toBeUndefined();
    expect(root?.attributes).toMatchObject({ 'modelhub.run.kind': 'single_call', 'modelhub.run.end_reason': 'single_call', 'modelhub.run.calls': 1, 'gen_ai.agent.name': 'books' });
    expect(rig.rows().map(({ kind }) => kind)).toEqual(['call']);
    expect(rig.lastCall().spans.run).toBe(root?.spanContext().spanId);
  });

  it('F216 F228 the calls of a run share one trace, and its end leaves a row with the counts', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    const { id } = rig.hub.openRun('books', BOOKS, { budgetUsd: 0.5, tools: ['books.list', 'books.fail'] });
    await rig.call('books.list', {}, { run: id });
    await rig.refused('books.gone', {}, { run: id });
    rig.tool('books.fail', { effect: 'read', handler: () => Promise.reject(new Error('no')) });
    await rig.refused('books.fail', {}, { run: id });
    rig.hub.closeRun('books', id, 'ended');
    await rig.settle();
    const [run] = rig.rows().filter((row) => row.kind === 'run');
    expect(run).toMatchObject({ run: id, reason: 'ended', calls: 3, refusals: 1, failures: 1, undos: 0, budgetUsdMicros: 500_000 });
    expect(new Set(rig.rows().map(({ trace }) => trace)).size).toBe(1);
    expect(rig.spans('invoke_agent')[0]?.attributes['modelhub.log.head']).toMatch(/^w\d+:3:[0-9a-f]{64}$/);
    expect(await rig.hub.recent(10)).toHaveLength(3);
  });

  it('F222 D06 a tool outside the run\'s list is denied by policy, and nobody is asked', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    const device = rig.device({ auto: 'allow_run' });
    await rig.call('books.add', {}, { run: rig.hub.openRun('books', BOOKS).id });
    const { id } = rig.hub.openRun('books', BOOKS, { tools: ['books.list'] });
    expect(await rig.refused('books.add', {}, { run: id })).toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    expect([device.shown.length, rig.lastCall().policy]).toEqual([1, { effective: 'deny', source: 'run_list' }]);
  });

  it('F160 F225 only its starter may use, read or end a run; the words are the same whether it is another\'s, ended or never was', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    const { id } = rig.hub.openRun('books', BOOKS);
    const ended = rig.hub.openRun('other', { kind: 'plugin', name: 'other' });
    rig.hub.closeRun('other', ended.id, 'ended');
    const errors = await Promise.all([id, ended.id, 'never', '__proto__', ''].map((run) => rig.refused('books.list', {}, { owner: 'other', run })));
    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill('invalid-request'));
    expect(new Set(errors.map(({ message }) => message)).size).toBe(1);
    expect(() => rig.hub.run('other', id)).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
    rig.hub.closeRun('other', id, 'ended');
    expect(rig.hub.run('books', id).id).toBe(id);
    expect(rig.calls().map(({ outcome }) => outcome)).toEqual(Array(5).fill('invalid'));
  });

  it('F227 F157 ending a run aborts its calls in flight, and the run\'s span ends after theirs', async () => {
    const rig = startRig();
    let signal: AbortSignal | undefined;
    rig.tool('books.list', { effect: 'read', handler: (_, ctx) => { signal = ctx.signal; return new Promise(() => undefined); } });
    const { id } = rig.hub.openRun('books', BOOKS);
    const calling = rig.refused('books.list', {}, { run: id });
    await rig.settle();
    rig.hub.closeRun('books', id, 'ended');
    expect(await calling).toMatchObject({ code: 'aborted' });
    expect(signal?.aborted).toBe(true);
    expect(rig.rows().map(({ kind }) => kind)).toEqual(['call', 'run']);
  });

  it('F243 the run of an MCP conversation names its session and revision on its span, each in one line', () => {
    const rig = startRig();
    const { id } = rig.hub.openRun('mcp:1', { kind: 'mcp', name: 'Claude Code' }, { mcp: { sessionId: 's-1\n', protocolVersion: '2025-11-25' } });
    rig.hub.closeRun('mcp:1', id, 'session_closed');
    expect(rig.spans('invoke_agent')[0]?.attributes).toMatchObject({ 'mcp.session.id': 's-1', 'mcp.protocol.version': '2025-11-25', 'modelhub.run.end_reason': 'session_closed' });
  });

  it('F218 ending a run twice does nothing more', async () => {
    const rig = startRig();
    const { id } = rig.hub.openRun('books', BOOKS);
    rig.hub.closeRun('books', id, 'ended');
    rig.hub.closeRun('books', id, 'ended');
    await rig.settle();
    expect(rig.spans('invoke_agent')).toHaveLength(1);
  });

  it('F220 B36 a budget must be a number of dollars, 0 or more', () => {
    const rig = startRig();
    for (const budgetUsd of [NaN, -0, Infinity, -1, '1' as unknown as number]) {
      expect(() => rig.hub.openRun('books', BOOKS, { budgetUsd })).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
    }
    expect(rig.hub.openRun('books', BOOKS, { budgetUsd: 0 }).budgetUsd).toBe(0);
  });

  it('F222 a list of tools must be a list of tool names', () => {
    const rig = startRig();
    for (const tools of ['books.list', [1], ['Books.List'], [null]]) {
      expect(() => rig.hub.openRun('books', BOOKS, { tools: tools as string[] })).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
    }
  });

  it('F084 F223 F224 a snapshot stays as it was; hub.run tells the handles of now', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h-1', handler: () => Promise.resolve(1) }, () => Promise.resolve('Taken off.'));
    rig.device({ auto: 'allow_once' });
    const snapshot = rig.hub.openRun('books', BOOKS);
    await rig.call('books.add', {}, { run: snapshot.id });
    expect([snapshot.undo, rig.hub.run('books', snapshot.id).undo]).toEqual([[], ['h-1']]);
    await rig.hub.undo('books', 'h-1');
    expect(rig.hub.run('books', snapshot.id).undo).toEqual([]);
  });

  it('a client\'s name is a label: one line, at most 100 characters', () => {
    const rig = startRig();
    rig.hub.openRun('mcp:1', { kind: 'mcp', name: `\u202e\nClaude\u0000 Code${'x'.repeat(200)}` });
    void rig.hub.close();
    expect(rig.spans('invoke_agent')[0]?.attributes['gen_ai.agent.name']).toBe(`Claude Code${'x'.repeat(89)}`);
  });
});
