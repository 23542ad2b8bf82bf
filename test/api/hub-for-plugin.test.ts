/** The hub as one plugin holds it: the worked example of the developer page, and what each call promises. */
import { describe, expect, it } from 'vitest';
import { hubForPlugin } from '../../src/api/hub-for-plugin.ts';
import type { HubApi, HubTool } from '../../src/core/types.ts';
import { startRig, type Rig } from '../fakes/rig.ts';

const LIST: HubTool = { name: 'books.list_shelves', description: 'Lists shelves.', effect: 'read', replay: 'safe', input: { type: 'object' }, handler: () => Promise.resolve(['To read']) };
const ADD: HubTool = {
  name: 'books.add_to_shelf', description: 'Adds a book.', effect: 'write', replay: 'unsafe', undo: { kind: 'handle' }, undoHandle: (result) => (result as { line: string }).line,
  input: { type: 'object', properties: { shelf: { type: 'string' }, book: { type: 'string' } }, required: ['shelf', 'book'] },
  handler: () => Promise.resolve({ line: 'l-1' }),
};

function books(): { rig: Rig; hub: HubApi; revoke: () => void } {
  const rig = startRig();
  const { api, revoke } = hubForPlugin(rig.hub, { id: 'books', name: 'Books' });
  return { rig, hub: api, revoke };
}

describe('the hub as a plugin holds it', () => {
  it('F174 F210 F212 F213 F230 the worked example: register, list, call in a run, take back, read the log', async () => {
    const { rig, hub } = books();
    hub.registerTools('books', [LIST, ADD], { undo: (handle) => Promise.resolve(`Took ${handle} off.`) });
    rig.device({ auto: 'allow_once' });
    expect(hub.tools().map(({ name, owner, policy }) => [name, owner, policy.effective])).toEqual([['books.add_to_shelf', 'books', 'ask'], ['books.list_shelves', 'books', 'allow']]);
    const run = hub.startRun('books', { budgetUsd: 0.5, tools: ['books.list_shelves', 'books.add_to_shelf'] });
    expect(run).toMatchObject({ owner: 'books', budgetUsd: 0.5, spentUsd: 0, undo: [] });
    expect(await hub.callTool('books', 'books.list_shelves', {}, { run: run.id })).toEqual({ result: ['To read'], truncated: false });
    expect(await hub.callTool('books', 'books.add_to_shelf', { shelf: 'To read', book: 'Emma' }, { run: run.id })).toEqual({ result: { line: 'l-1' }, truncated: false, undo: 'l-1' });
    expect(hub.run('books', run.id).undo).toEqual(['l-1']);
    expect(await hub.undo('books', 'l-1')).toBe('Took l-1 off.');
    hub.endRun('books', run.id);
    expect((await hub.toolCalls({ run: run.id })).map(({ kind, tool, outcome }) => [kind, tool, outcome])).toEqual([
      ['call', 'books.list_shelves', 'ok'], ['call', 'books.add_to_shelf', 'ok'], ['undo', 'books.add_to_shelf', 'done'],
    ]);
  });

  it('F122 F123 toolCalls filters by run, plugin, tool, since and until, and refuses a time that is none', async () => {
    const { rig, hub } = books();
    hub.registerTools('books', [LIST]);
    await hub.callTool('books', 'books.list_shelves', {});
    await rig.clock.advance(1_000);
    await hub.callTool('books', 'books.list_shelves', {});
    const [first, second] = await hub.toolCalls();
    expect(await hub.toolCalls({ run: second!.run })).toEqual([second]);
    expect(await hub.toolCalls({ since: second!.time })).toEqual([second]);
    expect(await hub.toolCalls({ until: second!.time })).toEqual([first]);
    expect(await hub.toolCalls({ plugin: 'books', tool: 'books.list_shelves' })).toHaveLength(2);
    expect(await hub.toolCalls({ plugin: 'other' })).toEqual([]);
    await expect(hub.toolCalls({ since: 'yesterday' })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(hub.toolCalls({ run: 7 as unknown as string })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('F122 F161 toolCalls says in the hub\'s own words that the log cannot be read', async () => {
    const { rig, hub } = books();
    rig.unreadable = true;
    await expect(hub.toolCalls()).rejects.toMatchObject({ code: 'tool-denied', details: { reason: 'log' }, message: 'The log cannot be read. Let Model Hub read its folder, then try again.' });
  });

  it('F211 D21 an owner that is not the plugin\'s own id is refused', async () => {
    const { hub } = books();
    const refusal = expect.objectContaining({ code: 'invalid-request' }) as Error;
    expect(() => hub.registerTools('other', [])).toThrow(refusal);
    expect(() => hub.startRun('other')).toThrow(refusal);
    expect(() => hub.endRun('other', 'x')).toThrow(refusal);
    await expect(hub.callTool('other', 'books.list_shelves', {})).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(hub.undo('other', 'h')).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('F214 changes of the list are told: of tools, and of settings; a listener that throws keeps none from hearing', () => {
    const { rig, hub } = books();
    let told = 0;
    hub.onToolsChanged(() => { throw new Error('mine'); });
    const stop = hub.onToolsChanged(() => told++);
    hub.registerTools('books', [LIST]);
    rig.hub.settings.setTool('books', 'books.list_shelves', 'deny');
    hub.unregisterTools('books');
    expect([told, hub.tools()]).toEqual([3, []]);
    stop();
    hub.registerTools('books', [LIST]);
    expect(told).toBe(3);
  });

  it('D07 hub.tools lists denied tools too, with the policy in force', () => {
    const { rig, hub } = books();
    hub.registerTools('books', [LIST]);
    rig.hub.settings.setPlugin('books', 'deny');
    expect(hub.tools()[0]?.policy).toEqual({ effective: 'deny', source: 'plugin' });
  });

  it('F161 F231 an error is an Error with a message to show and a code to branch on', async () => {
    const { hub } = books();
    const error: unknown = await hub.callTool('books', 'books.gone', {}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: 'tool-unknown', message: expect.stringContaining('List the tools') as string });
  });

  it('a handle that was revoked answers hub-gone', async () => {
    const { hub, revoke } = books();
    revoke();
    expect(() => hub.tools()).toThrow(expect.objectContaining({ code: 'hub-gone' }) as Error);
    await expect(hub.callTool('books', 'books.list_shelves', {})).rejects.toMatchObject({ code: 'hub-gone' });
  });

  it.each<[string, (hub: HubApi, junk: never) => unknown]>([
    ['registerTools', (hub, junk) => hub.registerTools('books', [], junk)], ['callTool', (hub, junk) => hub.callTool('books', 'books.list_shelves', {}, junk)],
    ['startRun', (hub, junk) => hub.startRun('books', junk)], ['toolCalls', (hub, junk) => hub.toolCalls(junk)], ['onToolsChanged', (hub, junk) => hub.onToolsChanged(junk)],
    ['callTool with a signal', (hub, junk) => hub.callTool('books', 'books.list_shelves', {}, { signal: junk })],
  ])('F161 %s says in the hub\'s own words that it was given no object', async (_, use) => {
    const { rig, hub } = books();
    for (const junk of [null, 5, 'x', true]) await expect((async () => use(hub, junk as never))()).rejects.toMatchObject({ code: 'invalid-request', name: 'HubError' });
    expect([rig.hub.tools(), rig.spans('tool_call'), rig.spans('invoke_agent')]).toEqual([[], [], []]);
  });

  it('F217 D21 a plugin\'s run is never that of an MCP session', () => {
    const { rig, hub } = books();
    const { id } = hub.startRun('books', { mcp: { sessionId: 'theirs' } } as never);
    hub.endRun('books', id);
    expect(rig.spans('invoke_agent')[0]?.attributes['mcp.session.id']).toBeUndefined();
  });

  it('F176 F214 a plugin that has gone hears of no change any more', () => {
    const { rig, hub, revoke } = books();
    let heard = 0;
    hub.onToolsChanged(() => { heard++; });
    revoke();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    expect(heard).toBe(0);
  });
});
