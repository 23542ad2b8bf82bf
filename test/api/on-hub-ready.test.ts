/** How another plugin meets the hub, in whatever order the two load, reload and go. */
import { describe, expect, it } from 'vitest';
import { openDoor } from '../../src/api/meeting.ts';
import { onHubReady, type HubConsumer } from '../../src/api/on-hub-ready.ts';
import type { HubApi } from '../../src/core/types.ts';
import { settled } from '../fakes/clock.ts';
import { startRig } from '../fakes/rig.ts';

/** A plugin as Obsidian loads and unloads one. */
class FakePlugin implements HubConsumer {
  readonly manifest: HubConsumer['manifest'];
  readonly #cleanups: (() => void)[] = [];
  constructor(id: string) {
    this.manifest = { id, name: id.toUpperCase(), version: '1.0.0' };
  }
  register(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }
  unload(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}

function registering(plugin: FakePlugin, order: string[] = []): (hub: HubApi) => void {
  return (hub) => {
    order.push(`${plugin.manifest.id} met`);
    hub.registerTools(plugin.manifest.id, [{ name: `${plugin.manifest.id}.look`, description: 'Looks.', effect: 'read', input: { type: 'object' }, handler: () => Promise.resolve(1) }]);
  };
}

function open(app: object, notices: string[] = []) {
  const rig = startRig();
  const close = openDoor(app, { hub: rig.hub, notice: (text) => notices.push(text) });
  return { rig, close };
}

describe('how another plugin meets the hub', () => {
  it('F172 the plugin loads first: it waits, and is called back once when the hub comes', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    await settled();
    expect(order).toEqual([]);
    const { rig } = open(app);
    await settled();
    expect([order, rig.hub.tools().length]).toEqual([['books met'], 1]);
  });

  it('F172 the plugin loads later: it is called back after its own onload', async () => {
    const app = {};
    const order: string[] = [];
    open(app);
    const plugin = new FakePlugin('books');
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    order.push('onload');
    await settled();
    expect(order).toEqual(['onload', 'books met']);
  });

  it('F173 the hub is reloaded: the old handle answers hub-gone, and the callback runs again', async () => {
    const app = {};
    const order: string[] = [];
    const hubs: HubApi[] = [];
    const plugin = new FakePlugin('books');
    const { close } = open(app);
    onHubReady(app, plugin, '0.9.0', (hub) => { hubs.push(hub); registering(plugin, order)(hub); });
    await settled();
    close();
    expect(() => hubs[0]!.tools()).toThrow(expect.objectContaining({ code: 'hub-gone' }) as Error);
    await expect(hubs[0]!.callTool('books', 'books.look', {})).rejects.toMatchObject({ code: 'hub-gone' });
    const { rig } = open(app);
    await settled();
    expect([order.length, rig.hub.tools().length]).toEqual([2, 1]);
  });

  it('F176 the plugin unloads: its tools go, and a hub that comes later does not call it', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    const { rig, close } = open(app);
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    await settled();
    plugin.unload();
    expect(rig.hub.tools()).toEqual([]);
    close();
    open(app);
    await settled();
    expect(order).toHaveLength(1);
  });

  it('F171 it needs a newer hub: nothing throws, one notice names both versions, no callback', async () => {
    const app = {};
    const notices: string[] = [];
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    open(app, notices);
    onHubReady(app, plugin, '99.0.0', registering(plugin, order));
    await settled();
    expect([order, notices]).toEqual([[], ['BOOKS needs Model Hub with API 99.0.0; this one has 0.9.0. Update Model Hub.']]);
  });

  it('its callback throws: it is named to the user, and the others are still called', async () => {
    const app = {};
    const notices: string[] = [];
    const order: string[] = [];
    const [first, second] = [new FakePlugin('first'), new FakePlugin('second')];
    onHubReady(app, first, '0.6.0', () => { throw new Error('CANARY'); });
    onHubReady(app, second, '0.6.0', registering(second, order));
    open(app, notices);
    await settled();
    expect([order, notices]).toEqual([['second met'], ['The plugin first failed while it met Model Hub: its tools may be missing. Look for an update of the plugin.']]);
  });

  it('F012 its namespace belongs to another plugin: the user is told which', async () => {
    const app = {};
    const notices: string[] = [];
    const { rig } = open(app, notices);
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(1) });
    onHubReady(app, new FakePlugin('films'), '0.6.0', (hub) => hub.registerTools('films', [{ name: 'books.add', description: 'Adds.', effect: 'write', input: { type: 'object' }, handler: () => Promise.resolve(1) }]));
    await settled();
    expect(notices).toEqual(['The plugin films failed while it met Model Hub: its tools may be missing. The namespace "books" belongs to the plugin books. Choose another one.']);
  });

  it('two plugins stand beside each other, each under its own id', async () => {
    const app = {};
    const { rig } = open(app);
    for (const id of ['books', 'films']) {
      const plugin = new FakePlugin(id);
      onHubReady(app, plugin, '0.6.0', registering(plugin));
    }
    await settled();
    expect(rig.hub.tools().map(({ owner }) => owner)).toEqual(['books', 'films']);
  });
});
