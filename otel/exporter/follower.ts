/**
 * Reads the log forward, a piece at a time, from a place that can be kept: through the files of months that are over, and
 * on where the file was moved meanwhile.
 */
import { LONGEST_LINE, scanLines, withoutMark } from '../lines.ts';
import { IS_MONTH, type LogFile, type LogSource } from '../log-source.ts';
import { isRow, lineObject, lineText } from '../row-in.ts';
import type { Row } from '../row.ts';

/** Between two lines of a file. The file is known by its beginning: at the end of a month it gets another name. */
export interface Place {
  readonly name: string;
  readonly head: string;
  readonly offset: number;
}

export interface Piece {
  /** Whole lines. */
  readonly lines: Uint8Array;
  /** Behind them. */
  readonly place: Place;
  /** Nothing more is there. */
  readonly end: boolean;
}

/** About twenty rows: making spans of them takes a millisecond, and no call shall wait for longer. */
const PIECE_BYTES = 1 << 14;
const HEAD_BYTES = 80;
const LF = 0x0a;

export class Follower {
  readonly #source: LogSource;
  readonly #copies: boolean;

  /** `copies`: those that sync services made of the log are read too, after it. */
  constructor(source: LogSource, { copies = false }: { readonly copies?: boolean } = {}) {
    this.#source = source;
    this.#copies = copies;
  }

  /** What follows the place; from the beginning of the log if there is none, or if its file is gone. */
  async next(place: Place | undefined): Promise<Piece | undefined> {
    const files = inOrder(await this.#source.list(), this.#copies);
    const at = await this.#find(files, place);
    if (!at) return undefined;
    const { index, head } = at;
    const file = files[index]!;
    const read = (length: number): Promise<Uint8Array> => this.#source.read(file.name, at.offset, Math.min(at.offset + length, file.size));
    let bytes = await read(PIECE_BYTES);
    let end = bytes.lastIndexOf(LF) + 1;
    if (end === 0 && bytes.length === PIECE_BYTES) {
      bytes = await read(LONGEST_LINE);
      end = bytes.indexOf(LF) + 1; // that line alone
    }
    // So long a line is damage: what follows it is looked at line by line again.
    const taken = end === 0 && bytes.length === LONGEST_LINE ? bytes.length : end;
    if (taken === 0 && index + 1 < files.length) {
      const next = files[index + 1]!;
      return { lines: bytes.subarray(0, 0), place: { name: next.name, head: await this.#headOf(next), offset: 0 }, end: false };
    }
    return { lines: linesAt(at.offset, bytes.subarray(0, end)), place: { name: file.name, head, offset: at.offset + taken }, end: taken === 0 };
  }

  /** A place in the file that is written to, before the first of a writer's rows from a number on: those that it has just begun to write. */
  async placeBefore(writer: string, from: number): Promise<Place | undefined> {
    const file = inOrder(await this.#source.list(), this.#copies).at(-1);
    if (!file) return undefined;
    for (let end = file.size; ; ) {
      const begin = Math.max(0, end - 4 * PIECE_BYTES);
      const bytes = await this.#source.read(file.name, begin, end);
      const line = begin === 0 ? 0 : bytes.indexOf(LF) + 1;
      const isAmong = rowsIn(linesAt(begin, bytes.subarray(line, bytes.lastIndexOf(LF) + 1))).some(({ w, n }) => w === writer && n >= from);
      if (begin === 0 && isAmong) return undefined; // perhaps it began in the month before
      if (begin === 0 || !isAmong) return { name: file.name, head: await this.#headOf(file), offset: begin + line };
      end = begin + line;
    }
  }

  /** Rows of a writer, wherever they stand, in copies of the log too: reads all of it. */
  async search(writer: string, isWanted: (n: number) => boolean): Promise<readonly Row[]> {
    const found = new Map<number, Row>();
    for (const file of inOrder(await this.#source.list(), true)) {
      await scanLines(this.#source, file, (line) => {
        const row = line && rowIn(line);
        if (row && row.w === writer && isWanted(row.n) && !found.has(row.n)) found.set(row.n, row);
      }, { needle: writer });
    }
    return [...found.values()].sort((a, b) => a.n - b.n);
  }

  async #find(files: readonly LogFile[], place: Place | undefined): Promise<{ readonly index: number; readonly head: string; readonly offset: number } | undefined> {
    if (files.length === 0) return undefined;
    if (place) {
      // The same name first: the others are looked at where it has become another file's.
      const byName = files.findIndex(({ name }) => name === place.name);
      for (const index of [byName, ...files.keys()]) {
        const file = files[index];
        if (file && file.size >= place.offset && (await this.#headOf(file)) === place.head) return { index, head: place.head, offset: place.offset };
      }
    }
    return { index: 0, head: await this.#headOf(files[0]!), offset: 0 };
  }

  /** The beginning of the first row, with its id. */
  async #headOf(file: LogFile): Promise<string> {
    try {
      return String.fromCharCode(...(await this.#source.read(file.name, 0, Math.min(HEAD_BYTES, file.size))));
    } catch {
      return '';
    }
  }
}

/** The months that are over, then the file that is written to. */
function inOrder(files: readonly LogFile[], copies: boolean): LogFile[] {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const isLog = ({ name }: LogFile): boolean => name === 'tool-calls.jsonl';
  const isMonth = ({ name }: LogFile): boolean => IS_MONTH.test(name);
  return [...sorted.filter(isMonth), ...sorted.filter(isLog), ...(copies ? sorted.filter((file) => !isMonth(file) && !isLog(file)) : [])];
}

function linesAt(offset: number, bytes: Uint8Array): Uint8Array {
  return offset === 0 ? withoutMark(bytes) : bytes;
}

/** The rows of whole lines, each once; what is none is passed over, as the log's reader does. */
export function rowsIn(lines: Uint8Array): readonly Row[] {
  const rows = new Map<string, Row>();
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(LF, from);
    const row = rowIn(lines.subarray(from, end));
    const key = row ? `${row.n} ${row.w}` : '';
    if (row && !rows.has(key)) rows.set(key, row);
    from = end + 1;
  }
  return [...rows.values()];
}

function rowIn(line: Uint8Array): Row | undefined {
  const value = lineObject(lineText(line) ?? '');
  return value && isRow(value) ? value : undefined;
}
