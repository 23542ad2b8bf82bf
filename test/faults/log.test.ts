/**
 * What may go wrong under the log, on real files: disks that are full, files that were changed, cut, replaced or copied.
 * Each time ten rows are there, then the fault, then one more call.
 */
import * as nodeFs from 'node:fs';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verify } from '../../otel/log-verify.ts';
import { LogFiles } from '../../src/node/log/log-files.ts';
import { WriteError } from '../../src/node/log/log-write.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { LogRig, type Start } from '../fakes/log-rig.ts';

const NEWLINE = 0x0a;

describe('the end of the file', () => {
  it('log-faults 3 a last row without its newline counts, and the next row starts on a line of its own', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    truncateSync(rig.file, statSync(rig.file).size - 1);
    const before = rig.bytes();

    const start = rig.start();
    expect((await start.log.reader.read()).rows).toHaveLength(10);
    await start.call();

    expect(rig.bytes().subarray(0, before.length + 1)).toEqual(Buffer.concat([before, Buffer.from('\n')]));
    expect(rig.bytes()[before.length + 1]).not.toBe(NEWLINE);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 11, bad: 0, torn: 0 });
  });

  it('B38 a row cut after any of its bytes is fenced, and every whole row is read', async () => {
    const rig = new LogRig();
    await rig.logged(3);
    const whole = rig.bytes();
    const last = whole.lastIndexOf(NEWLINE, whole.length - 2) + 1;
    for (let end = last + 1; end < whole.length - 1; end += 7) {
      writeFileSync(rig.file, whole.subarray(0, end));
      const start = rig.start();
      await start.call();
      const { rows, damaged, torn } = await start.log.reader.read();
      expect({ rows: rows.length, lost: damaged + torn }, `cut at ${end}`).toEqual({ rows: 3, lost: 1 });
      await start.log.close();
    }
  });

  it('B38 a cut inside a character of several bytes loses that row only', async () => {
    const rig = new LogRig();
    await rig.logged(2);
    const start = rig.start();
    await start.call({ message: 'ends in 📚' });
    const bytes = rig.bytes();
    truncateSync(rig.file, bytes.indexOf(Buffer.from('📚')) + 2);
    const next = rig.start();
    await next.call();
    const { rows, damaged, torn } = await next.log.reader.read();
    expect({ rows: rows.length, lost: damaged + torn }).toEqual({ rows: 3, lost: 1 });
  });

  it('B38 a block of zeros in the file is one damaged line', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    appendFileSync(rig.file, Buffer.alloc(4096));
    const start = rig.start();
    await start.call();
    const { rows, damaged } = await start.log.reader.read();
    expect({ rows: rows.length, damaged }).toEqual({ rows: 11, damaged: 1 });
    expect(await start.log.verify()).toMatchObject({ green: false, bad: 1, missing: { count: 0 } });
  });
});

describe('writes that fail', () => {
  it('log-faults 4 a full disk keeps the row, and it is written late when there is room', async () => {
    const rig = new LogRig();
    const start = rig.start();
    for (let i = 0; i < 10; i++) await start.call();
    start.fs.faults = [{ code: 'ENOSPC', after: 40 }];
    const kept = await start.call();
    expect(start.log.state()).toEqual({ writable: false, problem: 'ENOSPC', kept: 1, dropped: 0 });
    await start.call();

    expect(start.log.state()).toEqual({ writable: true, kept: 0, dropped: 0 });
    const rows = rig.rows();
    expect(rows).toHaveLength(12);
    expect(rows.filter(({ late }) => late).map(({ id, n }) => ({ id, n }))).toEqual([{ id: kept, n: 11 }]);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 12, bad: 0, torn: 1, late: 1 });
    expect(rig.notices).toHaveLength(2);
  });

  it('log-faults 5 with a disk that stays full, calls go on, the user is told once, and what is lost is counted', async () => {
    const rig = new LogRig();
    const start = rig.start();
    for (let i = 0; i < 10; i++) await start.call();
    start.fs.always = { code: 'ENOSPC' };
    const seen: string[] = [];
    start.log.onRow((row) => seen.push(row.id));
    for (let i = 0; i < 1_010; i++) await start.call();

    expect(seen).toHaveLength(1_010);
    expect(start.log.state()).toEqual({ writable: false, problem: 'ENOSPC', kept: 1000, dropped: 10 });
    expect(rig.notices).toEqual([
      'The log cannot be written (ENOSPC). Reads go on, and their rows are kept in memory; writes are refused. Make room on the disk, or let Model Hub write to its folder.',
    ]);
    expect(await start.log.writable()).toBe(false);

    start.fs.always = 'none';
    expect(await start.log.writable()).toBe(true);
    expect(rig.notices[1]).toBe('The log can be written again. 10 rows were lost, because more waited than are kept.');
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 1_010, late: 1000 });
  });

  it('D24 after an outage, the rows that waited go out in two writes and not one by one', async () => {
    const rig = new LogRig();
    const start = rig.start();
    start.fs.always = { code: 'EIO' };
    for (let i = 0; i < 50; i++) await start.call();
    start.fs.always = 'none';
    const before = start.fs.writes;
    await start.call();
    expect(start.fs.writes - before).toBe(2);
    expect(rig.rows()).toHaveLength(51);
  });

  it('log-faults 7 a short write is a failure, and its row is valid once', async () => {
    const rig = new LogRig();
    const start = rig.start();
    for (let i = 0; i < 10; i++) await start.call();
    start.fs.faults = [{ short: 100 }];
    const id = await start.call();
    expect(start.log.state()).toMatchObject({ writable: false, kept: 1 });
    await start.call();

    expect(rig.rows().filter((row) => row.id === id)).toHaveLength(1);
    expect(rig.rows().map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 12, forked: { count: 0 } });
  });

  it('log-faults 4 of a disk that fills up in the middle of a row the reason is told', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call();
    start.fs.faults = [{ short: 100 }, { code: 'ENOSPC' }];
    await start.call();
    expect(start.log.state()).toMatchObject({ writable: false, problem: 'ENOSPC', kept: 1 });
    await start.call();
    expect(rig.rows().map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(await start.log.verify()).toMatchObject({ green: true, torn: 1 });
  });

  it('log-faults 8 a file that opens and cannot be read leaves no descriptor behind', () => {
    const rig = new LogRig();
    const open = new Set<number>();
    const files = new LogFiles(rig.folder, { fs: {
      ...nodeFs,
      openSync: (...args) => {
        const fd = nodeFs.openSync(...args);
        open.add(fd);
        return fd;
      },
      closeSync: (fd) => {
        open.delete(fd);
        nodeFs.closeSync(fd);
      },
      readSync: () => { throw Object.assign(new Error('EIO'), { code: 'EIO' }); },
    } });
    expect(() => files.append('{}\n')).toThrow('EIO');
    expect(open.size).toBe(0);
  });

  it('log-faults 7 of rows written together, those that went in whole are not written again', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call();
    const length = rig.bytes().length;
    // The first of three goes in without its newline.
    start.fs.faults = [{ short: length + ',"prev":""'.length + 64 - 1 }];
    for (let i = 0; i < 3; i++) start.callNow();
    await start.log.written();
    expect(start.log.state()).toMatchObject({ writable: false, kept: 2 });
    await start.call();

    expect(rig.rows().map(({ n, late }) => (late ? -n : n))).toEqual([1, 2, -3, -4, 5]);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 5, torn: 0, bad: 0 });
  });

  it('log-faults 7 a write that throws after all went in is not repeated', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call();
    start.fs.faults = [{ code: 'EIO', after: 1e6 }];
    await start.call();
    await start.call();
    expect(rig.rows().map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 3 });
  });

  it('log-faults 8 an input/output error is told by its class, with no path of this disk', async () => {
    const rig = new LogRig();
    const start = rig.start();
    for (let i = 0; i < 10; i++) await start.call();
    start.fs.faults = [{ code: 'EIO' }];
    await start.call();
    await start.call();
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 12, late: 1 });
    expect(rig.notices[0]).toContain('(EIO)');
    expect(rig.notices.join() + rig.everything()).not.toContain('CANARY-7f3a');
  });

  it('log-faults 9 in a folder that cannot be written the log opens, says why, and nothing throws', async () => {
    const rig = new LogRig();
    const start = rig.start();
    start.fs.openFails = 'EACCES';
    expect(await start.log.writable()).toBe(false);
    await start.call();
    await start.call();
    expect(start.log.state()).toEqual({ writable: false, problem: 'EACCES', kept: 2, dropped: 0 });
    expect(rig.notices).toHaveLength(1);
    expect(await start.log.recent(20)).toEqual([]);
    await start.log.close();
  });

  it('log-faults 9 a file stands where the folder should be', async () => {
    const rig = new LogRig();
    writeFileSync(rig.folder, 'no folder');
    const start = rig.start();
    expect(await start.log.writable()).toBe(false);
    expect(start.log.state()).toMatchObject({ writable: false });
    await start.log.close();
  });

  it('B40 an error of the sink holds the class and the count, and no path', () => {
    expect({ ...new WriteError('ENOSPC', 3) }).toEqual({ code: 'ENOSPC', written: 3 });
  });
});

describe('files changed from outside', () => {
  it('log-faults 11 an older copy put in its place is seen by the witness, and appending goes on in a new chain', async () => {
    const rig = new LogRig();
    await rig.logged(6);
    const older = path.join(rig.root, 'older');
    copyFileSync(rig.file, older);
    const start = rig.start();
    for (let i = 0; i < 4; i++) await start.call();
    await start.log.close();
    copyFileSync(older, rig.file);

    const next = rig.start();
    await next.call();
    const report = await next.log.verify();
    expect(report).toMatchObject({ green: false, rows: 7, writers: 2, cutTail: { count: 4 }, missing: { count: 0 }, forked: { count: 0 } });
    expect(new Set(rig.rows().map(({ w, n }) => `${w}:${n}`)).size).toBe(7);
  });

  it('log-faults 11 a file that is replaced while the hub runs is appended to, and the rows before are missed by verify', async () => {
    const rig = new LogRig();
    await rig.logged(2);
    const older = rig.bytes();
    const start = rig.start();
    for (let i = 0; i < 3; i++) await start.call();
    await new Promise((resolve) => setTimeout(resolve, 30));
    writeFileSync(`${rig.file}.new`, older);
    renameSync(`${rig.file}.new`, rig.file);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await start.call();
    expect(rig.rows()).toHaveLength(3);
    expect(await start.log.verify()).toMatchObject({ green: false, missing: { count: 3 } });
  });

  it('log-faults 11 a file that is deleted while the hub runs is begun again at once', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call();
    unlinkSync(rig.file);
    await start.call();
    expect(rig.rows().map(({ n }) => n)).toEqual([2]);
    expect(await start.log.verify()).toMatchObject({ green: false, missing: { count: 1 } });
  });

  describe('right after a look at its end', () => {
    /** Three calls in one go: the second looks at the file's end, the third goes by that. */
    async function burst(rig: LogRig, before: () => void): Promise<Start> {
      const start = rig.start();
      await start.call();
      await start.call();
      before();
      await start.call();
      await new Promise((resolve) => setTimeout(resolve, 30));
      return start;
    }

    it('B38 half a row of another process swallows none of ours', async () => {
      const rig = new LogRig();
      const start = await burst(rig, () => appendFileSync(rig.file, '{"v":1,"kind":"call","id":"0'));
      await start.call();
      expect(rig.rows().map(({ n }) => n)).toEqual([1, 2, 3, 4]);
      expect(await start.log.verify()).toMatchObject({ green: true, rows: 4, torn: 1, bad: 0 });
    });

    it('B38 half a row that was there at a mere look swallows none of ours', async () => {
      const rig = new LogRig();
      const files = new LogFiles(rig.folder);
      files.append('{"n":1}\n');
      appendFileSync(rig.file, '{"half');
      files.append('');
      files.append('{"n":2}\n');
      files.close();
      expect(rig.bytes().toString()).toBe('{"n":1}\n{"half\n{"n":2}\n');
    });

    it('B38 whole rows of another process are no reason to write ours again', async () => {
      const rig = new LogRig();
      await rig.logged(2);
      const others = rig.bytes().toString();
      rmSync(rig.file);
      const start = await burst(rig, () => appendFileSync(rig.file, others));
      expect(await start.log.verify()).toMatchObject({ green: true, rows: 5, writers: 2 });
    });

    it('log-faults 11 a row written into a file that was just deleted is put in again', async () => {
      const rig = new LogRig();
      await burst(rig, () => unlinkSync(rig.file));
      expect(rig.rows().map(({ n }) => n)).toEqual([3]);
    });

    it('log-faults 11 a row written into a file that was just replaced is put in again', async () => {
      const rig = new LogRig();
      await burst(rig, () => {
        copyFileSync(rig.file, `${rig.file}.new`);
        renameSync(`${rig.file}.new`, rig.file);
      });
      expect(rig.rows().map(({ n }) => n)).toEqual([1, 2, 3]);
    });

    it('formats what is written at the turn of the month stays in its month, once', async () => {
      const rig = new LogRig();
      const start = await burst(rig, () => appendFileSync(rig.file, '\n'));
      await start.call();
      await start.call({ at: rig.clock.micros() + 31 * 86_400_000_000 });
      expect(await start.log.verify()).toMatchObject({ green: true, files: 2, rows: 5, duplicates: 0 });
    });

    it('log-faults 25 a log that is closed or deleted is not looked at again', async () => {
      const rig = new LogRig();
      const start = rig.start();
      for (let i = 0; i < 3; i++) await start.call();
      await start.log.close();
      rmSync(rig.file);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(existsSync(rig.file)).toBe(false);
    });
  });

  it('log-faults 13 a byte-order mark at the start harms nothing', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    writeFileSync(rig.file, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), rig.bytes()]));
    const start = rig.start();
    expect(await start.log.reader.read()).toMatchObject({ rows: { length: 10 }, damaged: 0 });
    await start.call();
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 11, bad: 0 });
  });

  it('log-faults 14 line ends of Windows harm nothing, and the chain holds', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    writeFileSync(rig.file, rig.bytes().toString('utf8').replaceAll('\n', '\r\n') + '\r\n');
    const start = rig.start();
    await start.call();
    expect(await start.log.reader.read()).toMatchObject({ rows: { length: 11 }, damaged: 0 });
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 11, bad: 0, edited: { count: 0 } });
  });

  it('log-faults 15 a message with line separators, quotes and half a character stays one line', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call({ message: 'a\u2028b "c" \ud83d d\u0000e\nf' });
    expect(rig.bytes().filter((byte) => byte === NEWLINE)).toHaveLength(1);
    expect(rig.rows()[0]).toMatchObject({ message: 'a b "c" \ufffd d e f' });
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 1 });
  });

  it('log-faults 18 a conflict copy is read too, each row once, and nothing is touched', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    const copy = path.join(rig.folder, 'tool-calls (conflicted copy 2026-11-30).jsonl');
    const aside = path.join(rig.root, 'aside');
    copyFileSync(rig.file, aside);
    await rig.logged(3);
    copyFileSync(rig.file, copy);
    copyFileSync(aside, rig.file);
    const original = rig.bytes();

    const start = rig.start();
    expect((await start.log.reader.read()).rows).toHaveLength(13);
    expect(await start.log.recent(20)).toHaveLength(13);
    expect(await start.log.verify()).toMatchObject({ green: true, files: 2, rows: 23, duplicates: 10, writers: 2 });
    expect(rig.bytes()).toEqual(original);
  });

  it('log-faults 19 a row edited by hand is named, and still listed', async () => {
    const rig = new LogRig();
    await rig.logged(10);
    const fourth = rig.rows()[3]!;
    const lines = rig.bytes().toString('utf8').split('\n');
    lines[3] = lines[3]!.replace('"outcome":"ok"', '"outcome":"refused"');
    writeFileSync(rig.file, lines.join('\n'));
    const start = rig.start();
    await start.call();
    const report = await start.log.verify();
    expect(report).toMatchObject({ green: false, rows: 11, bad: 0, missing: { count: 0 } });
    expect(report.edited).toEqual({ count: 1, first: [{ w: fourth.w, n: 4 }] });
    expect((await start.log.reader.read()).rows).toHaveLength(11);
  });

  it('log-faults 21 no single bit of the file can change unseen', async () => {
    const rig = new LogRig();
    await rig.logged(19);
    const last = rig.start();
    await last.call({ message: 'it failed, "loudly" – 📚' });
    await last.log.verify();
    await last.log.close();
    const heads = readHeadsOf(rig);
    const bytes = new Uint8Array(rig.bytes());
    const digest = (text: string): string => new NodeCrypto(undefined).digest(text);
    const source = {
      list: () => Promise.resolve([{ name: 'tool-calls.jsonl', size: bytes.length }]),
      read: (_: string, from: number, to: number) => Promise.resolve(bytes.slice(from, to)),
    };
    expect(await verify({ source, heads, digest })).toMatchObject({ green: true, rows: 20 });
    const unseen: string[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const report = await verify({ source, heads, digest });
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      if (report.green) unseen.push(`bit ${bit & 7} of byte ${bit >> 3}`);
    }
    expect(unseen).toEqual([]);
  }, 300_000);
});

describe('the months', () => {
  const NOVEMBER = Date.UTC(2026, 10, 30, 23, 59) * 1000;
  const DECEMBER = Date.UTC(2026, 11, 1, 0, 1) * 1000;

  it('formats the file of a month that is over moves aside, and readers see one log', async () => {
    const rig = new LogRig();
    const start = rig.start();
    await start.call({ at: NOVEMBER });
    await start.call({ at: DECEMBER });
    await start.call({ at: NOVEMBER + 1 }); // started before midnight, ended after
    expect(readdirSync(rig.folder).sort()).toEqual(['tool-calls.2026-11.jsonl', 'tool-calls.jsonl']);
    expect((await start.log.read({})).map(({ n }) => n)).toEqual([1, 3, 2]);
    expect(await start.log.verify()).toMatchObject({ green: true, files: 2, rows: 3 });
    expect((await start.log.read({ since: '2026-12-01T00:00:00Z' })).map(({ n }) => n)).toEqual([2]);
    expect((await start.log.recent(2)).map(({ n }) => n)).toEqual([2, 3]);
  });

  it('formats two processes at the turn of the month lose no row', async () => {
    const rig = new LogRig();
    const one = rig.start();
    const two = rig.start();
    await one.call({ at: NOVEMBER });
    await two.call({ at: NOVEMBER });
    await one.call({ at: DECEMBER });
    await two.call({ at: DECEMBER });
    await one.call({ at: DECEMBER + 1 });
    expect(readdirSync(rig.folder).filter((name) => name.endsWith('.jsonl')).sort()).toEqual(['tool-calls.2026-11.jsonl', 'tool-calls.jsonl']);
    expect(await one.log.verify()).toMatchObject({ green: true, rows: 5, writers: 2 });
  });

  it('formats a month whose name is taken, or a disk without links, still keeps every row', async () => {
    const rig = new LogRig();
    mkdirSync(rig.folder, { recursive: true });
    const start = rig.start();
    await start.call({ at: NOVEMBER });
    writeFileSync(path.join(rig.folder, 'tool-calls.2026-11.jsonl'), readFileSync(rig.file));
    await start.call({ at: DECEMBER });
    expect(readdirSync(rig.folder)).toHaveLength(3);
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 3, duplicates: 1 });

    const other = new LogRig();
    const unlinked = other.start();
    unlinked.fs.linkFails = 'EPERM';
    await unlinked.call({ at: NOVEMBER });
    await unlinked.call({ at: DECEMBER });
    expect(readdirSync(other.folder).sort()).toEqual(['tool-calls.2026-11.jsonl', 'tool-calls.jsonl']);
    expect(await unlinked.log.verify()).toMatchObject({ green: true, rows: 2 });
  });
});

describe('deleting the log', () => {
  it('log-faults 25 a call that runs meanwhile ends, its row is dropped, and no file is born again', async () => {
    const rig = new LogRig();
    await rig.logged(3);
    copyFileSync(rig.file, path.join(rig.folder, 'tool-calls.2026-10.jsonl'));
    copyFileSync(rig.file, path.join(rig.folder, 'tool-calls.sync-conflict-20261101.jsonl'));
    const start = rig.start();
    await start.call();
    start.log.journal.begin({ kind: 'call', id: 'aa', trace: 'bb', runSpan: 'cc', at: 1, run: 'r', client: { kind: 'mcp', name: 'c' }, plugin: 'books', tool: 'books.add' });
    start.log.delete();
    await start.call();
    start.log.journal.end('aa');
    await start.log.close();

    expect(readdirSync(rig.folder)).toEqual([]);
    expect(readdirSync(rig.state)).toEqual([]);
    expect(await start.log.writable()).toBe(false);
    expect(rig.notices).toEqual([]);
  });

  it('log-faults 25 files that are deleted stay away, whoever still appends', () => {
    const rig = new LogRig();
    const files = new LogFiles(rig.folder);
    files.append('{"a":1}\n');
    files.delete();
    files.append('{"a":2}\n');
    expect(readdirSync(rig.folder)).toEqual([]);
  });
});

function readHeadsOf(rig: LogRig): { w: string; n: number; digest: string }[] {
  const folder = path.join(rig.state, 'log-witness');
  return readdirSync(folder).map((name) => ({ w: name.replace('.json', ''), ...(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { n: number; digest: string }) }));
}
