/** The books plugin as it is built, loaded as Obsidian loads it: its tools over the vault, and its command. */
import { readFileSync } from 'node:fs';
import type { PluginManifest } from 'obsidian';
import { describe, expect, it } from 'vitest';
import { BOOKS_MANIFEST } from '../../examples/books/plugin.ts';
import { openDoor } from '../../src/api/meeting.ts';
import { FakeApp } from '../fakes/obsidian-app.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { TempVault } from '../fakes/temp-vault.ts';
import { settled } from '../fakes/clock.ts';

const CODE = readFileSync('dist/books-plugin/main.js', 'utf8');
const MANIFEST = JSON.parse(readFileSync('dist/books-plugin/manifest.json', 'utf8')) as PluginManifest;
const TO_READ = 'Shelves/To read.md';
const COMMAND = 'books:add-note-to-shelf';

interface Opened { readonly rig: Rig; readonly vault: TempVault; readonly obsidian: FakeApp; readonly unload: () => void; readonly close: () => void }

/** The plugin in a vault whose note "Emma" is open, with the hub beside it. */
async function open({ vault = new TempVault(), obsidian = new FakeApp(vault), rig = startRig() }: Partial<Opened> = {}): Promise<Opened> {
  vault.put('Reading/Emma.md', '# Emma\n');
  obsidian.active = 'Reading/Emma.md';
  const close = openDoor(obsidian.app, { hub: rig.hub, notice: (text) => obsidian.notices.push(text) });
  const unload = obsidian.load(CODE, MANIFEST);
  await settled();
  return { rig, vault, obsidian, unload, close };
}

async function run({ obsidian }: Pick<Opened, 'obsidian'>): Promise<void> {
  obsidian.commands.get(COMMAND)?.checkCallback?.(false);
  await settled();
}

describe('the books plugin in Obsidian', () => {
  it('F017 F172 is built with a manifest, needs nothing but Obsidian, and carries its own way to the hub', async () => {
    expect(MANIFEST).toMatchObject({ ...BOOKS_MANIFEST, isDesktopOnly: false });
    expect([...CODE.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(['obsidian', 'obsidian', 'obsidian']);
    expect(CODE).toContain('model-hub.meeting.1');
    expect(/https?:/.exec(CODE)).toBeNull();
    const { rig, unload } = await open();
    expect(rig.hub.tools().map(({ name, owner }) => [name, owner])).toEqual(['add_to_shelf', 'list_books', 'list_shelves', 'remove_from_shelf'].map((name) => [`books.${name}`, 'books']));
    unload();
    expect(rig.hub.tools()).toEqual([]);
  });

  it('F001 F073 reads and writes the vault\'s notes, and takes a write back after it was loaded anew', async () => {
    const first = await open();
    first.rig.device({ auto: 'allow_once' });
    const before = first.vault.text(TO_READ);
    expect((await first.rig.call('books.list_shelves', {})).result).toEqual({ shelves: [{ shelf: 'Finished', books: 3 }, { shelf: 'Lent out', books: 0 }, { shelf: 'To read', books: 5 }] });
    const { undo } = await first.rig.call('books.add_to_shelf', { shelf: 'To read', book: 'Emma' });
    expect(first.vault.text(TO_READ)).toBe(`${before.trimEnd()}\n- Emma\n`);
    first.unload();
    const { rig } = await open(first);
    expect(await rig.hub.undo('books', undo!)).toBe('Took “Emma” off the shelf.');
    expect([first.vault.text(TO_READ), first.obsidian.storage.get('books-undo')]).toEqual([before, '[]']);
  });

  it('F120 what goes wrong on the disk is said without the names of shelves, and leaves nothing to take back', async () => {
    const { rig, obsidian } = await open();
    rig.device({ auto: 'allow_once' });
    obsidian.broken = true;
    expect((await rig.refused('books.add_to_shelf', { shelf: 'To read', book: 'Emma' })).message).toBe('The shelf could not be written.');
    expect(obsidian.storage.get('books-undo')).toBe('[]');
  });

  it('F120 a shelf that is no note, or in no folder, is no shelf', async () => {
    const { rig, vault } = await open();
    vault.put('Shelves/Maps/Old.md', '- Atlas\n');
    vault.put('Shelves/picture.png', '');
    expect((await rig.call('books.list_shelves', {})).result).toMatchObject({ shelves: [{ shelf: 'Finished' }, { shelf: 'Lent out' }, { shelf: 'To read' }] });
    vault.drop('Shelves');
    expect((await rig.call('books.list_shelves', {})).result).toEqual({ empty: true, message: 'There are no shelves. A shelf is a note in the folder Shelves.' });
  });
});

describe('the command "Books: Add this note to a shelf"', () => {
  it('F216 F218 F222 asks for a shelf, puts the note on it in a run of its own, and leaves the word to the hub', async () => {
    const { rig, vault, obsidian } = await open();
    rig.device({ auto: 'allow_run' });
    await run({ obsidian });
    expect(obsidian.asking?.items).toEqual(['Finished', 'Lent out', 'To read']);
    obsidian.asking?.choose('To read');
    await settled();
    expect(vault.text(TO_READ)).toContain('\n- Emma\n');
    expect(obsidian.notices).toEqual([]);
    const [runId] = new Set(rig.calls().map((call) => call.run));
    expect(rig.calls().map((call) => [call.tool, call.run, call.client.name])).toEqual([['books.list_shelves', runId, 'books'], ['books.add_to_shelf', runId, 'books']]);
    expect(rig.spans('invoke_agent').map(({ attributes }) => [attributes['modelhub.run.end_reason'], attributes['modelhub.run.tools_allowed']])).toEqual([['ended', 2]]);
  });

  it('F218 ends its run also where the user chooses no shelf', async () => {
    const { rig, obsidian } = await open();
    await run({ obsidian });
    obsidian.asking?.close();
    await settled();
    expect([rig.calls().map(({ tool }) => tool), rig.spans('invoke_agent').length, obsidian.notices]).toEqual([['books.list_shelves'], 1, []]);
  });

  it('F231 says nothing to a user who has just said no, and what went wrong to any other', async () => {
    const { rig, obsidian } = await open();
    const device = rig.device({ auto: 'deny' });
    for (const next of ['user', 'policy'] as const) {
      await run({ obsidian });
      obsidian.asking?.choose('To read');
      await settled();
      expect(rig.lastCall().reason).toBe(next);
      rig.hub.settings.setTool('books', 'books.add_to_shelf', 'deny');
    }
    device.detach();
    expect(obsidian.notices).toEqual(['Not allowed. You set this tool to Deny.']);
  });

  it('obsidian load 4 says that it needs the hub while that is off, and works again when it is back', async () => {
    const { vault, obsidian, close } = await open();
    close();
    await run({ obsidian });
    expect(obsidian.notices).toEqual(['Books needs Model Hub for this. Switch it on, then try again.']);
    const rig = startRig();
    rig.device({ auto: 'allow_once' });
    openDoor(obsidian.app, { hub: rig.hub, notice: () => undefined });
    await settled();
    await run({ obsidian });
    obsidian.asking?.choose('Lent out');
    await settled();
    expect(vault.text('Shelves/Lent out.md')).toContain('- Emma');
  });

  it('F231 says the same where the hub goes while the shelf is being chosen', async () => {
    const { obsidian, close } = await open();
    await run({ obsidian });
    close();
    obsidian.asking?.choose('To read');
    await settled();
    expect(obsidian.notices).toEqual(['Books needs Model Hub for this. Switch it on, then try again.']);
  });

  it('is not offered where no note is open', async () => {
    const { obsidian } = await open();
    const offered = (active: string | undefined): unknown => {
      obsidian.active = active;
      return obsidian.commands.get(COMMAND)?.checkCallback?.(true);
    };
    expect([offered(undefined), offered('picture.png'), offered(TO_READ)]).toEqual([false, false, true]);
  });
});
