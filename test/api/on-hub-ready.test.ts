/** How another plugin meets the hub: the eleven situations, in the order of the cases. */
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { onHubReady } from '../../src/api/on-hub-ready.ts';
import type { HubApi } from '../../src/core/types.ts';
import { ServedTools } from '../../src/mcp/served-tools.ts';
import { settled } from '../fakes/clock.ts';
import { FakePlugin, open, registering } from '../fakes/plugin.ts';

const GONE = expect.objectContaining({ code: 'hub-gone' }) as Error;

describe('how another plugin meets the hub', () => {
  it('obsidian load 1 F172 it loads first: it waits without a notice, and is called back once when the hub comes', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    await settled();
    expect(order).toEqual([]);
    const { rig, notices } = open(app);
    await settled();
    expect([order, rig.hub.tools().length, notices]).toEqual([['books met'], 1, []]);
  });

  it('obsidian load 2 F172 it loads later: it is called back once, after its own onload', async () => {
    const app = {};
    const order: string[] = [];
    open(app);
    const plugin = new FakePlugin('books');
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    order.push('onload');
    await settled();
    expect(order).toEqual(['onload', 'books met']);
  });

  it('obsidian load 3 F173 the hub is reloaded: the old handle answers hub-gone, the callback runs again, and there are as many tools as before', async () => {
    const app = {};
    const order: string[] = [];
    const hubs: HubApi[] = [];
    const plugin = new FakePlugin('books');
    const first = open(app);
    onHubReady(app, plugin, '0.9.0', (hub) => { hubs.push(hub); registering(plugin, order)(hub); });
    await settled();
    first.close();
    expect(() => hubs[0]!.tools()).toThrow(GONE);
    await expect(hubs[0]!.callTool('books', 'books.look', {})).rejects.toMatchObject({ code: 'hub-gone' });
    const { rig } = open(app);
    await settled();
    expect([order.length, rig.hub.tools().length, hubs[1]!.tools().length]).toEqual([2, 1, 1]);
    expect(() => hubs[0]!.tools()).toThrow(GONE);
  });

  it('obsidian load 4 the hub is switched off: the plugin\'s clean-up runs once, its calls reject with a code, and nothing of it throws', async () => {
    const app = {};
    let cleanedUp = 0;
    let held: HubApi | undefined;
    const plugin = new FakePlugin('books');
    const { close, notices } = open(app);
    onHubReady(app, plugin, '0.6.0', (hub) => {
      held = hub;
      registering(plugin)(hub);
      return () => { cleanedUp++; };
    });
    await settled();
    close();
    await expect(held!.callTool('books', 'books.look', {})).rejects.toMatchObject({ code: 'hub-gone', message: 'Model Hub was switched off or reloaded. Try again when it is back.' });
    expect(() => plugin.unload()).not.toThrow();
    expect([cleanedUp, notices]).toEqual([1, []]);
  });

  it('obsidian load 5 F176 F155 it is switched off: its tools go from the list and from MCP, and the open question about one closes as failed', async () => {
    const app = {};
    const { rig } = open(app);
    const [books, films] = [new FakePlugin('books'), new FakePlugin('films')];
    onHubReady(app, books, '0.6.0', registering(books, [], { effect: 'write' }));
    onHubReady(app, films, '0.6.0', registering(films));
    await settled();
    const served = (): string[] => new ServedTools(rig.hub).list().map(({ name }) => name);
    const device = rig.device();
    const call = rig.refused('books.look', {}, { owner: 'films', client: { kind: 'plugin', name: 'films' } });
    await settled();
    expect([device.current?.tool, served()]).toEqual(['books.look', ['books_look', 'films_look']]);
    books.unload();
    expect(await call).toMatchObject({ code: 'tool-failed', message: 'The plugin that owns this tool was switched off during the call.' });
    expect([device.current, rig.hub.tools().map(({ name }) => name), served()]).toEqual([undefined, ['films.look'], ['films_look']]);
  });

  it('obsidian load 5 F157 it is switched off while it asks: its question closes, and its call ends as aborted', async () => {
    const app = {};
    const { rig } = open(app);
    rig.tool('notes.write', { effect: 'write', handler: () => Promise.resolve(1) });
    const films = new FakePlugin('films');
    let call: Promise<unknown> | undefined;
    onHubReady(app, films, '0.6.0', (hub) => { call = hub.callTool('films', 'notes.write', {}); });
    const device = rig.device();
    await settled();
    expect(device.current?.client.name).toBe('films');
    films.unload();
    await expect(call).rejects.toMatchObject({ code: 'aborted', message: 'The plugin that asked was switched off during the call.' });
    expect([device.current, device.closed.map(({ by }) => by), rig.lastCall().outcome]).toEqual([undefined, ['caller_gone'], 'aborted']);
  });

  it('obsidian load 6 F171 its version is too low: nothing throws, one notice names both versions, no callback', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    const { notices } = open(app);
    expect(() => onHubReady(app, plugin, '99.0.0', registering(plugin, order))).not.toThrow();
    await settled();
    expect([order, notices]).toEqual([[], ['BOOKS needs Model Hub with API 99.0.0; this one has 0.9.0. Update Model Hub.']]);
  });

  it.each<[string, () => unknown]>([['throws', () => { throw new Error('CANARY'); }], ['rejects', () => Promise.reject(new Error('CANARY'))]])(
    'obsidian load 7 its callback %s: the user is told its id and nothing of its words, its author hears the error, and the others are still called', async (_, callback) => {
      const app = {};
      const order: string[] = [];
      const [first, second] = [new FakePlugin('first'), new FakePlugin('second')];
      onHubReady(app, first, '0.6.0', callback);
      onHubReady(app, second, '0.6.0', registering(second, order));
      const { notices, failures } = open(app);
      await settled();
      expect([order, notices]).toEqual([['second met'], ['The plugin first failed while it met Model Hub: its tools may be missing. Look for an update of the plugin.']]);
      expect(failures).toEqual([['first', expect.objectContaining({ message: 'CANARY' })]]);
    });

  it('obsidian load 8 plugins are loaded lazily: nothing of the app is looked at, no list of enabled plugins either', async () => {
    const looked: PropertyKey[] = [];
    const app = new Proxy({}, { get: (target, key, self) => { looked.push(key); return Reflect.get(target, key, self) as unknown; } });
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    open(app);
    await settled();
    expect([order, [...new Set(looked)]]).toEqual([['books met'], [Symbol.for('model-hub.meeting.1')]]);
  });

  it('obsidian load 9 two plugins carry a copy of the small file each: both meet the hub, and one that goes takes nothing of the other along', async () => {
    const app = {};
    const { rig } = open(app);
    const plugins = [new FakePlugin('books'), new FakePlugin('films')];
    const copies = await Promise.all(plugins.map(bundledCopy));
    expect(copies[0]).not.toBe(copies[1]);
    for (const [at, plugin] of plugins.entries()) copies[at]!(app, plugin, '0.6.0', registering(plugin));
    await settled();
    expect(rig.hub.tools().map(({ owner }) => owner)).toEqual(['books', 'films']);
    plugins[0]!.unload();
    expect(rig.hub.tools().map(({ owner }) => owner)).toEqual(['films']);
  });

  it('obsidian load 10 F012 a namespace is taken over: its owner keeps it, the newcomer is told whose it is, and gets none of the settings', async () => {
    const app = {};
    const { rig, notices } = open(app);
    const [books, films] = [new FakePlugin('books'), new FakePlugin('films')];
    onHubReady(app, books, '0.6.0', registering(books, [], { effect: 'write' }));
    await settled();
    rig.hub.settings.setTool('books', 'books.look', 'allow');
    books.unload();
    let code: unknown;
    onHubReady(app, films, '0.6.0', (hub) => {
      try {
        registering(films, [], { name: 'books.look', effect: 'write' })(hub);
      } catch (error) {
        code = (error as { code?: unknown }).code;
        throw error;
      }
    });
    await settled();
    expect([code, rig.hub.tools(), rig.hub.settings.tool('films', 'books.look')]).toEqual(['tool-name-taken', [], 'default']);
    expect(notices).toEqual(['The plugin films failed while it met Model Hub: its tools may be missing. The namespace "books" belongs to the plugin books. Choose another one.']);
  });

  it('obsidian load 11 D21 code that claims another plugin\'s id is named as that plugin: nothing authenticates it, and the docs say so', async () => {
    const app = {};
    const { rig } = open(app);
    rig.tool('notes.read', { effect: 'read', handler: () => Promise.resolve(1) });
    let call: Promise<unknown> | undefined;
    onHubReady(app, new FakePlugin('films'), '0.6.0', (hub) => { call = hub.callTool('films', 'notes.read', {}); });
    await settled();
    await call;
    expect(rig.lastCall().client).toEqual({ kind: 'plugin', name: 'films' });
    expect(readFileSync('docs/developers.md', 'utf8')).toContain('Names are not proof');
  });
});

/** `onHubReady` of a bundle of its own, as a plugin carries it. */
async function bundledCopy(): Promise<typeof onHubReady> {
  const { outputFiles } = await build({ entryPoints: ['src/api/on-hub-ready.ts'], bundle: true, format: 'cjs', minify: true, write: false });
  const module = { exports: {} as { onHubReady: typeof onHubReady } };
  runInNewContext(outputFiles[0]!.text, { module, exports: module.exports, queueMicrotask });
  return module.exports.onHubReady;
}
