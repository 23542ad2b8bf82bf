/** What verify finds in a log that was edited, cut, moved or forked, and what it passes as whole. */
import { describe, expect, it } from 'vitest';
import { verify, type Head, type Verification } from '../../otel/log-verify.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';

const digest = (text: string): string => new NodeCrypto(undefined).digest(text);
const FILE = 'tool-calls.jsonl';

/** Rows of a writer as the log writes them, and where its head is. */
function chain(w: string, count: number): { readonly lines: string[]; readonly head: Head } {
  const lines: string[] = [];
  let prev: string | undefined;
  for (let n = 1; n <= count; n++) {
    const text = JSON.stringify({ v: 1, kind: 'call', id: `${w}-${n}`, outcome: 'ok', w, n, ...(prev === undefined ? {} : { prev }) });
    prev = digest(text);
    lines.push(text);
  }
  return { lines, head: { w, n: count, digest: prev ?? '' } };
}

function check(files: { readonly [name: string]: readonly string[] }, heads: readonly Head[] = []): Promise<Verification> {
  const bytes = new Map(Object.entries(files).map(([name, lines]) => [name, new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))]));
  return verify({
    source: {
      list: () => Promise.resolve([...bytes].map(([name, { length: size }]) => ({ name, size }))),
      read: (name, from, to) => Promise.resolve(bytes.get(name)!.slice(from, to)),
    },
    heads,
    digest,
  });
}

const edited = (line: string): string => line.replace('"ok"', '"failed"');
const NONE = { count: 0, first: [] };

describe('verify', () => {
  it('E02 is green for whole chains, merged in any way that keeps each in order', async () => {
    const a = chain('a', 3);
    const b = chain('b', 2);
    const merged = [a.lines[0]!, b.lines[0]!, b.lines[1]!, a.lines[1]!, a.lines[2]!];
    expect(await check({ [FILE]: merged }, [a.head, b.head])).toEqual({
      green: true, files: 1, rows: 5, writers: 2, bad: 0, torn: 0, duplicates: 0, late: 0, unwitnessed: 0, edited: NONE, missing: NONE, moved: NONE, forked: NONE, cutTail: NONE,
    });
    expect(await check({})).toMatchObject({ green: true, rows: 0, writers: 0 });
  });

  it.each([2, 5, 8])('E02 names the row that was edited, the %ith', async (n) => {
    const { lines, head } = chain('a', 8);
    lines[n - 1] = edited(lines[n - 1]!);
    expect(await check({ [FILE]: lines }, [head])).toMatchObject({ green: false, edited: { count: 1, first: [{ w: 'a', n }] }, missing: NONE });
  });

  it('E02 names the row whose word about its predecessor was edited', async () => {
    const { lines, head } = chain('a', 8);
    lines[4] = lines[4]!.replace(/"prev":"../, '"prev":"zz');
    expect(await check({ [FILE]: lines }, [head])).toMatchObject({ green: false, edited: { count: 1, first: [{ w: 'a', n: 5 }] } });
  });

  it('E02 without a witness the last row is vouched for by nobody, and with one it is', async () => {
    const { lines, head } = chain('a', 4);
    lines[3] = edited(lines[3]!);
    expect(await check({ [FILE]: lines })).toMatchObject({ green: true });
    expect(await check({ [FILE]: lines }, [head])).toMatchObject({ green: false, edited: { count: 1, first: [{ w: 'a', n: 4 }] } });
  });

  it('E02 names rows that are missing, one or a stretch, at the beginning too', async () => {
    const { lines, head } = chain('a', 9);
    expect(await check({ [FILE]: [lines[1]!, lines[2]!, lines[4]!, lines[8]!] }, [head])).toMatchObject({
      green: false, edited: NONE, missing: { count: 5, first: [{ w: 'a', n: 1 }, { w: 'a', n: 4 }, { w: 'a', n: 6, to: 8 }] },
    });
  });

  it('E02 names a row that stands before an older one of its writer', async () => {
    const { lines, head } = chain('a', 4);
    expect(await check({ [FILE]: [lines[0]!, lines[2]!, lines[1]!, lines[3]!] }, [head])).toMatchObject({ green: false, moved: { count: 1, first: [{ w: 'a', n: 2 }] }, edited: NONE, missing: NONE });
  });

  it('E02 names a place that two different rows claim', async () => {
    const { lines, head } = chain('a', 4);
    expect(await check({ [FILE]: lines, 'tool-calls (2).jsonl': [edited(lines[2]!)] }, [head])).toMatchObject({ green: false, forked: { count: 1, first: [{ w: 'a', n: 3 }] }, duplicates: 0 });
  });

  it('E02 a copy of a row in another file is no fault, and in the same file is one', async () => {
    const { lines, head } = chain('a', 4);
    expect(await check({ [FILE]: lines, 'tool-calls (2).jsonl': lines.slice(1, 3) }, [head])).toMatchObject({ green: true, duplicates: 2, moved: NONE });
    expect(await check({ [FILE]: [...lines, lines[1]!] }, [head])).toMatchObject({ green: false, moved: { count: 1, first: [{ w: 'a', n: 2 }] } });
  });

  it('E02 names a tail that was cut off, of one writer or of a writer as a whole', async () => {
    const a = chain('a', 5);
    const b = chain('b', 2);
    expect(await check({ [FILE]: a.lines.slice(0, 3) }, [a.head, b.head])).toMatchObject({
      green: false, cutTail: { count: 4, first: [{ w: 'a', n: 4, to: 5 }, { w: 'b', n: 1, to: 2 }] }, missing: NONE, writers: 1,
    });
  });

  it('E02 says of how many writers there is no witness, who could end sooner than they did', async () => {
    const a = chain('a', 3);
    expect(await check({ [FILE]: [...a.lines, ...chain('b', 2).lines] }, [a.head])).toMatchObject({ green: true, unwitnessed: 1 });
    expect(await check({ [FILE]: a.lines.slice(0, 2) })).toMatchObject({ green: true, unwitnessed: 1 });
    expect(await check({}, [a.head])).toMatchObject({ green: false, unwitnessed: 0, cutTail: { count: 3 } });
  });

  it('E02 a witness that lags behind the file is no fault', async () => {
    const { lines } = chain('a', 5);
    expect(await check({ [FILE]: lines }, [chain('a', 3).head])).toMatchObject({ green: true });
  });

  it.each([['writer', '"w":"a","n":3', '"w":"q","n":3'], ['counter', '"w":"a","n":3', '"w":"a","n":9']])('E02 a row whose %s was changed is edited, not only missing', async (_, from, to) => {
    const { lines, head } = chain('a', 5);
    lines[2] = lines[2]!.replace(from, to);
    expect(await check({ [FILE]: lines }, [head])).toMatchObject({ green: false, edited: { first: expect.arrayContaining([{ w: 'a', n: 3 }]) as unknown } });
  });

  it('E02 white space that a tool put in is no edit', async () => {
    const { lines, head } = chain('a', 3);
    expect(await check({ [FILE]: lines.map((line) => line.replaceAll(',"', ', "')) }, [head])).toMatchObject({ green: true });
  });

  it('E02 a torn end that was fenced is told apart from damage', async () => {
    const { lines, head } = chain('a', 3);
    expect(await check({ [FILE]: [lines[0]!, lines[1]!, lines[2]!.slice(0, 30), lines[2]!] }, [head])).toMatchObject({ green: true, torn: 1, bad: 0 });
    expect(await check({ [FILE]: [lines[0]!, lines[1]!, lines[2]!.slice(5), lines[2]!] }, [head])).toMatchObject({ green: false, torn: 0, bad: 1 });
  });

  it('E02 a row passed off as torn is missed', async () => {
    const { lines, head } = chain('a', 3);
    expect(await check({ [FILE]: [lines[0]!, lines[1]!.slice(0, 30), lines[2]!] }, [head])).toMatchObject({ green: false, torn: 1, missing: { count: 1, first: [{ w: 'a', n: 2 }] } });
  });

  it('E02 rows of a later version are checked like any other', async () => {
    const text = JSON.stringify({ v: 2, anything: { new: true }, w: 'a', n: 1 });
    expect(await check({ [FILE]: [text] }, [{ w: 'a', n: 1, digest: digest(text) }])).toMatchObject({ green: true, rows: 1 });
  });

  it.each(['{}', '[]', '7', '{"w":"a","n":0}', '{"w":"a","n":1.5}', '{"w":1,"n":1}', '{"w":"a","n":1,"prev":7}'])('E02 a line with no place in a chain is damage: %s', async (line) => {
    expect(await check({ [FILE]: [line] })).toMatchObject({ green: false, bad: 1, rows: 0 });
  });

  it('B17 writers with the names of Object.prototype are writers like any other', async () => {
    const chains = ['__proto__', 'constructor', 'toString'].map((w) => chain(w, 2));
    expect(await check({ [FILE]: chains.flatMap(({ lines }) => lines) }, chains.map(({ head }) => head))).toMatchObject({ green: true, writers: 3 });
  });
});
