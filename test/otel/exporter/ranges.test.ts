/** Which rows are done with, and which traces are meant to be sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ranges, type Range } from '../../../otel/exporter/ranges.ts';
import { isSampled } from '../../../otel/exporter/sampling.ts';

const range = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(8)).map(([from, more]): Range => [from, from + more]);

function setOf(ranges: readonly Range[]): Set<number> {
  return new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)));
}

describe('the rows that are done with', () => {
  it('E03 are the same as in a set, in whatever order they came and from whatever file', () => {
    fc.assert(fc.property(fc.array(range, { maxLength: 12 }), fc.array(range, { maxLength: 12 }), (kept, added) => {
      const ranges = new Ranges(kept);
      for (const [from, to] of added) ranges.add(from, to);
      const set = setOf([...kept, ...added]);
      for (let n = 0; n <= 75; n++) {
        expect(ranges.has(n), `has ${n}`).toBe(set.has(n));
        const highest = Math.max(0, ...set);
        expect(ranges.hasGap(n || 1), `a gap from ${n || 1}`).toBe(Array.from({ length: 75 }, (_, i) => i + 1).some((each) => each >= (n || 1) && each <= highest && !set.has(each)));
      }
    }), { numRuns: 200 });
  });

  it('E03 come out of their file as they went in, and stay few', () => {
    fc.assert(fc.property(fc.array(range, { maxLength: 12 }), (added) => {
      const ranges = new Ranges();
      for (const [from, to] of added) ranges.add(from, to);
      const json = JSON.parse(JSON.stringify(ranges)) as Range[];
      expect(new Ranges(json).toJSON()).toEqual(json);
      json.slice(1).forEach(([from], i) => expect(from).toBeGreaterThan(json[i]![1] + 1));
    }));
  });

  it('E03 of a file that changes later do not change with it', () => {
    const kept: [number, number][] = [[1, 3]];
    new Ranges(kept).add(4);
    expect(kept).toEqual([[1, 3]]);
  });
});

describe('a share of the traces', () => {
  const ids = Array.from({ length: 4_096 }, (_, i) => `${'0'.repeat(18)}${(BigInt(i) * (16n ** 14n / 4_096n)).toString(16).padStart(14, '0')}`);

  it.each([[0, 0], [0.25, 1_024], [0.5, 2_048], [1, 4_096]])('D30 %d of them is sent, by their ids alone', (rate, count) => {
    expect(ids.filter((id) => isSampled(id, rate))).toHaveLength(count);
  });

  it('D30 a trace that is sent at a small share is sent at every larger one', () => {
    fc.assert(fc.property(fc.constantFrom(...ids), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (id, a, b) => !isSampled(id, Math.min(a, b)) || isSampled(id, Math.max(a, b))));
  });

  it('D30 an id that is none is not sent by a share', () => {
    expect([isSampled('', 0.5), isSampled('z'.repeat(32), 0.5)]).toEqual([false, false]);
  });
});
