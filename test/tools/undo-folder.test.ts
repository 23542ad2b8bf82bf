/** Where passages wait to be put back. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UndoFolder } from '../../src/node/undo-folder.ts';

let base: string;
let folder: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'undo-test-'));
  folder = join(base, 'undo');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('what is kept to take writes back', () => {
  it('D28 is there after a restart, until it is used', async () => {
    await new UndoFolder(folder).save('a-1', 'text “with” \ud83d\ude00');
    const later = new UndoFolder(folder);
    expect(await later.load('a-1')).toBe('text “with” \ud83d\ude00');
    await later.remove('a-1');
    expect([await later.load('a-1'), readdirSync(folder)]).toEqual([undefined, []]);
  });

  it('only its user can read it', async () => {
    await new UndoFolder(folder).save('a-1', 'text');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a-1.json')).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it.each(['../secret', 'a/b', 'a.b', '', 'a\u0000', 'x'.repeat(101)])('D28 a handle like %j names no file', async (id) => {
    writeFileSync(join(base, 'secret.json'), '"text"');
    const store = new UndoFolder(folder);
    await expect(store.save(id, 'text')).rejects.toThrow();
    await store.remove(id);
    expect([await store.load(id), existsSync(join(base, 'secret.json'))]).toEqual([undefined, true]);
  });

  it('is deleted after thirty days', async () => {
    await new UndoFolder(folder).save('old', 'text');
    await new UndoFolder(folder).save('young', 'text');
    const days = (n: number): Date => new Date(Date.now() - n * 24 * 60 * 60 * 1000);
    utimesSync(join(folder, 'old.json'), days(31), days(31));
    utimesSync(join(folder, 'young.json'), days(29), days(29));
    await new UndoFolder(folder).save('new', 'text');
    expect(readdirSync(folder).toSorted()).toEqual(['new.json', 'young.json']);
  });

  it('a damaged file counts as none', async () => {
    const store = new UndoFolder(folder);
    await store.save('a', 'text');
    writeFileSync(join(folder, 'a.json'), '{"half');
    expect(await store.load('a')).toBeUndefined();
  });
});
