/** The tool that edits a note: its guard, its edits, its undo. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { HubError } from '../../src/core/errors.ts';
import type { HubTool } from '../../src/core/types.ts';
import { ownTools } from '../../src/tools/own-tools.ts';
import { MemoryUndoStore } from '../fakes/memory.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { TempVault } from '../fakes/temp-vault.ts';

const NOTE = 'Projects/Reading group.md';
const LATER = { note: NOTE, edits: [{ find: 'at 19:00, in the back room', replace: 'at 19:30, in the front room' }] };

interface Scene {
  readonly rig: Rig;
  readonly vault: TempVault;
  readonly store: MemoryUndoStore;
}

function scene(): Scene {
  const rig = startRig();
  const vault = new TempVault();
  const store = new MemoryUndoStore();
  register(rig, vault, store);
  return { rig, vault, store };
}

function register(rig: Rig, vault: TempVault, store: MemoryUndoStore): HubTool {
  const own = ownTools({ files: vault.files, store, crypto: rig.crypto });
  rig.hub.register(own.plugin, own.tools, own.options);
  return own.tools[0]!;
}

const failure = (promise: Promise<unknown>): Promise<HubError> => promise.then(() => { throw new Error('it did not fail'); }, (error: unknown) => error as HubError);

describe('vault.edit_note', () => {
  it('F061 F062 asks with its edits in place of the arguments, then makes them', async () => {
    const { rig, vault } = scene();
    const device = rig.device();
    const before = vault.text(NOTE);
    const calling = rig.call('vault.edit_note', LATER);
    await vi.waitFor(() => expect(device.current).toBeDefined());
    expect(device.shown[0]?.preview).toEqual({
      kind: 'edits',
      edits: [{
        note: NOTE,
        before: 'We meet on the first Thursday of the month, at 19:00, in the back room of the library on Mill Street.',
        after: 'We meet on the first Thursday of the month, at 19:30, in the front room of the library on Mill Street.',
      }],
    });
    expect(vault.text(NOTE)).toBe(before);
    device.answer('allow_once');
    expect((await calling).result).toEqual({ note: NOTE, edits: 1 });
    expect(vault.text(NOTE)).toBe(before.replace('at 19:00, in the back room', 'at 19:30, in the front room'));
  });

  it('a call that would fail says so in the question', async () => {
    const { rig } = scene();
    const device = rig.device();
    const calling = rig.refused('vault.edit_note', { note: NOTE, edits: [{ find: 'not there', replace: 'x' }] });
    await vi.waitFor(() => expect(device.current).toBeDefined());
    expect(device.shown[0]?.preview).toEqual({
      kind: 'text',
      text: 'This call would change nothing and fail. The edit does not fit: the note has no such passage. Read the note again and copy the passage exactly.',
    });
    device.answer('allow_once');
    expect(await calling).toMatchObject({ code: 'tool-failed', message: 'The edit does not fit: the note has no such passage. Read the note again and copy the passage exactly.' });
  });

  it('F073 B37 its undo puts the text back to the byte, and the handle holds no text', async () => {
    const { rig, vault, store } = scene();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(NOTE);
    const answer = await rig.call('vault.edit_note', LATER);
    expect(answer.undo).toMatch(/^[A-Za-z0-9-]{20,100}$/);
    expect(JSON.stringify(answer.result)).not.toContain(answer.undo);
    expect(await rig.hub.undo('model-hub', answer.undo!)).toBe(`Restored the text of “${NOTE}”.`);
    expect([vault.text(NOTE), store.kept.size]).toEqual([before, 0]);
    for (const word of ['19:00', '19:30', 'front room', 'Reading group']) expect(rig.bytes()).not.toContain(word);
  });

  it('B37 D28 its undo refuses if the note changed since, or is gone, and changes nothing', async () => {
    const { rig, vault } = scene();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('vault.edit_note', LATER);
    const mine = `${vault.text(NOTE)}\nA line of mine.\n`;
    vault.put(NOTE, mine);
    expect(await failure(rig.hub.undo('model-hub', undo!))).toMatchObject({
      code: 'tool-failed', details: { reason: 'undo-conflict' }, message: 'The note has changed since, so the edit was not taken back. Change it by hand.',
    });
    expect(vault.text(NOTE)).toBe(mine);
  });

  it('B37 two edits of one note: the first can be taken back only after the second', async () => {
    const { rig, vault } = scene();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(NOTE);
    const first = await rig.call('vault.edit_note', LATER);
    const second = await rig.call('vault.edit_note', { note: NOTE, edits: [{ find: 'members: 6', replace: 'members: 7' }] });
    expect(await failure(rig.hub.undo('model-hub', first.undo!))).toMatchObject({ details: { reason: 'undo-conflict' } });
    await rig.hub.undo('model-hub', second.undo!);
    await rig.hub.undo('model-hub', first.undo!);
    expect(vault.text(NOTE)).toBe(before);
  });

  it('D28 its undo works after the tool was registered anew', async () => {
    const { rig, vault, store } = scene();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(NOTE);
    const { undo } = await rig.call('vault.edit_note', LATER);
    register(rig, vault, store);
    await rig.hub.undo('model-hub', undo!);
    expect(vault.text(NOTE)).toBe(before);
  });

  it('D28 an undo that cannot reach its note takes nothing back, and can be tried again', async () => {
    const { rig, vault } = scene();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(NOTE);
    const { undo } = await rig.call('vault.edit_note', LATER);
    vault.swapForLink('Projects', vault.outside);
    expect(await failure(rig.hub.undo('model-hub', undo!))).toMatchObject({ details: { reason: 'undo-conflict' }, message: 'The path leads out of the vault.' });
    vault.drop('Projects');
    renameSync(join(vault.root, 'Projects (moved)'), join(vault.root, 'Projects'));
    await rig.hub.undo('model-hub', undo!);
    expect(vault.text(NOTE)).toBe(before);
  });

  it('D28 B40 what is kept and damaged counts as not kept, and is not quoted', async () => {
    const { rig, store } = scene();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('vault.edit_note', LATER);
    store.kept.set(undo!, 'CANARY');
    expect(await failure(rig.hub.undo('model-hub', undo!))).toMatchObject({ message: 'What is needed to take this edit back is not kept any more.' });
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('D28 where nothing is kept any more its undo says so', async () => {
    const { rig, store } = scene();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('vault.edit_note', LATER);
    store.kept.clear();
    expect(await failure(rig.hub.undo('model-hub', undo!))).toMatchObject({ code: 'tool-failed', message: 'What is needed to take this edit back is not kept any more.' });
  });

  it.each([
    '.obsidian/plugins/model-hub/notes.md', './.obsidian/plugins/model-hub/notes.md', '.OBSIDIAN/x.md', '../outside/x.md', '/etc/passwd', '~/x.md', 'Reading/../../outside/x.md',
    'Reading\\Emma.md', 'a\u0000b.md', '', '.', 'Welcome.md ', 'out/x.md',
  ])('B07 B32 D33 %j is refused by the guard: nobody is asked, whatever the setting', async (note) => {
    const { rig, vault } = scene();
    const device = rig.device({ auto: 'allow_once' });
    vault.put('../outside/x.md', 'theirs');
    vault.link('out', vault.outside);
    rig.hub.settings.setTool('model-hub', 'vault.edit_note', 'allow');
    expect(await rig.refused('vault.edit_note', { note, edits: [{ find: 'theirs', replace: 'ours' }] })).toMatchObject({ code: 'tool-denied', details: { reason: 'guard' } });
    expect([device.shown.length, vault.text('../outside/x.md')]).toEqual([0, 'theirs']);
    expect(rig.lastCall()).toMatchObject({ outcome: 'refused', reason: 'guard', policy: { effective: 'deny', source: 'guard' } });
  });

  it('B32 a folder that becomes a link while the question is open is refused by the write itself', async () => {
    const { rig, vault } = scene();
    const device = rig.device();
    vault.put('../outside/a.md', 'same');
    vault.put('sub/a.md', 'same');
    const calling = rig.refused('vault.edit_note', { note: 'sub/a.md', edits: [{ find: 'same', replace: 'other' }] });
    await vi.waitFor(() => expect(device.current).toBeDefined());
    vault.swapForLink('sub', vault.outside);
    device.answer('allow_once');
    expect(await calling).toMatchObject({ code: 'tool-failed', message: 'The path leads out of the vault.' });
    expect(vault.text('../outside/a.md')).toBe('same');
  });

  it('a note that is not there, and one that changes under the edit, fail in words', async () => {
    const { rig, vault, store } = scene();
    rig.device({ auto: 'allow_once' });
    expect(await rig.refused('vault.edit_note', { note: 'No such.md', edits: [{ find: 'a', replace: 'b' }] })).toMatchObject({ code: 'tool-failed', message: 'There is no note at that path. Check its folders and its name.' });
    vault.files.write = () => Promise.resolve(false);
    expect(await rig.refused('vault.edit_note', LATER)).toMatchObject({ message: 'The note changed while it was being edited. Read it again, then edit it.' });
    expect(store.kept.size).toBe(0);
  });

  it('F092 input that does not fit the schema is refused before anything is looked at', async () => {
    const { rig } = scene();
    for (const input of [{ note: NOTE }, { note: NOTE, edits: [{ find: 'a' }] }, { note: 1, edits: [] }, { ...LATER, force: true }]) {
      expect(await rig.refused('vault.edit_note', input)).toMatchObject({ code: 'tool-invalid-input' });
    }
  });
});
