/**
 * The journal of what is in flight: what a crash leaves is answered once, and a write is taken back once.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallIntent, UndoIntent } from '../../src/core/ports.ts';
import { InFlightJournal } from '../../src/node/log/journal.ts';

const NOW = 1_796_000_000_000_000;

describe('what is in flight', () => {
  it('log-faults 23 a write that was allowed and not answered is found at the next start, once', async () => {
    const folder = newFolder();
    start(folder, 'a').begin(call('01'));

    const next = start(folder, 'b');
    expect(await next.leftBehind()).toEqual([call('01')]);
    next.end('01');
    expect(await start(folder, 'c').leftBehind()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('log-faults 23 a write that was answered is not found', async () => {
    const folder = newFolder();
    const journal = start(folder, 'a');
    journal.begin(call('01'));
    journal.begin(call('02'));
    journal.end('01');
    expect((await start(folder, 'b').leftBehind()).map(({ id }) => id)).toEqual(['02']);
  });

  it('log-faults 23 a start that itself crashes before it has answered leaves the rest to the next', async () => {
    const folder = newFolder();
    start(folder, 'a').begin(call('01'));
    expect(await start(folder, 'b').leftBehind()).toHaveLength(1);
    expect(await start(folder, 'c').leftBehind()).toEqual([call('01')]);
  });

  it('E04 entries of another process that lives are left alone, and still there when it is gone', async () => {
    const folder = newFolder();
    const file = path.join(folder, 'in-flight.jsonl');
    writeFileSync(file, `\n${JSON.stringify({ begin: call('01'), w: 'other', pid: 4242 })}`);
    const alive = new Set([4242]);
    const one = start(folder, 'a', alive);
    expect(await one.leftBehind()).toEqual([]);
    one.begin(call('02'));
    one.end('02');
    one.close();
    expect(readFileSync(file, 'utf8')).toContain('"id":"01"');

    alive.clear();
    expect(await start(folder, 'b', alive).leftBehind()).toEqual([call('01')]);
  });

  it('E04 an entry older than any handler may run is left behind, whatever has its process number now', async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'in-flight.jsonl'), `\n${JSON.stringify({ begin: { ...call('01'), at: NOW - 91_000_000 }, w: 'other', pid: 4242 })}`);
    expect(await start(folder, 'a', new Set([4242])).leftBehind()).toHaveLength(1);
  });

  it('E04 half an entry that a crash left is passed over and swallows nothing', async () => {
    const folder = newFolder();
    appendFileSync(path.join(folder, 'in-flight.jsonl'), '\n{"begin":{"kind":"call","id":"0');
    start(folder, 'a').begin(call('02'));
    expect((await start(folder, 'b').leftBehind()).map(({ id }) => id)).toEqual(['02']);
  });

  it.each([{ client: { kind: 'mcp","evil":"', name: 'x' } }, { client: { kind: 'mcp' } }, { args: '"' }, { policy: { effective: 'allow' } }])('E04 an entry damaged at %j is passed over: its words would stand in a row as they are', async (damage) => {
    const folder = newFolder();
    appendFileSync(path.join(folder, 'in-flight.jsonl'), `\n${JSON.stringify({ begin: { ...call('01'), ...damage }, w: 'x', pid: 4242 })}`);
    expect(await start(folder, 'a', new Set()).leftBehind()).toEqual([]);
  });

  it('E04 a journal that is moved aside while a write begins still holds it', async () => {
    const folder = newFolder();
    const one = start(folder, 'a');
    one.begin(call('01'));
    // Another start tidies: the file that `one` has open is another's now.
    const two = start(folder, 'b', new Set([process.pid]));
    await two.leftBehind();
    one.begin(call('02'));
    expect(readFileSync(path.join(folder, 'in-flight.jsonl'), 'utf8')).toContain('"id":"02"');
  });

  it('E04 a journal of finished entries is tidied away', () => {
    const folder = newFolder();
    const journal = start(folder, 'a');
    for (let i = 0; i < 1000; i++) {
      journal.begin(call(String(i)));
      journal.end(String(i));
    }
    expect(readFileSync(path.join(folder, 'in-flight.jsonl')).length).toBeLessThan(70_000);
    journal.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('D24 while rows wait in memory, no intent is done with', async () => {
    const folder = newFolder();
    let wait = true;
    const journal = new InFlightJournal({ folder, writer: 'a', now: () => NOW, rowsWait: () => wait });
    journal.begin(call('01'));
    journal.end('01');
    journal.release();
    expect(readFileSync(path.join(folder, 'in-flight.jsonl'), 'utf8')).not.toContain('"end"');
    wait = false;
    journal.release();
    expect(await start(folder, 'b').leftBehind()).toEqual([]);
  });

  it('D24 a write does not begin where the journal cannot be written', () => {
    const folder = path.join(newFolder(), 'not there');
    expect(() => start(folder, 'a').begin(call('01'))).toThrow('ENOENT');
    mkdirSync(folder);
    expect(() => start(folder, 'a').begin(call('01'))).not.toThrow();
  });

  it('E04 the end of a call that never began writes nothing', () => {
    const folder = newFolder();
    start(folder, 'a').end('01');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('taking a write back', () => {
  it('D28 of two that claim the undo of a call one wins, and may be followed when it is done', () => {
    const folder = newFolder();
    const one = start(folder, 'a');
    const two = start(folder, 'b');
    expect(one.claimUndo(undo('01'))).toBe(true);
    expect(two.claimUndo(undo('02'))).toBe(false);
    two.end('02');
    expect(two.claimUndo(undo('03'))).toBe(false);
    one.end('01');
    expect(two.claimUndo(undo('04'))).toBe(true);
  });

  it('D28 a claim that a crash left stays, and comes up as left behind', async () => {
    const folder = newFolder();
    start(folder, 'a').claimUndo(undo('01'));
    const next = start(folder, 'b');
    expect(await next.leftBehind()).toEqual([undo('01')]);
    expect(next.claimUndo(undo('02'))).toBe(false);
    next.end('01');
    expect(readdirSync(folder).filter((name) => name.startsWith('in-flight.undo.'))).toEqual([]);
  });

  it('D28 a loser of the race that crashes does not free the claim of the winner', async () => {
    const folder = newFolder();
    start(folder, 'a').claimUndo(undo('01'));
    writeFileSync(path.join(folder, 'in-flight.jsonl'), `\n${JSON.stringify({ begin: undo('02'), w: 'loser', pid: 4242 })}`);
    const next = start(folder, 'c');
    expect((await next.leftBehind()).map(({ id }) => id)).toEqual(['02']);
    next.end('02');
    expect(existsSync(path.join(folder, `in-flight.undo.${'f'.repeat(16)}`))).toBe(true);
  });

  it('B17 an undo of what is no span id is refused before any file has its name', () => {
    const folder = newFolder();
    expect(() => start(folder, 'a').claimUndo({ ...undo('01'), of: '../../x' })).toThrow(TypeError);
    expect(readdirSync(folder)).not.toContain('x');
  });
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'model-hub-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(folder: string, writer: string, alive: ReadonlySet<number> = new Set()): InFlightJournal {
  return new InFlightJournal({ folder, writer, now: () => NOW, isAlive: (pid) => alive.has(pid) });
}

function call(id: string): CallIntent {
  return { kind: 'call', id, trace: '0b', runSpan: '0c', at: NOW, run: 'run-1', client: { kind: 'mcp', name: 'Claude Code' }, plugin: 'books', tool: 'books.add_to_shelf' };
}

function undo(id: string): UndoIntent {
  return { ...call(id), kind: 'undo', of: 'f'.repeat(16), trigger: 'view' };
}
