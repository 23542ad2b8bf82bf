/**
 * Checks the log against its chains and its witness (E02): tells rows that were edited, are missing, were moved or forked
 * and a tail that was cut off from the torn end that a crash leaves.
 *
 * The witness is the newest place of each writer, kept where whoever changes the file does not reach: a chain alone
 * cannot show that its own end is missing.
 */
import { scanLines } from './lines.ts';
import type { LogSource } from './log-source.ts';
import { isTorn, lineObject, lineText } from './row-in.ts';
import { WriterChain, type Place, type StoredRow } from './writer-chain.ts';

/** The newest row of a writer: its counter and its digest. */
export interface Head {
  readonly w: string;
  readonly n: number;
  readonly digest: string;
}

/** What was found of one kind: how many rows, and the first of them by name. `to`: a stretch of rows. */
export interface Finding {
  readonly count: number;
  readonly first: readonly Place[];
}

export interface Verification {
  /** Nothing was changed, taken away or damaged. Torn ends, late rows and copies are no faults. */
  readonly green: boolean;
  readonly files: number;
  readonly rows: number;
  readonly writers: number;
  /** Lines that are no row. */
  readonly bad: number;
  /** Beginnings of rows whose end was never written. */
  readonly torn: number;
  /** Rows that stand more than once, in copies of a file. */
  readonly duplicates: number;
  /** Rows that waited in memory because the log could not be written. */
  readonly late: number;
  /** Writers with rows of whom there is no witness: that their last rows were changed or cut off would not be seen. */
  readonly unwitnessed: number;
  readonly edited: Finding;
  readonly missing: Finding;
  /** Rows that stand before an older row of their writer. */
  readonly moved: Finding;
  /** Two different rows in one place. */
  readonly forked: Finding;
  /** Rows that the witness knows to have been written after the last that is there. */
  readonly cutTail: Finding;
}

export interface VerifyOptions {
  readonly source: LogSource;
  /** What the witness holds, read before the files are: a row may be written meanwhile. */
  readonly heads: readonly Head[];
  /** SHA-256, lower-case hex. */
  readonly digest: (text: string) => string;
}

/** Places named in a finding. */
const NAMED = 100;

export async function verify({ source, heads, digest }: VerifyOptions): Promise<Verification> {
  const files = await source.list();
  const chains = new Map<string, WriterChain>();
  const moved: Place[] = [];
  let rows = 0;
  let bad = 0;
  let torn = 0;
  let late = 0;

  for (const file of files) {
    const newest = new Map<string, number>();
    await scanLines(source, file, (line, ended) => {
      const text = line && lineText(line);
      const value = text === undefined ? undefined : lineObject(text);
      const stored = value && storedRow(value, digest);
      if (!stored) {
        if (text !== undefined && !value && (isTorn(text) || !ended)) torn++;
        else bad++;
        return;
      }
      rows++;
      if (value['late'] === true) late++;
      const { w, n } = stored;
      if (n <= (newest.get(w) ?? 0)) moved.push({ w, n });
      else newest.set(w, n);
      let chain = chains.get(w);
      if (!chain) chains.set(w, (chain = new WriterChain(w)));
      chain.add(stored);
    });
  }

  const known = new Map(heads.map((head) => [head.w, head]));
  for (const { w } of heads) if (!chains.has(w)) chains.set(w, new WriterChain(w));
  const results = [...chains.values()].map((chain) => chain.check(known.get(chain.writer)));
  // A row whose own writer or counter was changed stands as a stray; what it names as the row before it tells its place.
  const strays = new Set(results.flatMap((result) => result.strays));
  const renamed = results.flatMap((result) => result.gaps.filter((gap) => strays.has(gap.after)).map((gap) => gap.place));

  const findings = {
    edited: finding([...results.flatMap((result) => result.edited), ...renamed]),
    missing: finding(results.flatMap((result) => result.missing)),
    moved: finding(moved),
    forked: finding(results.flatMap((result) => result.forked)),
    cutTail: finding(results.flatMap((result) => result.cutTail)),
  };
  return {
    green: bad === 0 && Object.values(findings).every(({ count }) => count === 0),
    files: files.length,
    rows,
    writers: [...chains.values()].filter((chain) => chain.size > 0).length,
    bad,
    torn,
    duplicates: results.reduce((sum, result) => sum + result.duplicates, 0),
    late,
    unwitnessed: [...chains.values()].filter((chain) => chain.size > 0 && !known.has(chain.writer)).length,
    ...findings,
  };
}

/** What the chain needs of a row, whatever its version; `undefined` if it has no place in a chain. */
function storedRow(value: { readonly [key: string]: unknown }, digest: (text: string) => string): (StoredRow & { readonly w: string }) | undefined {
  const { w, n, prev } = value;
  if (typeof w !== 'string' || typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1) return undefined;
  if (prev !== undefined && typeof prev !== 'string') return undefined;
  // The row as parsed and written again: line ends, marks and white space do not count, values do.
  return { w, n, prev, digest: digest(JSON.stringify(value)) };
}

function finding(places: readonly Place[]): Finding {
  return { count: places.reduce((sum, { n, to }) => sum + (to === undefined ? 1 : to - n + 1), 0), first: places.slice(0, NAMED) };
}
