/** `namespaces.json`, with other processes and broken disks around it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NamespacesFile } from '../../src/node/namespaces-file.ts';

let folder: string;
let file: string;
const notices: string[] = [];
const open = (): NamespacesFile => new NamespacesFile(file, (text) => notices.push(text));
const stored = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'namespaces-test-'));
  file = join(folder, 'namespaces.json');
  notices.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('F011 who owns what is known at the next start', () => {
  open().save(new Map([['books', 'books'], ['shelves', 'books']]));
  expect([...open().load()]).toEqual([['books', 'books'], ['shelves', 'books']]);
});

it('F011 what another process wrote meanwhile stays', () => {
  const [here, there] = [open(), open()];
  const owners = new Map(here.load());
  there.load();
  there.save(new Map([['notes', 'notes']]));
  here.save(owners.set('books', 'books'));
  expect(stored()).toEqual({ notes: 'notes', books: 'books' });
});

it('D29 a namespace that was let go is gone from the file, that of another process is not', () => {
  writeFileSync(file, '{"books":"books","notes":"notes"}');
  const here = open();
  const owners = new Map(here.load());
  writeFileSync(file, '{"books":"books","notes":"notes","maps":"maps"}');
  owners.delete('books');
  here.save(owners);
  expect(stored()).toEqual({ maps: 'maps', notes: 'notes' });
});

it('F011 a damaged file is left alone, and said', () => {
  writeFileSync(file, '{"books":');
  expect(() => open().load()).toThrow('namespaces.json cannot be read.');
  open().save(new Map([['books', 'books']]));
  expect([readFileSync(file, 'utf8'), notices.length]).toEqual(['{"books":', 1]);
});
