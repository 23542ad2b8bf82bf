/** How far rows were sent, in files: across starts, crashes, other processes and damage. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ranges } from '../../../otel/exporter/ranges.ts';
import { ProgressFiles, progressFolder, progressIn } from '../../../src/node/export/progress-files.ts';

/** The number of a process that has ended. */
const GONE = spawnSync(process.execPath, ['-e', '']).pid;
const PLACE = { name: 'tool-calls.jsonl', head: '{"v":1', offset: 100 };

/** Everything of a test lies in it, also what would escape from the state folder. */
let root: string;
let state: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'progress-test-'));
  state = join(root, 'a', 'b', 'c', 'state');
  mkdirSync(state, { recursive: true });
  folder = join(state, 'traces', 'one');
});
afterEach(() => {
  if (existsSync(folder)) chmodSync(folder, 0o700);
  rmSync(root, { recursive: true, force: true });
});

function left(writer: string, more: object = {}, name = `${writer}.json`): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify({ writer, pid: GONE, from: 1, sent: [[1, 5]], place: PLACE, live: true, ...more }));
}

function open(own = 'own'): ProgressFiles {
  return new ProgressFiles(folder, own);
}

/** The system lets its administrator write everywhere: then the work is done as a user who may look, and no more. */
function asNobody<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work();
  for (let path = folder; path !== tmpdir(); path = dirname(path)) chmodSync(path, 0o555);
  process.seteuid!(65_534);
  try {
    return work();
  } finally {
    process.seteuid!(0);
    for (let path = folder; path !== tmpdir(); path = dirname(path)) chmodSync(path, 0o700);
  }
}

function live(): string[] {
  return readdirSync(folder).filter((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { live: boolean }).live);
}

describe('the progress of a start', () => {
  it('E03 is read as it was saved, by a later start', () => {
    const store = open();
    const progress = store.open('own', 3);
    progress.sent.add(3, 7);
    store.save({ ...progress, place: PLACE });
    expect(JSON.stringify(open().open('own', 9).sent)).toBe('[[3,7]]');
    if (process.platform !== 'win32') expect([statSync(join(folder, 'own.json')).mode & 0o077, statSync(folder).mode & 0o077]).toEqual([0, 0]);
  });

  it('E03 is never taken over by itself', () => {
    const store = open();
    store.save(store.open('own', 1));
    expect([store.adopt(), open().adopt()]).toEqual([[], []]);
  });

  it('E03 of a process that runs is not taken over, unless it was silent for minutes', () => {
    left('other', { pid: process.ppid });
    expect(open().adopt()).toEqual([]);
    const before = Date.now() / 1_000 - 181;
    utimesSync(join(folder, 'other.json'), before, before);
    expect(open().adopt().map(({ writer }) => writer)).toEqual(['other']);
  });

  it('E03 of one that is gone is taken over once, with what it sent and where it was', () => {
    left('gone', { from: 2 });
    const store = open();
    expect(store.adopt()).toEqual([{ writer: 'gone', from: 2, sent: new Ranges([[1, 5]]), place: PLACE }]);
    expect([store.adopt(), readdirSync(folder).length, live().length]).toEqual([[], 1, 1]);
  });

  it('E03 of one that is gone is finished under its new name, and not taken over again', () => {
    left('gone');
    const store = open();
    const [progress] = store.adopt();
    store.finish(progress!);
    expect([live(), store.adopt(), open().adopt()]).toEqual([[], [], []]);
    expect(JSON.stringify(open().known('gone'))).toBe('{"sent":[[1,5]],"from":null}');
  });

  it('E03 of one whose heir has crashed too is taken over again', () => {
    left('gone', {}, `gone-p${GONE}-0123abcd.json`);
    expect(open().adopt().map(({ writer }) => writer)).toEqual(['gone']);
  });

  it('E03 of one that was just taken over, and not written anew yet, is its heir\'s', () => {
    left('gone', {}, `gone-p${process.ppid}-0123abcd.json`);
    expect(open().adopt()).toEqual([]);
  });

  it('E03 of one that is gone counts what the command export sent of it', () => {
    left('gone');
    open('').record('gone', new Ranges([[7, 9]]));
    expect(JSON.stringify(open().adopt()[0]!.sent)).toBe('[[1,5],[7,9]]');
  });

  it('E03 of many that are gone goes to one of two processes that look at the same moment', async () => {
    const writers = Array.from({ length: 150 }, (_, i) => `w${i}`);
    for (const writer of writers) {
      left(writer);
      utimesSync(join(folder, `${writer}.json`), 1, 1);
    }
    const script = `import { ProgressFiles } from ${JSON.stringify(fileURLToPath(new URL('../../../src/node/export/progress-files.ts', import.meta.url)))};
      const [folder, own, at] = process.argv.slice(2);
      const store = new ProgressFiles(folder, own);
      while (Date.now() < Number(at));
      const taken = [];
      for (let i = 0; i < 5; i++) taken.push(...store.adopt().map(({ writer }) => writer));
      process.stdout.write(taken.join(' ') + '\\n');
      process.stdin.resume();`;
    const bundle = join(state, 'adopt.mjs');
    await build({ stdin: { contents: script, resolveDir: state, loader: 'ts' }, bundle: true, platform: 'node', format: 'esm', outfile: bundle });
    const at = String(Date.now() + 700);
    // Each lives on until both have looked: one that is gone would leave its own again.
    const running = ['a', 'b'].map((own) => spawn(process.execPath, [bundle, folder, own, at], { stdio: ['pipe', 'pipe', 'inherit'] }));
    const taken = await Promise.all(running.map(async ({ stdout }) => {
      let said = '';
      while (!said.endsWith('\n')) said += String((await once(stdout, 'data') as [Buffer])[0]);
      return said.trim().split(' ').filter(Boolean);
    }));
    for (const { stdin } of running) stdin.end();
    expect(taken.flat().toSorted()).toEqual(writers.toSorted());
  });
});

describe('files that are not as they should be', () => {
  it.each<[string, string]>([
    ['no JSON', '{"writer":'], ['nothing', ''], ['null', 'null'], ['a list', '[]'], ['no writer', '{"pid":1,"from":1,"sent":[],"live":true}'], ['ranges that are none', JSON.stringify({ writer: 'x', pid: GONE, from: 1, sent: [[5, 1]], live: true })],
    ['half ranges', JSON.stringify({ writer: 'x', pid: GONE, from: 1, sent: [[1]], live: true })], ['rows from nowhere on', JSON.stringify({ writer: 'x', pid: GONE, from: 0, sent: [], live: true })],
    ['a writer that is a path', JSON.stringify({ writer: '../../x', pid: GONE, from: 1, sent: [], live: true })], ['bytes', '\ufffd\0'],
  ])('E03 with %s are passed over', (_, text) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), text);
    mkdirSync(join(folder, 'folder.json'));
    const store = open();
    expect([store.adopt(), JSON.stringify(store.open('x', 4)), JSON.stringify(store.known('x'))]).toEqual([[], '{"writer":"x","from":4,"sent":[]}', '{"sent":[],"from":null}']);
    store.finishAll();
    store.save(store.open('own', 1));
    expect(existsSync(join(folder, 'own.json'))).toBe(true);
  });

  it('E03 with a place that is none are read from the beginning', () => {
    left('gone', { place: { name: 'x', head: 7, offset: -1 } });
    expect(open().adopt()[0]!.place).toBeUndefined();
  });

  it('E03 with ranges in disorder say the same', () => {
    left('gone', { sent: [[7, 9], [1, 3], [2, 4]] });
    expect(JSON.stringify(open().adopt()[0]!.sent)).toBe('[[1,4],[7,9]]');
  });

  it.each(['../evil', '../../../evil', '../../../../../../evil', '/evil', 'a/b', 'x'.repeat(5_000), '', '\0', '..'])('D31 a row whose writer is %j writes no file anywhere', (writer) => {
    const store = open();
    store.record(writer.slice(0, 5_000), new Ranges([[1, 2]]));
    expect(readdirSync(state, { recursive: true }).toSorted()).toEqual(['traces', join('traces', 'one')]);
    expect(readdirSync(root, { recursive: true }).filter((name) => String(name).includes('evil'))).toEqual([]);
  });

  it('E03 in a folder that cannot be made are none, and nobody is stopped by it', () => {
    writeFileSync(join(state, 'traces'), 'a file');
    const store = open();
    const progress = store.open('own', 1);
    store.save(progress);
    store.record('own', progress.sent);
    store.finish(progress);
    store.finishAll();
    progressIn(state, '').finishAll();
    expect([store.adopt(), JSON.stringify(store.known('own'))]).toEqual([[], '{"sent":[],"from":null}']);
  });

  it.skipIf(process.platform === 'win32')('E03 in a folder that cannot be written stay as they are, however many there are', () => {
    for (let i = 0; i < 510; i++) left(`w${i}`, { live: false });
    left('gone');
    const before = readdirSync(folder);
    chmodSync(folder, 0o555);
    const store = asNobody(() => {
      const found = open();
      expect(found.adopt()).toEqual([]);
      found.save(found.open('own', 1));
      return found;
    });
    expect(readdirSync(folder)).toEqual(before);
    expect(store.adopt()).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
  });

  it('E03 of many starts are forgotten, the oldest first, and none that is still to be sent', () => {
    for (let i = 0; i < 510; i++) {
      left(`w${i}`, { live: i === 0 });
      utimesSync(join(folder, `w${i}.json`), i + 1, i + 1);
    }
    open();
    const names = readdirSync(folder);
    expect([names.length, names.includes('w0.json'), names.includes('w1.json'), names.includes('w509.json')]).toEqual([501, true, false, true]);
  });
});

describe('sending that is switched off', () => {
  it('D32 leaves nothing to be sent, of any start and at any address', () => {
    left('gone');
    left('other', { pid: process.ppid });
    const elsewhere = progressFolder(state, 'http://localhost:4318/v1/traces');
    const store = new ProgressFiles(elsewhere, 'own');
    store.save(store.open('own', 1));
    progressIn(state, '').finishAll();
    expect(live()).toEqual([]);
    expect([open().adopt(), new ProgressFiles(elsewhere, 'new').adopt()]).toEqual([[], []]);
  });

  it('D32 an address does not stand in the name of its folder', () => {
    expect(progressFolder(state, 'http://localhost/canary')).not.toContain('canary');
    expect(progressFolder(state, 'http://localhost/a')).not.toBe(progressFolder(state, 'http://localhost/b'));
  });
});

describe('what the command export knows of rows', () => {
  it('E03 those of a process that runs are its own to send', () => {
    left('other', { pid: process.ppid, from: 4 });
    expect(JSON.stringify(open('').known('other'))).toBe('{"sent":[[1,5]],"from":4}');
  });

  it('E03 those of one that is gone are nobody\'s: they can be sent', () => {
    left('gone', { from: 4 });
    expect(open('').known('gone').from).toBe(Infinity);
  });
});
