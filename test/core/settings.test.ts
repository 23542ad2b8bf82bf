/**
 * What each setting does to a call, from one end of the gate to the other.
 */
import { describe, expect, it } from 'vitest';
import type { Setting } from '../../src/core/types.ts';
import { startRig } from '../fakes/rig.ts';

describe('a setting', () => {
  it.each<[string, Setting, 'read' | 'write', number, readonly (string | undefined)[]]>([
    ['F028 Allow: a write runs, and nobody is asked', 'allow', 'write', 0, ['ok', 'ok']],
    ['F029 Ask: each call of a read asks', 'ask', 'read', 2, ['ok', 'ok']],
    ['F029 Ask: each call of a write asks', 'ask', 'write', 2, ['ok', 'ok']],
    ['F030 Deny: refused, and nobody is asked', 'deny', 'read', 0, ['refused', 'refused']],
    ['F031 Default: a write asks by the built-in rule', 'default', 'write', 2, ['ok', 'ok']],
  ])('%s', async (_, setting, effect, questions, outcomes) => {
    const rig = startRig();
    rig.tool('books.go', { effect, handler: () => Promise.resolve(1) });
    rig.hub.settings.setTool('books', 'books.go', setting);
    const device = rig.device({ auto: 'allow_once' });
    for (let n = 0; n < 2; n++) await rig.call('books.go', {}).catch(() => undefined);
    expect([device.shown.length, rig.calls().map(({ outcome }) => outcome)]).toEqual([questions, outcomes]);
  });

  it('F059 that another window changed holds, and settles what waits, as soon as the hub is told', async () => {
    const rig = startRig();
    rig.tool('books.go', { effect: 'write', handler: () => Promise.resolve(1) });
    const device = rig.device();
    const calling = rig.refused('books.go', {});
    await rig.settle();
    let told = 0;
    rig.hub.onToolsChanged(() => told++);
    rig.settings.saved = { ...rig.settings.saved, plugins: new Map([['books', { setting: 'deny', tools: new Map() }]]) };
    rig.hub.settings.reload();
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'policy' } });
    expect([device.current, told, rig.hub.tools()[0]?.policy.effective]).toEqual([undefined, 1, 'deny']);
  });

  it('F036 the switch for MCP clients is saved beside what another window saved', () => {
    const rig = startRig();
    const plugins = new Map([['other', { setting: 'deny' as const, tools: new Map() }]]);
    rig.settings.saved = { mcpRunGrants: false, plugins };
    rig.hub.settings.setMcpRunGrants(true);
    expect(rig.settings.saved).toEqual({ mcpRunGrants: true, plugins });
  });

  it('belongs to a plugin and a tool together: another plugin that comes to the name starts at default', () => {
    const rig = startRig();
    rig.hub.settings.setTool('books', 'books.go', 'allow');
    expect([rig.hub.settings.tool('books', 'books.go'), rig.hub.settings.tool('other', 'books.go')]).toEqual(['allow', 'default']);
  });

  it('is saved beside the others: what another window saved meanwhile stays when one is changed here', () => {
    const rig = startRig();
    rig.settings.saved = { mcpRunGrants: true, plugins: new Map([['other', { setting: 'deny', tools: new Map() }]]) };
    rig.hub.settings.setTool('books', 'books.go', 'ask');
    rig.hub.settings.setTool('books', 'books.go', 'default');
    expect(rig.settings.saved).toEqual({ mcpRunGrants: true, plugins: new Map([['other', { setting: 'deny', tools: new Map() }], ['books', { setting: 'default', tools: new Map() }]]) });
  });
});
