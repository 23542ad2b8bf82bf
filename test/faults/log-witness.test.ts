/**
 * The witness outside the log: what it keeps, for how long, and that it harms nothing when it cannot.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HeadFolder } from '../../src/node/log/head-folder.ts';
import { Witness } from '../../src/node/log/witness.ts';
import { FakeClock } from '../fakes/clock.ts';

it('E02 the witness keeps the newest head, a fraction of a second after it moved', async () => {
  const folder = newFolder();
  const clock = new FakeClock();
  let head = '';
  const witness = new Witness({ store: new HeadFolder(folder), clock, head: () => head });
  for (head of ['w1:1:aa', 'w1:2:bb']) witness.touch();
  expect(new HeadFolder(folder).load()).toEqual([]);
  await clock.advance(200);
  expect(new HeadFolder(folder).load()).toEqual([{ w: 'w1', n: 2, digest: 'bb' }]);
  expect(clock.waiting).toBe(0);

  head = 'w1:3:cc';
  witness.touch();
  witness.flush();
  expect(new HeadFolder(folder).load()).toEqual([{ w: 'w1', n: 3, digest: 'cc' }]);
  expect(clock.waiting).toBe(0);
});

it('E02 heads of earlier starts stay, the newest 64 of them', () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'log-witness'));
  for (let i = 0; i < 70; i++) {
    writeFileSync(path.join(folder, 'log-witness', `old${i}.json`), JSON.stringify({ n: i + 1, digest: 'aa' }));
    utimesSync(path.join(folder, 'log-witness', `old${i}.json`), 1_000_000 + i, 1_000_000 + i);
  }
  new Witness({ store: new HeadFolder(folder), clock: new FakeClock(), head: () => 'new:1:bb' }).flush();
  const writers = new HeadFolder(folder).load().map(({ w }) => w);
  expect(writers).toHaveLength(64);
  expect(writers).toEqual(expect.arrayContaining(['new', 'old69', 'old7']));
  expect(writers).not.toContain('old6');
});

it('E02 a witness that cannot be written or read harms nothing, and tells nothing', () => {
  const folder = newFolder();
  const file = path.join(folder, 'no folder');
  writeFileSync(file, '');
  new Witness({ store: new HeadFolder(file), clock: new FakeClock(), head: () => 'w1:1:aa' }).flush();
  expect(new HeadFolder(file).load()).toEqual([]);
  mkdirSync(path.join(folder, 'log-witness'));
  writeFileSync(path.join(folder, 'log-witness', 'w1.json'), '{"n":1,"dig');
  writeFileSync(path.join(folder, 'log-witness', 'w2.json'), '{"n":"1"}');
  expect(new HeadFolder(folder).load()).toEqual([]);
});

it('F121 a witness that was deleted is not born again', () => {
  const folder = newFolder();
  const witness = new Witness({ store: new HeadFolder(folder), clock: new FakeClock(), head: () => 'w1:1:aa' });
  witness.flush();
  witness.delete();
  witness.touch();
  witness.flush();
  expect(readdirSync(folder)).toEqual([]);
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'model-hub-witness-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
