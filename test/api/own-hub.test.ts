/**
 * Each plugin has a hub of its own: it names that plugin as owner of all that it does, and of nothing that another does.
 */
import { describe, expect, it } from 'vitest';
import { hubForPlugin } from '../../src/api/hub-for-plugin.ts';
import type { HubApi, HubTool } from '../../src/core/types.ts';
import { startRig, type Rig } from '../fakes/rig.ts';

const LIST: HubTool = { name: 'books.list', description: 'Lists.', effect: 'read', input: { type: 'object' }, handler: () => Promise.resolve(1) };

function two(): { rig: Rig; books: HubApi; films: HubApi } {
  const rig = startRig();
  const [books, films] = ['books', 'films'].map((id) => hubForPlugin(rig.hub, { id, name: id }).api) as [HubApi, HubApi];
  books.registerTools('books', [LIST]);
  return { rig, books, films };
}

/** Every call that takes an owner. */
const WITH_OWNER: readonly [string, (hub: HubApi, owner: string) => unknown][] = [
  ['registerTools', (hub, owner) => hub.registerTools(owner, [])],
  ['unregisterTools', (hub, owner) => hub.unregisterTools(owner)],
  ['callTool', (hub, owner) => hub.callTool(owner, 'books.list', {})],
  ['startRun', (hub, owner) => hub.startRun(owner)],
  ['endRun', (hub, owner) => hub.endRun(owner, 'x')],
  ['run', (hub, owner) => hub.run(owner, 'x')],
  ['undo', (hub, owner) => hub.undo(owner, 'x')],
];

describe('the hub of one plugin', () => {
  it.each(WITH_OWNER)('D21 %s refuses the id of another plugin, and says whose hub it is', async (_, use) => {
    const { rig, films } = two();
    const refusal = { code: 'invalid-request', message: 'This hub was given to the plugin films. Pass that id as owner.' };
    await expect((async () => use(films, 'books'))()).rejects.toMatchObject(refusal);
    expect([rig.hub.tools().length, rig.rows()]).toEqual([1, []]);
  });

  it.each([...WITH_OWNER, ['tools', (hub) => hub.tools()], ['onToolsChanged', (hub) => hub.onToolsChanged(() => undefined)], ['toolCalls', (hub) => hub.toolCalls()]] as typeof WITH_OWNER)(
    'D21 F173 %s answers hub-gone when the hub has gone', async (_, use) => {
      const { api, revoke } = hubForPlugin(startRig().hub, { id: 'films', name: 'Films' });
      revoke();
      await expect((async () => use(api, 'films'))()).rejects.toMatchObject({ code: 'hub-gone' });
    });

  it('D21 F041 a call is by the plugin whose hub it is, in the question and in the row', async () => {
    const { rig, films } = two();
    rig.hub.settings.setTool('books', 'books.list', 'ask');
    const device = rig.device({ auto: 'allow_once' });
    await films.callTool('films', 'books.list', {});
    expect([device.shown[0]?.client, rig.lastCall().client]).toEqual([{ kind: 'plugin', name: 'films' }, { kind: 'plugin', name: 'films' }]);
  });

  it('F217 F222 a run is opened with an id and a list that holds', async () => {
    const { rig, films } = two();
    const run = films.startRun('films', { tools: ['films.list'] });
    expect([run.id.length > 20, run.tools, 'budgetUsd' in run]).toEqual([true, ['films.list'], false]);
    await expect(films.callTool('films', 'books.list', {}, { run: run.id })).rejects.toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    films.endRun('films', run.id);
    expect(rig.spans('invoke_agent').map(({ attributes }) => attributes['modelhub.run.tools_allowed'])).toEqual([1]);
  });

  it('F218 F227 endRun closes the run: what is in flight is aborted, and nobody can use it any more', async () => {
    const { films, books } = two();
    books.registerTools('books', [{ ...LIST, handler: () => new Promise(() => undefined) }]);
    const { id } = films.startRun('films');
    const calling = films.callTool('films', 'books.list', {}, { run: id });
    films.endRun('films', id);
    await expect(calling).rejects.toMatchObject({ code: 'aborted' });
    expect(() => films.run('films', id)).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
  });

  it('F157 the caller\'s signal stops the call', async () => {
    const { films, books } = two();
    books.registerTools('books', [{ ...LIST, handler: () => new Promise(() => undefined) }]);
    const caller = new AbortController();
    const calling = films.callTool('films', 'books.list', {}, { signal: caller.signal });
    caller.abort();
    await expect(calling).rejects.toMatchObject({ code: 'aborted' });
  });
});
