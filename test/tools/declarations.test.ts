/** The hub's own tools declare replay and undo, without contradiction; and the check that says so. */
import { describe, expect, it } from 'vitest';
import type { HubTool } from '../../src/core/types.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { checkOwnTool } from '../../src/tools/declarations.ts';
import { ownTools } from '../../src/tools/own-tools.ts';
import { MemoryUndoStore } from '../fakes/memory.ts';
import { TempVault } from '../fakes/temp-vault.ts';

const own = ownTools({ files: new TempVault().files, store: new MemoryUndoStore(), crypto: new NodeCrypto('ab'.repeat(32)) });

const READ: HubTool = { name: 'vault.sample', description: 'Sample.', effect: 'read', replay: 'safe', input: { type: 'object' }, handler: () => Promise.resolve(1) };
const WRITE: HubTool = { ...READ, effect: 'write', undo: { kind: 'handle' }, undoHandle: () => 'h' };

describe('the hub\'s own tools', () => {
  it('F199 there are some', () => {
    expect(own.tools.map(({ name }) => name)).toEqual(['vault.edit_note']);
  });

  it.each(own.tools.map((tool) => [tool.name, tool] as const))('F192 F193 F194 F195 %s declares replay and undo without contradiction', (_, tool) => {
    expect(checkOwnTool(tool)).toEqual([]);
  });

  it('every write of theirs has a guard', () => {
    for (const { name, effect } of own.tools) if (effect === 'write') expect(own.options.guards?.has(name), name).toBe(true);
  });
});

describe('the check of the hub\'s own tools', () => {
  it('passes a sound read, a sound write, and a write that says why it has no undo', () => {
    const { undoHandle: _, ...noHandle } = WRITE;
    expect([READ, WRITE, { ...noHandle, undo: { kind: 'none', reason: 'A sent message cannot be called back.' } } as HubTool].flatMap(checkOwnTool)).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof HubTool, unknown>>, string]>([
    ['F192 leaves out replay', { replay: undefined }, 'does not declare replay'],
    ['F192 is a write without undo', { undo: undefined }, 'is a write and does not declare undo'],
    ['F193 has an undo by handle without undoHandle', { undoHandle: undefined }, 'declares an undo by handle and has no undoHandle'],
    ['F194 has no undo and no reason', { undo: { kind: 'none' }, undoHandle: undefined }, 'declares no undo and gives no reason'],
    ['F194 has no undo and an empty reason', { undo: { kind: 'none', reason: ' ' }, undoHandle: undefined }, 'declares no undo and gives no reason'],
    ['F194 has no undo and yet undoHandle', { undo: { kind: 'none', reason: 'It is sent.' } }, 'declares no undo and has undoHandle'],
    ['F195 is a read with an undo', { effect: 'read', undoHandle: undefined }, 'is a read and declares an undo'],
    ['F195 is a read with undoHandle', { effect: 'read', undo: undefined }, 'is a read and has undoHandle'],
  ])('%s: fails it', (_, change, fault) => {
    expect(checkOwnTool({ ...WRITE, ...change } as HubTool)).toEqual([fault]);
  });
});
