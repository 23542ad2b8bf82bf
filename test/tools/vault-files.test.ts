/** Files of a vault by their real paths: what can be read and written, and what not. */
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TempVault } from '../fakes/temp-vault.ts';
import cases from '../cases/paths.json';

describe('the notes of a vault folder', () => {
  it.each([...cases.ok.map((path) => (path.endsWith('.md') ? path : `${path}.md`)), 'Reading/The Periodic Table.md'])('paths.json %j is read and written', async (path) => {
    const vault = new TempVault();
    vault.put(path, 'old\n');
    expect(await vault.files.objection(path)).toBeUndefined();
    expect(await vault.files.read(path)).toBe('old\n');
    expect(await vault.files.write(path, 'old\n', 'new\n')).toBe(true);
    expect(vault.text(path)).toBe('new\n');
  });

  it('paths.json B32 a folder or a note that is a link out of the vault is refused, and nothing outside changes', async () => {
    const vault = new TempVault();
    vault.put('../outside/x.md', 'theirs');
    vault.link('link-to-outside', vault.outside);
    vault.link('link-file-to-outside.md', join(vault.outside, 'x.md'));
    vault.link('link-up.md', '../outside/x.md');
    vault.link('Reading/round', '../link-to-outside');
    vault.link('dangling', join(vault.outside, 'not-there'));
    for (const path of ['link-to-outside/x.md', 'link-to-outside/new/file.md', 'link-file-to-outside.md', 'link-up.md', 'Reading/round/x.md', 'dangling/x.md']) {
      expect(await vault.files.objection(path), path).toMatch(/out of the vault|is a link|can be entered/);
      await expect(vault.files.read(path), path).rejects.toThrow();
      await expect(vault.files.write(path, 'theirs', 'ours'), path).rejects.toThrow();
    }
    expect([vault.text('../outside/x.md'), readdirSync(vault.outside)]).toEqual(['theirs', ['x.md']]);
  });

  it('B07 the hub\'s own folder is refused by every spelling, also by way of a link and where it has another name', async () => {
    const vault = new TempVault();
    vault.put('.obsidian/plugins/model-hub/notes.md', 'ours');
    vault.link('Reading/settings', vault.hubFolder);
    vault.link('config', join(vault.root, '.obsidian'));
    vault.link('data.md', join(vault.hubFolder, 'notes.md'));
    const hub = '.obsidian/plugins/model-hub';
    for (const path of [
      `${hub}/notes.md`, `./${hub}/notes.md`, `.obsidian//plugins/model-hub/notes.md`, `Reading/../${hub}/notes.md`, '.Obsidian/Plugins/Model-Hub/notes.md',
      '.obsidian/plugins/model-hub./notes.md', '.obsidian/plugins/model-hub /notes.md', 'Reading/settings/notes.md', 'config/plugins/model-hub/notes.md', 'data.md',
    ]) {
      expect(await vault.files.objection(path), path).toMatch(/./);
      await expect(vault.files.write(path, 'ours', 'theirs'), path).rejects.toThrow();
    }
    expect(vault.text(`${hub}/notes.md`)).toBe('ours');
  });

  it('B32 a hard link gets the new text; the other name of the old file keeps the old', async () => {
    const vault = new TempVault();
    vault.put('../outside/x.md', 'theirs');
    linkSync(join(vault.outside, 'x.md'), join(vault.root, 'hard.md'));
    expect(await vault.files.write('hard.md', 'theirs', 'ours')).toBe(true);
    expect([vault.text('hard.md'), vault.text('../outside/x.md')]).toEqual(['ours', 'theirs']);
  });

  it('a link to a folder inside the vault is followed', async () => {
    const vault = new TempVault();
    vault.link('books', join(vault.root, 'Reading'));
    expect(await vault.files.objection('books/Emma.md')).toBeUndefined();
    expect(await vault.files.read('books/Emma.md')).toBe(vault.text('Reading/Emma.md'));
  });

  it('a note that is not there has no objection and no text; a note as a folder has', async () => {
    const vault = new TempVault();
    expect([await vault.files.objection('New/place.md'), await vault.files.read('New/place.md'), await vault.files.write('New/place.md', '', 'x')]).toEqual([undefined, undefined, false]);
    expect(await vault.files.objection('Welcome.md/x.md')).toBe('The path is not a note.');
    mkdirSync(join(vault.root, 'folder.md'));
    expect(await vault.files.objection('folder.md')).toBe('The path is not a note.');
  });

  it('a note that reads otherwise is not written, and nothing is left behind', async () => {
    const vault = new TempVault();
    expect(await vault.files.write('Welcome.md', 'something else', 'x')).toBe(false);
    expect(readdirSync(vault.root).toSorted()).toEqual(['.obsidian', 'Projects', 'Reading', 'Shelves', 'Welcome.md']);
  });

  it('a write keeps the mode, a byte order mark and the line ends', async () => {
    const vault = new TempVault();
    vault.put('a.md', '\ufeffone\r\ntwo\r\n');
    chmodSync(join(vault.root, 'a.md'), 0o640);
    const before = await vault.files.read('a.md');
    expect(before).toBe('\ufeffone\r\ntwo\r\n');
    expect(await vault.files.write('a.md', before!, `${before}three\r\n`)).toBe(true);
    expect([vault.text('a.md'), statSync(join(vault.root, 'a.md')).mode & 0o777]).toEqual(['\ufeffone\r\ntwo\r\nthree\r\n', 0o640]);
  });

  it('what is not UTF-8, too large, or a pipe is left alone', async () => {
    const vault = new TempVault();
    vault.put('latin.md', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
    vault.put('huge.md', new Uint8Array(10_000_001).fill(0x61));
    expect(spawnSync('mkfifo', [join(vault.root, 'pipe.md')]).status).toBe(0);
    await expect(vault.files.read('latin.md')).rejects.toThrow('The note is not UTF-8 text, so tools leave it alone.');
    await expect(vault.files.read('huge.md')).rejects.toThrow('The note is over 10 MB, too large for tools.');
    await expect(vault.files.read('pipe.md')).rejects.toThrow('The path is not a note.');
  });

  it('B37 a note is not made too large to be read again', async () => {
    const vault = new TempVault();
    vault.put('a.md', 'old');
    await expect(vault.files.write('a.md', 'old', 'é'.repeat(5_000_001))).rejects.toThrow('The note is over 10 MB, too large for tools.');
    expect([vault.text('a.md'), readdirSync(vault.root).filter((name) => name.endsWith('.tmp'))]).toEqual(['old', []]);
  });

  it('takes away what a crash left in the folder, and nothing that is young or not its own', async () => {
    const vault = new TempVault();
    vault.put('a.md', 'old');
    const names = { left: '.model-hub-0123456789abcdef.tmp', young: '.model-hub-fedcba9876543210.tmp', other: '.0123456789abcdef.tmp' };
    for (const name of Object.values(names)) vault.put(name, 'half a note');
    const yesterday = Date.now() / 1000 - 86_400;
    for (const name of [names.left, names.other]) utimesSync(join(vault.root, name), yesterday, yesterday);
    expect(await vault.files.write('a.md', 'old', 'new')).toBe(true);
    expect(readdirSync(vault.root).filter((name) => name.endsWith('.tmp')).sort()).toEqual([names.other, names.young].sort());
  });

  it('a note that its user made read-only is left alone', async () => {
    const vault = new TempVault();
    vault.put('a.md', 'old');
    chmodSync(join(vault.root, 'a.md'), 0o444);
    await expect(vault.files.write('a.md', 'old', 'new')).rejects.toThrow('The note is read-only. Make it writable first, if it is to be changed.');
    expect(vault.text('a.md')).toBe('old');
  });

  it('F120 of the file system\'s own errors, which name absolute paths, only the code gets out', async () => {
    const vault = new TempVault();
    await expect(vault.files.list('Welcome.md')).rejects.toThrow(/^The vault's files could not be read or written \(ENOTDIR\)\.$/);
  });

  it('lists the notes of one folder, in order, and nothing else that lies there', async () => {
    const vault = new TempVault();
    vault.put('Shelves/.hidden.md', 'x');
    vault.put('Shelves/cover.png', 'x');
    vault.put('Shelves/Sub/deep.md', 'x');
    vault.link('Shelves/link.md', '/etc/hostname');
    expect(await vault.files.list('Shelves')).toEqual(['Shelves/Finished.md', 'Shelves/Lent out.md', 'Shelves/To read.md']);
    expect(await vault.files.list('Nowhere')).toEqual([]);
    vault.link('out', vault.outside);
    for (const folder of ['out', '..', '.obsidian', 'Welcome.md/x']) await expect(vault.files.list(folder), folder).rejects.toThrow();
  });

  it('B32 a folder that is moved away and replaced by a link between look and write leads nowhere', async () => {
    const vault = new TempVault();
    vault.put('../outside/a.md', 'theirs');
    vault.put('sub/a.md', 'ours');
    expect(await vault.files.objection('sub/a.md')).toBeUndefined();
    renameSync(join(vault.root, 'sub'), join(vault.root, 'elsewhere'));
    symlinkSync(vault.outside, join(vault.root, 'sub'));
    await expect(vault.files.write('sub/a.md', 'theirs', 'ours')).rejects.toThrow('The path leads out of the vault.');
    expect(readFileSync(join(vault.outside, 'a.md'), 'utf8')).toBe('theirs');
  });
});
