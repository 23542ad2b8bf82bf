/** Totals of the log: what they count, and that a look later costs and changes only what was written since. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Durations } from '../../otel/durations.ts';
import { monthOf } from '../../otel/local-time.ts';
import { LogReader } from '../../otel/log-reader.ts';
import { SeenRows } from '../../otel/seen.ts';
import { UsageReader } from '../../otel/usage-reader.ts';
import { ENDINGS, type Counts, type MonthUsage } from '../../otel/usage.ts';
import { lineText } from '../../otel/row-in.ts';
import { MemorySource } from '../fakes/memory-source.ts';

const FILE = 'tool-calls.jsonl';
const NOVEMBER = '2026-11';

interface Words { readonly n: number; readonly w?: string; readonly at?: string; readonly run?: string; readonly tool?: string; readonly outcome?: string; readonly kind?: string; readonly ms?: number; readonly single?: true; readonly name?: string }

/** In the middle of the month, so that the day is the same in every zone but for its edges. */
function line({ n, w = 'w1', at = '2026-11-15T12:00:00.000000Z', run = 'run-1', tool = 'books.list', outcome = 'ok', kind = 'call', ms, single, name = 'Claude Code' }: Words): string {
  return `${JSON.stringify({
    v: 1, kind, id: `id${w}${n}`, trace: 't', time: at, run, client: { kind: 'mcp', name }, ...(single ? { single } : {}), plugin: 'books', tool, outcome: kind === 'undo' && outcome === 'ok' ? 'done' : outcome,
    ...(kind === 'undo' ? { of: 'id1' } : {}), ...(ms === undefined ? {} : { ms }), spans: { run: 'r' }, us: { end: 1 }, w, n,
  })}\n`;
}

const newest = (lines: readonly Uint8Array[]): number[] => lines.map((bytes) => (JSON.parse(lineText(bytes)!) as { n: number }).n);
const total = (counts: Counts): number => ENDINGS.reduce((sum, ending) => sum + counts[ending], 0);
const look = async (source: MemorySource, month = NOVEMBER): Promise<MonthUsage> => (await new UsageReader(source).month(month)).usage;

describe('the totals of a month', () => {
  it('F131 count calls, refusals and failures for each tool, and how long they ran', async () => {
    const usage = await look(new MemorySource({ [FILE]: [
      line({ n: 1, ms: 10 }), line({ n: 2, outcome: 'empty', ms: 20 }), line({ n: 3, outcome: 'refused' }), line({ n: 4, outcome: 'invalid' }),
      line({ n: 5, tool: 'books.add', outcome: 'failed', ms: 5 }), line({ n: 6, tool: 'books.add', outcome: 'timeout', ms: 60_000 }), line({ n: 7, tool: 'books.add', outcome: 'interrupted' }), line({ n: 8, tool: 'books.add', outcome: 'aborted' }),
    ].join('') }));
    expect(usage.counts).toEqual({ ran: 2, refused: 2, failed: 3, stopped: 1 });
    expect([...usage.tools.values()].map(({ tool, counts }) => [tool, counts])).toEqual([
      ['books.list', { ran: 2, refused: 2, failed: 0, stopped: 0 }], ['books.add', { ran: 0, refused: 0, failed: 3, stopped: 1 }],
    ]);
    expect(usage.tools.get('books.list')!.durations.percentile(0.95)).toBeCloseTo(20, 0);
    expect(usage.days.get(15)).toEqual(usage.counts);
  });

  it('F131 leave other months out, and name them', async () => {
    const source = new MemorySource({ 'tool-calls.2026-10.jsonl': line({ n: 1, at: '2026-10-15T12:00:00.000000Z' }), [FILE]: line({ n: 2 }) + line({ n: 3, at: '2026-12-15T12:00:00.000000Z' }) });
    const reader = new UsageReader(source);
    expect(total((await reader.month(NOVEMBER)).usage.counts)).toBe(1);
    expect((await reader.month(NOVEMBER)).months).toEqual(['2026-12', '2026-11', '2026-10']);
    expect(total((await reader.month('2026-10')).usage.counts)).toBe(1);
    expect(total((await reader.month('2026-09')).usage.counts)).toBe(0);
  });

  it('F131 a month that is over is not read before it is asked for', async () => {
    const source = new MemorySource({ 'tool-calls.2026-03.jsonl': line({ n: 1, at: '2026-03-15T12:00:00.000000Z' }), [FILE]: line({ n: 2 }) });
    await look(source);
    expect(source.bytesRead).toBeLessThan(2 * source.files.get(FILE)!.length + 1);
  });

  it('F131 the days are those of the person\'s clock', async () => {
    const at = new Date(2026, 10, 30, 23, 30);
    const usage = await look(new MemorySource({ [FILE]: line({ n: 1, at: at.toISOString().replace('Z', '000Z') }) }), monthOf(at));
    expect([...usage.days.keys()]).toEqual([30]);
  });

  it('F132 hold the newest rows, newest first, whatever their order in the files', async () => {
    const minute = (n: number): string => `2026-11-15T12:${String(n).padStart(2, '0')}:00.000000Z`;
    const numbers = [5, 3, 30, 1, 29, 2, ...Array.from({ length: 23 }, (_, i) => i + 6), 4];
    const usage = await look(new MemorySource({ [FILE]: numbers.map((n) => line({ n, at: minute(n) })).join('') }));
    expect(newest(usage.newest.lines())).toEqual(Array.from({ length: 20 }, (_, i) => 30 - i));
  });

  it('D45 hold the newest refusals, failures and undos that were not done apart', async () => {
    const usage = await look(new MemorySource({ [FILE]: [
      line({ n: 1, outcome: 'refused', at: '2026-11-15T12:00:01.000000Z' }), line({ n: 2 }), line({ n: 3, kind: 'undo', at: '2026-11-15T12:00:03.000000Z' }), line({ n: 4, kind: 'undo', outcome: 'conflict', at: '2026-11-15T12:00:04.000000Z' }),
      line({ n: 5, outcome: 'timeout', at: '2026-11-15T12:00:05.000000Z' }),
    ].join('') }));
    expect(newest(usage.problems.lines())).toEqual([5, 4, 1]);
    expect(usage.takenBack).toBe(1);
    expect(total(usage.counts)).toBe(3);
  });

  it('F133 name the runs of more than one call, newest first', async () => {
    const usage = await look(new MemorySource({ [FILE]: [
      line({ n: 1, run: 'a', at: '2026-11-15T12:00:01.000000Z' }), line({ n: 2, run: 'b', at: '2026-11-15T12:00:02.000000Z', name: 'Codex' }), line({ n: 3, run: 'c', single: true }), line({ n: 4, run: 'a', at: '2026-11-15T12:00:03.000000Z' }),
    ].join('') }));
    expect(usage.runs().map(({ run, client }) => [run, client])).toEqual([['a', 'Claude Code'], ['b', 'Codex']]);
  });

  it('F131 F133 keep a bounded number of tools and runs, and count what is beyond', async () => {
    const usage = await look(new MemorySource({ [FILE]: Array.from({ length: 900 }, (_, i) => line({ n: i + 1, tool: `t.x${i}`, run: `r${i}`, at: `2026-11-15T12:00:00.${String(i).padStart(6, '0')}Z` })).join('') }));
    expect(usage.tools.size).toBe(500);
    expect(usage.otherTools.ran).toBe(400);
    expect(usage.runs().map(({ run }) => run)).toEqual(Array.from({ length: 100 }, (_, i) => `r${899 - i}`));
  });

  it('F131 count a row once that stands in a copy of the log too', async () => {
    const rows = [1, 2, 3, 4].map((n) => line({ n }));
    const usage = await look(new MemorySource({ [FILE]: `${rows[1]}${rows[3]}`, 'tool-calls (conflict).jsonl': rows.join('') }));
    expect(usage.counts.ran).toBe(4);
  });

  it('E02 count lines that are no rows, and pass over the beginning of one', async () => {
    const source = new MemorySource({ [FILE]: `${line({ n: 1 })}nonsense\n${line({ n: 2 }).slice(0, 60)}\n${line({ n: 3 })}` });
    const { usage, damaged } = await new UsageReader(source).month(NOVEMBER);
    expect([usage.counts.ran, damaged]).toEqual([2, 1]);
  });

  it('F131 agree with the reader of rows over any log', async () => {
    const kinds = fc.record({
      n: fc.integer({ min: 1, max: 40 }), w: fc.constantFrom('w1', 'w2'), outcome: fc.constantFrom('ok', 'refused', 'failed', 'aborted', 'of a later version'), tool: fc.constantFrom('a.b', 'c.d', 'ü.x'),
      kind: fc.constantFrom('call', 'call', 'call', 'undo'), run: fc.constantFrom('r1', 'r2'),
    });
    // The same row is the same wherever it stands.
    const rows = fc.uniqueArray(kinds, { selector: ({ n, w }) => `${w} ${n}`, maxLength: 60 });
    await fc.assert(fc.asyncProperty(rows, fc.array(fc.nat(59)), fc.constantFrom('', 'x\n', '{"v":1'), async (all, again, tail) => {
      const lines = all.map((row) => line(row));
      const copies = again.flatMap((i) => lines[i] ?? []);
      const source = new MemorySource({ [FILE]: lines.join('') + tail, 'tool-calls 2.jsonl': copies.join('') });
      const { usage } = await new UsageReader(source).month(NOVEMBER);
      const found = (await new LogReader(source).read()).rows.filter(({ kind, outcome }) => kind === 'call' && outcome !== ('of a later version' as never));
      expect(total(usage.counts)).toBe(found.length);
      for (const tool of ['a.b', 'c.d', 'ü.x']) expect(total(usage.tools.get(tool)?.counts ?? { ran: 0, refused: 0, failed: 0, stopped: 0 })).toBe(found.filter((row) => row.tool === tool).length);
    }), { numRuns: 200 });
  });
});

describe('another look', () => {
  it('F131 reads what was written since, and nothing else', async () => {
    const source = new MemorySource({ [FILE]: Array.from({ length: 5000 }, (_, i) => line({ n: i + 1 })).join('') });
    const reader = new UsageReader(source);
    await reader.month(NOVEMBER);
    source.append(FILE, line({ n: 5001 }));
    source.bytesRead = 0;
    expect((await reader.month(NOVEMBER)).usage.counts.ran).toBe(5001);
    expect(source.bytesRead).toBeLessThan(1000);
  });

  it('F131 counts a last row without its newline once, before and after it comes', async () => {
    const source = new MemorySource({ [FILE]: line({ n: 1 }) + line({ n: 2 }).trimEnd() });
    const reader = new UsageReader(source);
    expect((await reader.month(NOVEMBER)).usage.counts.ran).toBe(2);
    source.append(FILE, `\n${line({ n: 3 })}`);
    expect((await reader.month(NOVEMBER)).usage.counts.ran).toBe(3);
  });

  it.each([
    ['cut', line({ n: 1 }), 1], ['replaced by one as long', line({ n: 8 }) + line({ n: 9 }) + line({ n: 7 }), 3], ['replaced by a longer one', [4, 5, 6, 7].map((n) => line({ n })).join(''), 4], ['gone', '', 0],
  ])('F131 a file that was %s is read anew', async (_, content, expected) => {
    const source = new MemorySource({ [FILE]: [1, 2, 3].map((n) => line({ n })).join('') });
    const reader = new UsageReader(source);
    await reader.month(NOVEMBER);
    if (content === '') source.files.delete(FILE);
    else source.files.set(FILE, new TextEncoder().encode(content));
    expect((await reader.month(NOVEMBER)).usage.counts.ran).toBe(expected);
  });

  it('F131 finds the same when the month has turned and the file was moved', async () => {
    const source = new MemorySource({ [FILE]: line({ n: 1 }) + line({ n: 2 }) });
    const reader = new UsageReader(source);
    await reader.month(NOVEMBER);
    source.files.set('tool-calls.2026-11.jsonl', source.files.get(FILE)!);
    source.files.set(FILE, new TextEncoder().encode(line({ n: 3, at: '2026-12-15T12:00:00.000000Z' })));
    expect((await reader.month(NOVEMBER)).usage.counts.ran).toBe(2);
    expect((await reader.month('2026-12')).usage.counts.ran).toBe(1);
  });

  it('F131 looks that overlap count each row once', async () => {
    const source = new MemorySource({ [FILE]: [1, 2, 3].map((n) => line({ n })).join('') });
    const reader = new UsageReader(source);
    const [a, b] = await Promise.all([reader.month(NOVEMBER), reader.month(NOVEMBER)]);
    expect([a.usage.counts.ran, b.usage.counts.ran]).toEqual([3, 3]);
  });
});

describe('what the totals rest on', () => {
  it('a row is new once, in whatever order rows come', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -3, max: 30 }))), (rows) => {
      const seen = new SeenRows();
      const known = new Set<string>();
      for (const [w, n] of rows) {
        expect(seen.add(w, n)).toBe(!known.has(`${w} ${n}`));
        known.add(`${w} ${n}`);
      }
    }));
  });

  it('a percentile is off by at most 2 %', () => {
    fc.assert(fc.property(fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 }), fc.constantFrom(0.5, 0.95), (values, share) => {
      const durations = new Durations();
      for (const value of values) durations.add(value);
      const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;
      expect(Math.abs(durations.percentile(share)! / exact - 1)).toBeLessThanOrEqual(0.02);
    }));
  });
});
