/** Reading the log: months, copies, filters, and lines that are damaged. */
import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../otel/lines.ts';
import { LogReader } from '../../otel/log-reader.ts';
import { MemorySource } from '../fakes/memory-source.ts';

interface Words { readonly n: number; readonly w?: string; readonly at?: string; readonly run?: string; readonly tool?: string; readonly plugin?: string; readonly kind?: string; readonly v?: number; readonly message?: string }

function line({ n, w = 'w1', at = `2026-11-30T12:00:${String(n % 60).padStart(2, '0')}.000000Z`, run = 'run-1', tool = 'books.list', plugin = 'books', kind = 'call', v = 1, message }: Words): string {
  return `${JSON.stringify({
    v, kind, id: `id${w}${n}`, trace: 't', time: at, run, client: { kind: 'mcp', name: 'c' }, plugin, tool, outcome: 'ok',
    ...(kind === 'undo' ? { of: 'id1' } : {}), ...(message === undefined ? {} : { message }), spans: { run: 'r' }, us: { end: 1 }, w, n,
  })}\n`;
}

const FILE = 'tool-calls.jsonl';
const counters = (rows: readonly { readonly n: number }[]): number[] => rows.map(({ n }) => n);

describe('reading', () => {
  it('F122 rows come oldest first, whatever their order in the files', async () => {
    const reader = new LogReader(new MemorySource({
      [FILE]: line({ n: 3 }) + line({ n: 1, w: 'w2', at: '2026-11-30T12:00:01.500000Z' }) + line({ n: 2 }),
      'tool-calls.2026-10.jsonl': line({ n: 1 }),
    }));
    expect(counters((await reader.read()).rows)).toEqual([1, 1, 2, 3]);
  });

  it.each([
    ['run', { run: 'run-2' }, [2, 5]],
    ['plugin', { plugin: 'notes' }, [3]],
    ['tool', { tool: 'books.add' }, [4, 5]],
    ['run and tool', { run: 'run-2', tool: 'books.add' }, [5]],
    ['since, which is included', { since: '2026-11-30T12:00:04Z' }, [4, 5]],
    ['until, which is not', { until: '2026-11-30T12:00:03.000000Z' }, [1, 2]],
    ['both ends', { since: '2026-11-30T12:00:02Z', until: '2026-11-30T12:00:04Z' }, [2, 3]],
    ['a time of another zone', { since: '2026-11-30T14:00:05+02:00' }, [5]],
    ['a value that nobody has', { run: 'constructor' }, []],
  ] as const)('F122 the filter by %s', async (_, filter, expected) => {
    const rows = [line({ n: 1 }), line({ n: 2, run: 'run-2' }), line({ n: 3, plugin: 'notes' }), line({ n: 4, tool: 'books.add' }), line({ n: 5, tool: 'books.add', run: 'run-2' })];
    const reader = new LogReader(new MemorySource({ [FILE]: rows.join('') }));
    expect(counters((await reader.read(filter)).rows)).toEqual(expected);
  });

  it('F122 a filter finds rows that were laid out anew, and values that are written with escapes', async () => {
    const spaced = JSON.stringify(JSON.parse(line({ n: 1, run: 'run-2' }))).replaceAll('":', '" : ');
    const reader = new LogReader(new MemorySource({ [FILE]: `${spaced}\n${line({ n: 2, run: 'rün "2"' })}` }));
    expect(counters((await reader.read({ run: 'run-2' })).rows)).toEqual([1]);
    expect(counters((await reader.read({ run: 'rün "2"' })).rows)).toEqual([2]);
    expect(counters((await reader.read({ since: '2026-11-30T12:00:02Z' })).rows)).toEqual([2]);
  });

  it('D28 writes that can be taken back are found among the others, and what took them back', async () => {
    const withHandle = JSON.stringify({ ...(JSON.parse(line({ n: 2 })) as object), undo: 'shelf:7' });
    const reader = new LogReader(new MemorySource({ [FILE]: `${line({ n: 1, message: '"undo"' })}${withHandle}\n${line({ n: 3, kind: 'undo' })}${line({ n: 4 })}` }));
    expect(counters((await reader.read({ has: 'undo' })).rows)).toEqual([2, 3]);
    expect(counters((await reader.read({ has: 'undo', run: 'run-1', since: '2026-11-30T12:00:03Z' })).rows)).toEqual([3]);
  });

  it('F122 a filter value that stands elsewhere in a row does not fit', async () => {
    const reader = new LogReader(new MemorySource({ [FILE]: line({ n: 1, tool: 'run-2', message: '"run":"run-2"' }) }));
    expect((await reader.read({ run: 'run-2' })).rows).toEqual([]);
  });

  it('F122 a time that is none is refused', async () => {
    await expect(new LogReader(new MemorySource({})).read({ since: 'yesterday' })).rejects.toThrow(RangeError);
  });

  it('formats the end of a run is no call', async () => {
    const reader = new LogReader(new MemorySource({ [FILE]: line({ n: 1 }) + line({ n: 2, kind: 'run' }) + line({ n: 3, kind: 'undo' }) }));
    expect(counters((await reader.read()).rows)).toEqual([1, 3]);
    expect(counters(await reader.last(5))).toEqual([3, 1]);
  });

  it('formats damage is counted by its kind, and passed over', async () => {
    const reader = new LogReader(new MemorySource({
      [FILE]: `${line({ n: 1 })}no json\n[1]\n\n${line({ n: 2, v: 2 })}{"v":1}\n${line({ n: 3 }).slice(0, 60)}\n${line({ n: 4 })}{"v":1,"kind":"ca`,
    }));
    const { rows, damaged, torn, unknown } = await reader.read();
    expect({ rows: counters(rows), damaged, torn, unknown }).toEqual({ rows: [1, 4], damaged: 2, torn: 2, unknown: 2 });
  });

  it.each(['"client":{"kind":"mcp"}', '"message":{"toString":1}', '"grant":5', '"ms":"x"', '"waitMs":null', '"approval":"x"', '"undo":[]', '"plugin":7', '"spans":{}'])('log-faults 19 a row whose %s is of another type is unknown, not passed on', async (part) => {
    const odd = line({ n: 1 }).replace('}\n', `,${part}}\n`);
    expect(await new LogReader(new MemorySource({ [FILE]: odd + line({ n: 2 }) })).read()).toMatchObject({ rows: [{ n: 2 }], unknown: 1, damaged: 0 });
  });

  it('log-faults 15 lines end at a newline and at nothing else', async () => {
    const reader = new LogReader(new MemorySource({ [FILE]: line({ n: 1, message: 'a\u2028b\u2029c\u0085d\ve' }) }));
    expect((await reader.read()).rows).toMatchObject([{ message: 'a\u2028b\u2029c\u0085d\ve' }]);
  });

  it('formats bytes that are no text are damage', async () => {
    const bytes = new TextEncoder().encode(line({ n: 1, message: 'é' }));
    bytes[bytes.indexOf(0xc3)] = 0xff;
    expect(await new LogReader(new MemorySource({ [FILE]: bytes })).read()).toMatchObject({ rows: [], damaged: 1 });
  });

  it('formats rows are found across the borders of what is read at a time', async () => {
    const count = Math.ceil((CHUNK_BYTES * 2.5) / line({ n: 100_000 }).length);
    const content = Array.from({ length: count }, (_, i) => line({ n: i + 1 })).join('');
    const source = new MemorySource({ [FILE]: content });
    const reader = new LogReader(source);
    const { rows, damaged, torn } = await reader.read();
    expect({ rows: rows.length, damaged, torn }).toEqual({ rows: count, damaged: 0, torn: 0 });
    expect((await reader.read({ run: 'run-1' })).rows).toHaveLength(count);
  });

  it('formats a line without end is damage, and is not gathered', async () => {
    const endless = new Uint8Array(CHUNK_BYTES * 3).fill(0x61);
    const after = new TextEncoder().encode(`\n${line({ n: 1 })}`);
    const bytes = new Uint8Array([...endless, ...after]);
    expect(await new LogReader(new MemorySource({ [FILE]: bytes })).read()).toMatchObject({ rows: { length: 1 }, damaged: 1 });
    expect(await new LogReader(new MemorySource({ [FILE]: endless })).read()).toMatchObject({ rows: [], damaged: 1 });
  });

  it('formats a file that is gone when it is read is empty', async () => {
    const source = new MemorySource({ [FILE]: line({ n: 1 }) });
    source.read = () => Promise.reject(new Error('ENOENT'));
    expect(await new LogReader(source).read()).toMatchObject({ rows: [], damaged: 0 });
    expect(await new LogReader(source).last(3)).toEqual([]);
  });

  it('F122 months that are over before the time asked for are not read', async () => {
    const source = new MemorySource({ [FILE]: line({ n: 2 }), 'tool-calls.2026-09.jsonl': line({ n: 1, at: '2026-09-01T00:00:00.000000Z' }).repeat(50) });
    await new LogReader(source).read({ since: '2026-11-01T00:00:00Z' });
    expect(source.bytesRead).toBe(line({ n: 2 }).length);
  });
});

describe('the last rows', () => {
  it('F132 are the newest first, from the end of the file only', async () => {
    const source = new MemorySource({ [FILE]: Array.from({ length: 20_000 }, (_, i) => line({ n: i + 1, at: new Date(Date.UTC(2026, 10, 1) + i * 1000).toISOString().replace('Z', '000Z') })).join('') });
    const reader = new LogReader(source);
    expect(counters(await reader.last(3))).toEqual([20_000, 19_999, 19_998]);
    expect(source.bytesRead).toBe(65_536);
    expect(await reader.last(1000)).toHaveLength(1000);
  });

  it('F132 go back over months and look into copies', async () => {
    const reader = new LogReader(new MemorySource({
      'tool-calls.2026-10.jsonl': line({ n: 1, at: '2026-10-01T00:00:00.000000Z' }),
      'tool-calls.2026-09.jsonl': line({ n: 9, w: 'w0', at: '2026-09-01T00:00:00.000000Z' }),
      [FILE]: line({ n: 2 }),
      'tool-calls (conflicted copy).jsonl': line({ n: 2 }) + line({ n: 1, w: 'w2', at: '2026-11-30T12:00:59.000000Z' }),
    }));
    expect((await reader.last(3)).map(({ w, n }) => `${w}:${n}`)).toEqual(['w2:1', 'w1:2', 'w1:1']);
  });

  it('F132 log-faults 18 an old copy does not stand in for a month that is over', async () => {
    const many = (w: string, month: string, count: number): string => Array.from({ length: count }, (_, i) => line({ w, n: i + 1, at: `2026-${month}-10T00:00:0${i}.000000Z` })).join('');
    const reader = new LogReader(new MemorySource({
      'tool-calls.2026-01.jsonl': many('jan', '01', 5), 'tool-calls.2026-04.jsonl': many('apr', '04', 5), [FILE]: many('may', '05', 2), 'tool-calls.sync-conflict-1.jsonl': many('jan', '01', 5),
    }));
    expect((await reader.last(4)).map(({ w, n }) => `${w}:${n}`)).toEqual(['may:2', 'may:1', 'apr:5', 'apr:4']);
  });

  it('F132 log-faults 18 of a copy of the whole log the end is enough', async () => {
    const log = Array.from({ length: 20_000 }, (_, i) => line({ n: i + 1, at: new Date(Date.UTC(2026, 10, 1) + i * 1000).toISOString().replace('Z', '000Z') })).join('');
    const source = new MemorySource({ [FILE]: log, 'tool-calls (conflicted copy).jsonl': log });
    expect(counters(await new LogReader(source).last(2))).toEqual([20_000, 19_999]);
    expect(source.bytesRead).toBe(2 * 65_536);
  });

  it('F132 a damaged end hides nothing', async () => {
    const reader = new LogReader(new MemorySource({ [FILE]: `${line({ n: 1 })}${line({ n: 2 })}{"v":1,"ki` }));
    expect(counters(await reader.last(1))).toEqual([2]);
  });
});
