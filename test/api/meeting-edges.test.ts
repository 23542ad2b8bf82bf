/** What goes wrong, or at odd moments, where a plugin meets the hub. */
import { describe, expect, it } from 'vitest';
import { onHubReady } from '../../src/api/on-hub-ready.ts';
import type { HubApi } from '../../src/core/types.ts';
import { settled } from '../fakes/clock.ts';
import { FakePlugin, open, registering } from '../fakes/plugin.ts';

describe('a plugin that meets the hub', () => {
  it('F172 and calls onHubReady twice is called back for each, with one hub; its tools are those registered last', async () => {
    const app = {};
    const hubs: HubApi[] = [];
    const plugin = new FakePlugin('books');
    const { rig } = open(app);
    for (const name of ['books.one', 'books.two']) onHubReady(app, plugin, '0.6.0', (hub) => { hubs.push(hub); registering(plugin, [], { name })(hub); });
    await settled();
    expect([hubs[0] === hubs[1], rig.hub.tools().map(({ name }) => name)]).toEqual([true, ['books.two']]);
    plugin.unload();
    expect(rig.hub.tools()).toEqual([]);
  });

  it('F176 and cannot register its clean-up leaves nothing behind that could never be taken away', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    const broken = { manifest: plugin.manifest, register: () => { throw new Error('no component'); } };
    expect(() => onHubReady(app, broken, '0.6.0', registering(plugin, order))).toThrow('no component');
    const { rig } = open(app);
    await settled();
    expect([order, rig.hub.tools()]).toEqual([[], []]);
  });

  it('F173 F176 and is switched off between two hubs is not called by the second', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    const first = open(app);
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    await settled();
    first.close();
    plugin.unload();
    open(app);
    await settled();
    expect(order).toEqual(['books met']);
  });

  it('F173 is not called by a hub that went before it could be', async () => {
    const app = {};
    const order: string[] = [];
    const plugin = new FakePlugin('books');
    const { close } = open(app);
    onHubReady(app, plugin, '0.6.0', registering(plugin, order));
    close();
    await settled();
    expect(order).toEqual([]);
  });

  it('F176 and is switched on again gets a hub of its own; the old one says that the plugin went, not the hub', async () => {
    const app = {};
    const hubs: HubApi[] = [];
    const { rig } = open(app);
    for (let n = 0; n < 2; n++) {
      const plugin = new FakePlugin('books');
      onHubReady(app, plugin, '0.6.0', (hub) => { hubs.push(hub); registering(plugin)(hub); });
      await settled();
      if (n === 0) plugin.unload();
    }
    expect(rig.hub.tools()).toHaveLength(1);
    expect(hubs[1]!.tools()).toHaveLength(1);
    expect(() => hubs[0]!.tools()).toThrow(expect.objectContaining({ code: 'hub-gone', message: 'The plugin that asked was switched off or reloaded, and has no part in Model Hub any more.' }) as Error);
  });

  it('F218 may clean up when it or the hub goes: once, also where the callback is async, and at once where the hub went meanwhile', async () => {
    const app = {};
    const ran: string[] = [];
    const plugin = new FakePlugin('books');
    let late = (): void => undefined;
    const waiting = new Promise<void>((resolve) => { late = resolve; });
    const { close } = open(app);
    onHubReady(app, plugin, '0.6.0', () => () => ran.push('sync'));
    onHubReady(app, plugin, '0.6.0', async () => { await Promise.resolve(); return () => ran.push('async'); });
    onHubReady(app, plugin, '0.6.0', async () => { await waiting; return () => ran.push('late'); });
    await settled();
    expect(ran).toEqual([]);
    plugin.unload();
    expect(ran).toEqual(['sync', 'async']);
    late();
    await settled();
    close();
    expect(ran).toEqual(['sync', 'async', 'late']);
  });

  it('and whose clean-up throws is named, and the others are cleaned up', async () => {
    const app = {};
    const ran: string[] = [];
    const { close, notices, failures } = open(app);
    onHubReady(app, new FakePlugin('first'), '0.6.0', () => () => { throw new Error('CANARY'); });
    onHubReady(app, new FakePlugin('second'), '0.6.0', () => () => ran.push('second'));
    await settled();
    close();
    expect([ran, notices, failures.length]).toEqual([['second'], ['The plugin first failed while it left Model Hub. Look for an update of the plugin.'], 1]);
  });

  it('and whose callback still waited when the hub went is not said to have failed', async () => {
    const app = {};
    const { close, notices } = open(app);
    onHubReady(app, new FakePlugin('books'), '0.6.0', async (hub) => {
      await settled();
      hub.registerTools('books', []);
    });
    await Promise.resolve();
    close();
    await settled();
    await settled();
    expect(notices).toEqual([]);
  });

  it('F173 and kept the hub of before a reload hears hub-gone of every call of it', async () => {
    const app = {};
    const hubs: HubApi[] = [];
    const { close } = open(app);
    onHubReady(app, new FakePlugin('books'), '0.6.0', (hub) => { hubs.push(hub); });
    await settled();
    close();
    open(app);
    await settled();
    const old = hubs[0]!;
    const uses: readonly (() => unknown)[] = [
      () => old.registerTools('books', []), () => old.unregisterTools('books'), () => old.callTool('books', 'books.look', {}), () => old.tools(), () => old.onToolsChanged(() => undefined),
      () => old.startRun('books'), () => old.endRun('books', 'r'), () => old.run('books', 'r'), () => old.undo('books', 'h'), () => old.toolCalls(),
    ];
    expect(uses).toHaveLength(Object.values(old).filter((member) => typeof member === 'function').length);
    for (const use of uses) await expect((async () => use())()).rejects.toMatchObject({ code: 'hub-gone' });
  });
});
