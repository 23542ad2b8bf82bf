/** What a plugin may hand in by mistake: each is refused in words that name it, and nothing that stood before is lost. */
import { describe, expect, it } from 'vitest';
import type { RegisterOptions } from '../../src/core/registry.ts';
import type { HubTool } from '../../src/core/types.ts';
import { startRig } from '../fakes/rig.ts';

const TOOL: HubTool = { name: 'books.list', description: 'Lists.', effect: 'read', input: { type: 'object' }, handler: () => Promise.resolve(1) };
const PLUGIN = { id: 'books', name: 'Books' };

describe('a registration', () => {
  it.each<[string, unknown, string, unknown?]>([
    ['a tool in place of a list', TOOL, 'registerTools takes a list of tools.'],
    ['an undo that is no function', [TOOL], 'The undo option of registerTools must be a function.', { undo: 'undo' }],
    ['null in place of a tool', [null], 'A tool must be an object.'],
    ['a text in place of a tool', ['books.list'], 'A tool must be an object.'],
    ['an undoHandle that is no function', [{ ...TOOL, effect: 'write', undoHandle: 'id' }], 'The tool books.list cannot be registered: its undoHandle must be a function.'],
    ['a describe that is no function', [{ ...TOOL, describe: 'Lists.' }], 'The tool books.list cannot be registered: its describe must be a function.'],
    ['no input', [{ ...TOOL, input: undefined }], 'The tool books.list cannot be registered: its input must be a schema object.'],
  ])('F174 of %s is refused, and the earlier tools stay', (_, tools, message, options) => {
    const rig = startRig();
    rig.hub.register(PLUGIN, [{ ...TOOL, name: 'books.earlier' }]);
    expect(() => rig.hub.register(PLUGIN, tools as HubTool[], options as RegisterOptions)).toThrow(expect.objectContaining({ code: 'invalid-request', message }) as Error);
    expect(rig.hub.tools().map(({ name }) => name)).toEqual(['books.earlier']);
  });

  it('F214 F177 taking away what is not there changes nothing, and tells nobody', () => {
    const rig = startRig();
    let told = 0;
    rig.hub.onToolsChanged(() => told++);
    rig.hub.unregister('books');
    expect(told).toBe(0);
  });
});
