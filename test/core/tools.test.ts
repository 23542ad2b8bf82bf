/**
 * What a tool says of itself, and what the hub makes of it: description, effect, context, handle, one undo for all.
 */
import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../../src/core/types.ts';
import { startRig } from '../fakes/rig.ts';

describe('a tool', () => {
  it('F179 its description stands in the list and in the question', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', description: 'Adds a book to a shelf.', handler: () => Promise.resolve(1) });
    const device = rig.device();
    void rig.refused('books.add', {});
    await rig.settle();
    expect([rig.hub.tools()[0]?.description, device.current?.description]).toEqual(['Adds a book to a shelf.', 'Adds a book to a shelf.']);
    device.answer('deny');
  });

  it('F005 F180 its effect decides what happens by default, and stands in the row', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    expect(rig.hub.tools().map(({ name, effect, policy }) => [name, effect, policy])).toEqual([
      ['books.add', 'write', { effective: 'ask', source: 'builtin' }], ['books.list', 'read', { effective: 'allow', source: 'builtin' }],
    ]);
    await rig.call('books.list', {});
    await rig.refused('books.add', {});
    expect(rig.calls().map(({ effect }) => effect)).toEqual(['read', 'write']);
  });

  it('F183 F184 F185 its handler is told the run, who asked, and has a signal', async () => {
    const rig = startRig();
    let told: ToolContext | undefined;
    rig.tool('books.list', { effect: 'read', handler: (_, ctx) => Promise.resolve(void (told = ctx)) });
    const client = { kind: 'mcp', name: 'Claude Code' } as const;
    const { id: run } = rig.hub.openRun('mcp:1', client);
    await rig.call('books.list', {}, { owner: 'mcp:1', client, run });
    expect([told?.run, told?.client, told?.signal.aborted]).toEqual([run, client, false]);
  });

  it('F184 who asked is who opened the run: a call cannot put on another name', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: (_, ctx: ToolContext) => Promise.resolve(ctx.client.name) });
    const { id: run } = rig.hub.openRun('mcp:1', { kind: 'mcp', name: 'Claude Code' });
    expect(await rig.call('books.list', {}, { owner: 'mcp:1', client: { kind: 'panel', name: 'Model Hub' }, run })).toMatchObject({ result: 'Claude Code' });
    expect(rig.lastCall().client).toEqual({ kind: 'mcp', name: 'Claude Code' });
  });

  it('F003 F004 panel, plugin and MCP client pass one gate, under the same settings, into one log', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    rig.hub.settings.setTool('books', 'books.list', 'deny');
    for (const kind of ['panel', 'plugin', 'mcp'] as const) {
      expect(await rig.refused('books.list', {}, { owner: kind, client: { kind, name: kind } })).toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    }
    expect(rig.calls().map(({ client, n }) => [client.kind, n])).toEqual([['panel', 1], ['plugin', 2], ['mcp', 3]]);
  });

  it('F190 F080 its undoHandle is given the result; one undo function serves all tools of the plugin', async () => {
    const rig = startRig();
    const handles: string[] = [];
    const undo = (handle: string): Promise<string> => Promise.resolve(`Took back ${handles.push(handle)}.`);
    for (const name of ['books.add', 'books.remove']) {
      rig.tool(name, { effect: 'write', undoHandle: (result: { line: number }) => `${name} ${result.line}`, handler: () => Promise.resolve({ line: 7 }) }, undo);
    }
    rig.device({ auto: 'allow_once' });
    expect(await rig.call('books.add', {})).toEqual({ result: { line: 7 }, truncated: false, undo: 'books.add 7' });
    await rig.call('books.remove', {});
    await rig.hub.undo('books', 'books.remove 7');
    await rig.hub.undo('books', 'books.add 7');
    expect(handles).toEqual(['books.remove 7', 'books.add 7']);
  });

  it('F078 the span of a write says whether it can be taken back; that of a read says nothing of it', async () => {
    const rig = startRig();
    const undo = (): Promise<string> => Promise.resolve('');
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'h', handler: () => Promise.resolve(1) }, undo);
    rig.tool('books.send', { effect: 'write', handler: () => Promise.resolve(1) }, undo);
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) }, undo);
    rig.device({ auto: 'allow_once' });
    for (const name of ['books.add', 'books.send', 'books.list']) await rig.call(name, {});
    expect(rig.spans('tool_call').map(({ attributes }) => attributes['modelhub.undo.offered'])).toEqual([true, false, undefined]);
  });

  it('F189 a read has no handle, whatever its undoHandle says', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', undoHandle: () => 'h', handler: () => Promise.resolve(1) }, () => Promise.resolve(''));
    expect(await rig.call('books.list', {})).toEqual({ result: 1, truncated: false });
    expect([rig.lastCall().undo, rig.hub.undoable().size]).toEqual([undefined, 0]);
  });

  it('F155 F156 the span of its execution says whether it failed or ran out of time', async () => {
    const rig = startRig();
    rig.tool('books.fail', { effect: 'read', handler: () => Promise.reject(new Error('no')) });
    rig.tool('books.hang', { effect: 'read', handler: () => new Promise(() => undefined) });
    rig.tool('books.leave', { effect: 'read', handler: () => new Promise(() => undefined) });
    await rig.refused('books.fail', {});
    const hanging = rig.refused('books.hang', {});
    await rig.clock.advance(60_000);
    await hanging;
    const caller = new AbortController();
    const leaving = rig.refused('books.leave', {}, { signal: caller.signal });
    await rig.settle();
    caller.abort();
    await leaving;
    for (const kind of ['execute_tool', 'tool_call']) {
      expect(rig.spans(kind).map(({ attributes, status }) => [attributes['error.type'], status])).toEqual([['tool-failed', { code: 2 }], ['tool-timeout', { code: 2 }], [undefined, { code: 0 }]]);
    }
  });

  it('F155 a tool whose own call of another tool was refused fails, and says with which code', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => rig.call('books.gone', {}) });
    expect(await rig.refused('books.list', {})).toMatchObject({ code: 'tool-failed', details: { cause: 'tool-unknown' } });
    expect(rig.calls().map(({ tool, code }) => [tool, code])).toEqual([['books.gone', 'tool-unknown'], ['books.list', 'tool-failed']]);
  });

  it('its methods may use `this`', async () => {
    const rig = startRig();
    const tool = { name: 'books.list', description: 'Lists.', effect: 'read' as const, input: { type: 'object' as const }, books: ['Emma'], handler(this: { books: string[] }) { return Promise.resolve(this.books); } };
    rig.hub.register({ id: 'books', name: 'Books' }, [tool]);
    expect(await rig.call('books.list', {})).toMatchObject({ result: ['Emma'] });
  });
});
