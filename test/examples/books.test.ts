/** The books plugin on the hub: the worked example, with its undo. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { BOOKS_MANIFEST, loadBooks } from '../../examples/books/plugin.ts';
import { openDoor } from '../../src/api/meeting.ts';
import type { HubError } from '../../src/core/errors.ts';
import { UndoFolder } from '../../src/node/undo-folder.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { TempVault } from '../fakes/temp-vault.ts';

const TO_READ = 'Shelves/To read.md';

/** The plugin in a vault, met by the hub. */
async function open(vault = new TempVault(), rig = startRig()): Promise<{ readonly rig: Rig; readonly vault: TempVault; readonly unload: () => void }> {
  const app = {};
  const cleanups: (() => void)[] = [];
  openDoor(app, { hub: rig.hub, notice: () => undefined });
  loadBooks(app, { manifest: BOOKS_MANIFEST, register: (cleanup) => void cleanups.push(cleanup) }, { files: vault.files, memory: new UndoFolder(join(vault.root, '.obsidian/plugins/books/undo')) });
  await rig.settle();
  return { rig, vault, unload: () => cleanups.forEach((cleanup) => cleanup()) };
}

const failure = (promise: Promise<unknown>): Promise<HubError> => promise.then(() => { throw new Error('it did not fail'); }, (error: unknown) => error as HubError);

describe('the books plugin', () => {
  it('F017 F172 F173 registers its tools when the hub is there, and they go when it unloads', async () => {
    const { rig, unload } = await open();
    expect(rig.hub.tools().map(({ name, effect, replay, undo, owner, policy }) => [name, effect, replay, undo?.kind, owner, policy.effective])).toEqual([
      ['books.add_to_shelf', 'write', 'unsafe', 'handle', 'books', 'ask'],
      ['books.list_books', 'read', 'safe', undefined, 'books', 'allow'],
      ['books.list_shelves', 'read', 'safe', undefined, 'books', 'allow'],
      ['books.remove_from_shelf', 'write', 'unsafe', 'handle', 'books', 'ask'],
    ]);
    expect(rig.hub.tools()[0]?.input).toMatchObject({ type: 'object', required: ['shelf', 'book'] });
    expect(rig.hub.tools()[2]?.input).toEqual({ type: 'object', properties: {} });
    unload();
    expect(rig.hub.tools()).toEqual([]);
  });

  it('F017 F001 lists the shelves with the number of their books', async () => {
    const { rig } = await open();
    expect((await rig.call('books.list_shelves', {})).result).toEqual({
      shelves: [{ shelf: 'Finished', books: 3 }, { shelf: 'Lent out', books: 0 }, { shelf: 'To read', books: 5 }],
    });
  });

  it('F098 lists the books of a shelf by pages', async () => {
    const { rig } = await open();
    const page = async (input: object): Promise<unknown> => (await rig.call('books.list_books', { shelf: 'To read', ...input })).result;
    expect(await page({ limit: 2 })).toEqual({ books: ['Piranesi', 'Middlemarch'], total: 5, next: 2 });
    expect(await page({ offset: 2, limit: 2 })).toEqual({ books: ['The Left Hand of Darkness', 'A Field Guide to Getting Lost'], total: 5, next: 4 });
    expect(await page({ offset: 4, limit: 2 })).toEqual({ books: ['Invisible Cities'], total: 5 });
    expect(await page({ offset: 5 })).toEqual({ empty: true, message: 'The shelf has 5 books; the offset is past its end.' });
    expect((await rig.call('books.list_books', { shelf: 'Lent out' })).result).toEqual({ empty: true, message: 'The shelf is empty.' });
    expect(rig.lastCall().outcome).toBe('empty');
  });

  it('F061 F073 puts a book on a shelf when it is allowed to, shows that as an edit, and really takes it off again', async () => {
    const { rig, vault } = await open();
    const before = vault.text(TO_READ);
    const device = rig.device();
    const calling = rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    await vi.waitFor(() => expect(device.current).toBeDefined());
    expect(device.shown[0]).toMatchObject({ undo: { possible: true }, preview: { kind: 'edits', edits: [{ note: TO_READ, before: '- Invisible Cities', after: '- Invisible Cities\n- The Summer Book' }] } });
    device.answer('allow_once');
    const answer = await calling;
    expect(answer.result).toEqual({ shelf: 'To read', book: 'The Summer Book', books: 6 });
    expect(vault.text(TO_READ)).toBe(before.replace('- Invisible Cities\n', '- Invisible Cities\n- The Summer Book\n'));
    expect(await rig.hub.undo('books', answer.undo!)).toBe('Took “The Summer Book” off the shelf.');
    expect(vault.text(TO_READ)).toBe(before);
  });

  it('takes a book off a shelf, and its undo puts it back where it stood', async () => {
    const { rig, vault } = await open();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(TO_READ);
    const { result, undo } = await rig.call('books.remove_from_shelf', { shelf: 'To read', book: 'Middlemarch' });
    expect([result, vault.text(TO_READ)]).toEqual([{ shelf: 'To read', book: 'Middlemarch', books: 4 }, before.replace('- Middlemarch\n', '')]);
    expect(await rig.hub.undo('books', undo!)).toBe('Put “Middlemarch” back on the shelf.');
    expect(vault.text(TO_READ)).toBe(before);
  });

  it('D28 an undo works after a restart of the plugin and of the hub', async () => {
    const first = await open();
    first.rig.device({ auto: 'allow_once' });
    const before = first.vault.text(TO_READ);
    const { undo } = await first.rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    const rig = startRig({ after: first.rig });
    await rig.hub.start();
    await open(first.vault, rig);
    expect(await rig.hub.undo('books', undo!)).toBe('Took “The Summer Book” off the shelf.');
    expect(first.vault.text(TO_READ)).toBe(before);
  });

  it.each<[string, (vault: TempVault) => void]>([
    ['its line is gone', (vault) => vault.put(TO_READ, vault.text(TO_READ).replace('- The Summer Book\n', ''))],
    ['its line was changed', (vault) => vault.put(TO_READ, vault.text(TO_READ).replace('- The Summer Book', '- [x] The Summer Book'))],
    ['the shelf is gone', (vault) => vault.drop(TO_READ)],
  ])('B37 D28 the undo of an added book refuses if %s', async (_, change) => {
    const { rig, vault } = await open();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    change(vault);
    const after = vault.has(TO_READ) ? vault.text(TO_READ) : undefined;
    expect(await failure(rig.hub.undo('books', undo!))).toMatchObject({ code: 'tool-failed', details: { reason: 'undo-conflict' } });
    expect(vault.has(TO_READ) ? vault.text(TO_READ) : undefined).toBe(after);
  });

  it('D28 an undo that cannot write takes nothing back, and can be tried again', async () => {
    const { rig, vault } = await open();
    rig.device({ auto: 'allow_once' });
    const before = vault.text(TO_READ);
    const { undo } = await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    chmodSync(join(vault.root, TO_READ), 0o444);
    expect(await failure(rig.hub.undo('books', undo!))).toMatchObject({ details: { reason: 'undo-conflict' }, message: 'The note is read-only. Make it writable first, if it is to be changed.' });
    chmodSync(join(vault.root, TO_READ), 0o644);
    await rig.hub.undo('books', undo!);
    expect(vault.text(TO_READ)).toBe(before);
  });

  it('D28 B40 what is kept and damaged counts as not kept, and is not quoted', async () => {
    const { rig, vault } = await open();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'CANARY' });
    vault.put(`.obsidian/plugins/books/undo/${undo!}.json`, '"CANARY"');
    expect(await failure(rig.hub.undo('books', undo!))).toMatchObject({ message: 'What is needed to take this back is not kept any more.' });
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('B37 other changes of the shelf do not stand in the way of an undo', async () => {
    const { rig, vault } = await open();
    rig.device({ auto: 'allow_once' });
    const { undo } = await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'Stoner' });
    await rig.hub.undo('books', undo!);
    expect(vault.text(TO_READ)).toContain('- Invisible Cities\n- Stoner\n');
  });

  it.each<[string, string, object, string]>([
    ['an unknown shelf', 'books.add_to_shelf', { shelf: 'CANARY', book: 'x' }, 'There is no such shelf. List the shelves to see those there are.'],
    ['a path for a shelf', 'books.list_books', { shelf: '../Welcome' }, 'There is no such shelf. List the shelves to see those there are.'],
    ['a book that is not there', 'books.remove_from_shelf', { shelf: 'To read', book: 'CANARY' }, 'The book is not on that shelf. List the shelf\'s books to see their titles.'],
    ['a title of two lines', 'books.add_to_shelf', { shelf: 'To read', book: 'CANARY\n- y' }, 'A book\'s title must be one line of text.'],
    ['an empty title', 'books.add_to_shelf', { shelf: 'To read', book: ' ' }, 'A book\'s title must be one line of text.'],
  ])('F120 %s fails in words that hold no title', async (_, tool, input, message) => {
    const { rig } = await open();
    rig.device({ auto: 'allow_once' });
    expect(await rig.refused(tool, input)).toMatchObject({ code: 'tool-failed', message });
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('F118 D28 no title and no shelf stands in the log, nor does a handle in a result', async () => {
    const { rig } = await open();
    rig.device({ auto: 'allow_once' });
    const added = await rig.call('books.add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
    await rig.call('books.remove_from_shelf', { shelf: 'To read', book: 'Middlemarch' });
    await rig.hub.undo('books', added.undo!);
    for (const text of ['Summer', 'Middlemarch', 'To read']) expect(rig.bytes()).not.toContain(text);
    expect(JSON.stringify(added.result)).not.toContain(added.undo);
  });

  it('F198 a vault without shelves answers empty, and says what a shelf is', async () => {
    const vault = new TempVault();
    vault.drop('Shelves');
    const { rig } = await open(vault);
    expect((await rig.call('books.list_shelves', {})).result).toEqual({ empty: true, message: 'There are no shelves. A shelf is a note in the folder Shelves.' });
  });
});
