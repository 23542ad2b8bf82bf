/** Reading the log forward while others write, move, replace and damage it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Follower, rowsIn, type Place } from '../../../otel/exporter/follower.ts';
import { LOG, MemoryLog } from './memory-log.ts';
import { callRow, lineOf } from './rows.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

class Reader {
  readonly log = new MemoryLog();
  readonly follower: Follower;
  place: Place | undefined;

  constructor(options?: { readonly copies?: boolean }) {
    this.follower = new Follower(this.log, options);
  }

  /** Numbers of the rows from the place to the end. */
  async rest(each: (pieces: number) => void = () => undefined): Promise<number[]> {
    const found: number[] = [];
    for (let pieces = 1; pieces < 1_000; pieces++) {
      const piece = await this.follower.next(this.place);
      if (!piece) return found;
      this.place = JSON.parse(JSON.stringify(piece.place)) as Place; // as it comes out of its file
      found.push(...rowsIn(piece.lines).map(({ n }) => n));
      if (piece.end) return found;
      each(pieces);
    }
    throw new Error('it never ends');
  }
}

describe('the log, followed', () => {
  it('E03 of no file, or an empty one, has nothing', async () => {
    const reader = new Reader();
    expect(await reader.rest()).toEqual([]);
    reader.log.write('');
    expect([await reader.rest(), reader.place, await reader.follower.placeBefore('w1', 1)]).toEqual([[], undefined, undefined]);
  });

  it('E03 gives each row once, in order, however it is cut into pieces', async () => {
    const reader = new Reader();
    reader.log.append(...range(1, 200).map((n) => callRow(n)));
    expect(await reader.rest()).toEqual(range(1, 200));
    expect(await reader.rest()).toEqual([]);
    reader.log.append(callRow(201));
    expect(await reader.rest()).toEqual([201]);
  });

  it('E03 passes over a torn end until the rest of the line is there', async () => {
    const reader = new Reader();
    const line = lineOf(callRow(2));
    reader.log.append(callRow(1));
    reader.log.write(line.slice(0, 90));
    expect(await reader.rest()).toEqual([1]);
    reader.log.write(line.slice(90));
    expect(await reader.rest()).toEqual([2]);
  });

  it('E03 passes over a line torn by a crash, fenced by a newline', async () => {
    const reader = new Reader();
    reader.log.write(`${lineOf(callRow(1)).slice(0, 40)}`);
    expect(await reader.rest()).toEqual([]);
    reader.log.write('\n');
    reader.log.append(callRow(2));
    expect(await reader.rest()).toEqual([2]);
  });

  it.each([['nothing', ''], ['a blank line', '\n'], ['no JSON', '{"v":1,\n'], ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x0a])], ['a list', '[1]\n'], ['another version', '{"v":2}\n'], ['a row glued to half of another', `{"v":1,"kind":"ca${lineOf(callRow(9))}`]])('E03 passes over %s between two rows', async (_, damage) => {
    const reader = new Reader();
    reader.log.append(callRow(1));
    reader.log.write(damage);
    reader.log.append(callRow(2));
    expect(await reader.rest()).toEqual([1, 2]);
  });

  it('E03 has the first row of a file that an editor put a byte-order mark before, and lines that end in CR LF', async () => {
    const reader = new Reader();
    reader.log.write(`\ufeff${range(1, 3).map((n) => lineOf(callRow(n)).replace('\n', '\r\n')).join('')}`);
    expect(await reader.rest()).toEqual([1, 2, 3]);
    expect(await reader.follower.placeBefore('w1', 2)).toBeUndefined();
  });

  it('E03 has a row of any length that counts as one, and passes over a line that is longer', async () => {
    const reader = new Reader();
    reader.log.append(callRow(1), callRow(2, { message: 'x'.repeat(40_000) }), callRow(3), callRow(4, { message: 'é'.repeat(400_000) }), callRow(5));
    reader.log.write(`"${'y'.repeat(3 << 20)}"\n`);
    reader.log.append(callRow(6));
    expect(await reader.rest()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('E03 waits at a long line that is not whole yet', async () => {
    const reader = new Reader();
    const line = lineOf(callRow(2, { message: 'x'.repeat(50_000) }));
    reader.log.append(callRow(1));
    reader.log.write(line.slice(0, 40_000));
    expect(await reader.rest()).toEqual([1]);
    reader.log.write(line.slice(40_000));
    expect(await reader.rest()).toEqual([2]);
  });

  it('E03 has a line that was put in twice once', async () => {
    const reader = new Reader();
    reader.log.append(callRow(1), callRow(2), callRow(1), callRow(2), callRow(1, { w: 'w2' }));
    expect(await reader.rest()).toEqual([1, 2, 1]);
  });
});

describe('a log whose files change', () => {
  it('E03 goes on where it was when the month ends in the middle', async () => {
    const reader = new Reader();
    reader.log.append(...range(1, 100).map((n) => callRow(n)));
    const found = await reader.rest((pieces) => {
      if (pieces !== 2) return;
      reader.log.roll('2026-11');
      reader.log.append(...range(101, 150).map((n) => callRow(n)));
    });
    expect(found).toEqual(range(1, 150));
    reader.log.roll('2026-12');
    reader.log.append(callRow(151));
    expect(await reader.rest()).toEqual([151]);
  });

  it('E03 goes on in the file of a month, where a torn end stands in its way', async () => {
    const reader = new Reader();
    reader.log.append(callRow(1));
    reader.log.write('{"v":1,"kind":"ca');
    reader.log.roll('2026-11');
    reader.log.append(callRow(2));
    expect(await reader.rest()).toEqual([1, 2]);
  });

  it('E03 is read from the beginning where its file is shorter than the place, was replaced, or is gone', async () => {
    for (const change of [
      (log: MemoryLog) => log.files.set(LOG, log.files.get(LOG)!.subarray(0, lineOf(callRow(1)).length)),
      (log: MemoryLog) => log.files.set(LOG, Buffer.from(range(11, 30).map((n) => lineOf(callRow(n))).join(''))),
      (log: MemoryLog) => log.files.delete(LOG),
    ]) {
      const reader = new Reader();
      reader.log.append(...range(1, 10).map((n) => callRow(n)));
      await reader.rest();
      change(reader.log);
      const left = rowsIn(reader.log.files.get(LOG) ?? new Uint8Array()).map(({ n }) => n);
      expect(await reader.rest()).toEqual(left);
      reader.log.append(callRow(31));
      expect(await reader.rest()).toEqual([31]);
    }
  });

  it('E03 becomes shorter while it is read: what is there counts', async () => {
    const reader = new Reader();
    reader.log.append(...range(1, 100).map((n) => callRow(n)));
    let reads = 0;
    reader.log.meanwhile = () => {
      if (++reads === 5) reader.log.files.set(LOG, reader.log.files.get(LOG)!.subarray(0, 500));
    };
    const found = await reader.rest();
    expect(found.slice(0, 10)).toEqual(range(1, 10));
    reader.log.write('\n');
    reader.log.append(callRow(101));
    expect((await reader.rest()).at(-1)).toBe(101);
  });

  it('E03 leaves copies that a sync service made aside, unless they are asked for', async () => {
    for (const copies of [false, true]) {
      const reader = new Reader({ copies });
      reader.log.append(callRow(1), callRow(2));
      reader.log.write(`${lineOf(callRow(1))}${lineOf(callRow(3))}`, 'tool-calls (conflict).jsonl');
      reader.log.write(lineOf(callRow(0)), 'tool-calls.2026-10.jsonl');
      expect(await reader.rest()).toEqual(copies ? [0, 1, 2, 1, 3] : [0, 1, 2]);
    }
  });

  it('E03 is followed to its end, whatever is done to its files, and nothing that stays is passed over', async () => {
    const step = fc.oneof(fc.constant('append' as const), fc.constant('read' as const), fc.constant('roll' as const), fc.constant('torn' as const), fc.constant('fence' as const));
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const reader = new Reader();
      let n = 0;
      let month = 1;
      let torn = false;
      const found = new Set<number>();
      for (const each of [...steps, 'fence', 'append', 'read'] as const) {
        if (each === 'append') {
          if (torn) reader.log.write('\n');
          torn = false;
          reader.log.append(callRow(++n), callRow(++n));
        } else if (each === 'torn') {
          reader.log.write(torn ? '' : '{"v":1,"ki');
          torn = true;
        } else if (each === 'fence') {
          if (torn) reader.log.write('\n');
          torn = false;
        } else if (each === 'roll') {
          if ((reader.log.files.get(LOG)?.length ?? 0) > 0) reader.log.roll(`2026-${String(month++).padStart(2, '0')}`);
          torn = false;
        } else for (const one of await reader.rest()) found.add(one);
      }
      expect([...found]).toEqual(range(1, n));
    }), { numRuns: 200 });
  });
});

describe('the place before a writer\'s rows', () => {
  it('E03 lies before the first of them that count, near the end of a long log', async () => {
    const reader = new Reader();
    reader.log.append(...range(1, 1_000).map((n) => callRow(n, { w: 'w0' })), ...range(1, 5).map((n) => callRow(n)));
    const size = reader.log.files.get(LOG)!.length;
    reader.place = await reader.follower.placeBefore('w1', 3);
    expect(reader.log.bytesRead).toBeLessThan(size / 2);
    const found = await reader.rest();
    expect(found.slice(-3)).toEqual([3, 4, 5]);
    expect(found.length).toBeLessThan(500);
  });

  it('E03 is the beginning where they fill the file', async () => {
    const reader = new Reader();
    reader.log.append(...range(1, 1_000).map((n) => callRow(n)));
    reader.place = await reader.follower.placeBefore('w1', 1);
    expect(await reader.rest()).toEqual(range(1, 1_000));
  });

  it('E03 a row in a copy of the log alone is found, and each once', async () => {
    const reader = new Reader();
    reader.log.append(callRow(1), callRow(1), callRow(3, { w: 'w2' }));
    reader.log.write(`${lineOf(callRow(1))}${lineOf(callRow(3))}${lineOf(callRow(2))}`, 'tool-calls (conflict).jsonl');
    expect((await reader.follower.search('w1', (n) => n !== 4)).map(({ n }) => n)).toEqual([1, 2, 3]);
  });
});
