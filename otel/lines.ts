/**
 * The lines of a log file, as bytes. Split on 0x0A alone; a byte-order mark, a trailing CR and blank lines are passed over.
 * A file is read by the chunk, so that a long one neither fills memory nor blocks.
 */
import type { LogFile, LogSource } from './log-source.ts';

export const CHUNK_BYTES = 1 << 20;
/** No row is nearly as long. What is longer is damage, and is not gathered. */
export const LONGEST_LINE = 1 << 20;
const LF = 0x0a;
const CR = 0x0d;

/** `ended`: a newline follows. `undefined` in place of the bytes: a line too long to be a row. */
export type VisitLine = (line: Uint8Array | undefined, ended: boolean) => void;

export interface ScanOptions {
  /** Where a line begins: nothing before it is read. */
  readonly from?: number;
  /** Only lines that hold this text are visited. ASCII only. */
  readonly needle?: string | undefined;
  /** Asked first for each whole line, where it stands in the bytes that were read. What it takes is not visited. */
  readonly take?: TakeLine | undefined;
}

/** Where the newline stands of the line that begins at `from`, if it was taken; -1 leaves it to be visited. */
export type TakeLine = (bytes: Uint8Array, from: number) => number;

/**
 * Visits the lines of a file in order, and answers where the next scan can begin: behind the last newline. A file that cannot be
 * read, or shrank, ends early.
 */
export async function scanLines(source: LogSource, file: LogFile, visit: VisitLine, { from = 0, needle, take }: ScanOptions = {}): Promise<number> {
  let rest: Uint8Array = new Uint8Array(0);
  let overlong = false;
  let read = from;
  for (let at = from; at < file.size; at += CHUNK_BYTES) {
    let chunk: Uint8Array;
    try {
      chunk = await source.read(file.name, at, Math.min(at + CHUNK_BYTES, file.size));
    } catch {
      break;
    }
    read = at + chunk.length;
    let bytes = at === 0 ? withoutMark(chunk) : chunk;
    if (overlong) {
      const end = bytes.indexOf(LF);
      if (end < 0) continue;
      visit(undefined, true);
      overlong = false;
      bytes = bytes.subarray(end + 1);
    }
    const begun = rest.length === 0 ? 0 : bytes.indexOf(LF) + 1;
    if (begun > 0) visitWhole(joined(rest, bytes.subarray(0, begun)), visit, { needle, take });
    const end = bytes.lastIndexOf(LF) + 1;
    visitWhole(bytes.subarray(begun, end), visit, { needle, take });
    rest = end === 0 && rest.length > 0 ? joined(rest, bytes) : bytes.subarray(end);
    if (rest.length > LONGEST_LINE) {
      overlong = true;
      rest = new Uint8Array(0);
    }
  }
  if (overlong) visit(undefined, false);
  else visitOne(rest, false, visit);
  return read - rest.length;
}

/** Visits lines that all end in a newline. */
function visitWhole(bytes: Uint8Array, visit: VisitLine, { needle, take }: ScanOptions): void {
  if (needle !== undefined) {
    visitHits(bytes, visit, needle);
    return;
  }
  for (let from = 0; from < bytes.length; ) {
    let end = take ? take(bytes, from) : -1;
    if (end < 0) {
      end = bytes.indexOf(LF, from);
      visitOne(bytes.subarray(from, end), true, visit);
    }
    from = end + 1;
  }
}

function visitHits(bytes: Uint8Array, visit: VisitLine, needle: string): void {
  const search = new ByteSearch(needle);
  for (let hit = search.next(bytes, 0); hit >= 0; ) {
    const end = bytes.indexOf(LF, hit);
    visitOne(bytes.subarray(bytes.lastIndexOf(LF, hit) + 1, end), true, visit);
    hit = search.next(bytes, end);
  }
}

/** Boyer, Moore and Horspool: looks at one byte in as many as the text is long. Decoding first would cost twice the search. */
class ByteSearch {
  readonly #bytes: Uint8Array;
  readonly #skips: Uint8Array;

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text.slice(-255)); // a skip is kept in a byte
    const last = this.#bytes.length - 1;
    this.#skips = new Uint8Array(256).fill(this.#bytes.length);
    for (let i = 0; i < last; i++) this.#skips[this.#bytes[i]!] = last - i;
  }

  /** Where the text stands next, from `at` on; -1 if it does not. */
  next(bytes: Uint8Array, at: number): number {
    const text = this.#bytes;
    const skips = this.#skips;
    const last = text.length - 1;
    const end = bytes.length - text.length;
    while (at <= end) {
      let i = last;
      while (i >= 0 && bytes[at + i] === text[i]) i--;
      if (i < 0) return at;
      at += skips[bytes[at + last]!]!;
    }
    return -1;
  }
}

function visitOne(line: Uint8Array, ended: boolean, visit: VisitLine): void {
  const bytes = line[line.length - 1] === CR ? line.subarray(0, -1) : line;
  if (bytes.length > 0) visit(bytes, ended);
}

/** Visits what is whole in the last `window` bytes of a file, and the torn end of it. */
export async function scanTail(source: LogSource, file: LogFile, window: number, visit: VisitLine): Promise<void> {
  const from = Math.max(0, file.size - window);
  let bytes: Uint8Array;
  try {
    bytes = await source.read(file.name, from, file.size);
  } catch {
    return;
  }
  const begin = from === 0 ? withoutMark(bytes) : bytes.subarray(bytes.indexOf(LF) + 1);
  const end = begin.lastIndexOf(LF) + 1;
  visitWhole(begin.subarray(0, end), visit, {});
  visitOne(begin.subarray(end), false, visit);
}

/** Without the byte-order mark of a file's beginning. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
