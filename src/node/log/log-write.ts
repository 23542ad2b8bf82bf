/**
 * One write to the log: whole lines, at the file's end, and none of them glued to somebody's half line. A write that fails
 * says how much of it went in.
 */
import type * as nodeFs from 'node:fs';

/** The calls to the file system that writing takes; a test puts faults between. */
export type FileCalls = Pick<typeof nodeFs,
  'mkdirSync' | 'openSync' | 'closeSync' | 'fstatSync' | 'statSync' | 'readSync' | 'writeSync' | 'renameSync' | 'linkSync' | 'unlinkSync' | 'readdirSync'>;

/** A write that failed: its class, and how many bytes of the text went in. Holds no path. */
export class WriteError extends Error {
  readonly code: string;
  readonly written: number;

  constructor(code: string, written: number) {
    super(`the log could not be written (${code})`);
    this.code = code;
    this.written = written;
  }
}

/** A file that is open for appending. */
export interface Appended {
  readonly fd: number;
  /** The size that our last write left. */
  readonly size: number;
  /** The size that it was found to have; another than `size` means that somebody else wrote. */
  readonly found: number;
}

/** After a failed write, how far back to look for what did go in. */
export const LOOK_BACK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Appends the text in one write; answers the size after it. Throws a {@link WriteError}. */
export function append(fs: FileCalls, { fd, size, found }: Appended, text: string): number {
  const fence = found !== size && found > 0 && lastByte(fs, fd, found) !== NEWLINE ? 1 : 0;
  const line = fence ? `\n${text}` : text;
  let written: number;
  try {
    written = fs.writeSync(fd, line);
  } catch (error) {
    throw new WriteError(codeOf(error), foundSince(fs, fd, found, Buffer.from(line)) - fence);
  }
  if (written < Buffer.byteLength(line)) throw new WriteError(whyShort(fs, fd), written - fence);
  return found + written;
}

/** The class of an error: `ENOSPC`. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'EUNKNOWN';
}

function lastByte(fs: FileCalls, fd: number, size: number): number {
  const byte = new Uint8Array(1);
  fs.readSync(fd, byte, 0, 1, size - 1);
  return byte[0]!;
}

/** Why a write stopped half-way. Asked by the newline that sets the half row apart: it goes in, or says what keeps it out. */
function whyShort(fs: FileCalls, fd: number): string {
  try {
    fs.writeSync(fd, '\n');
    return 'ESHORT';
  } catch (error) {
    return codeOf(error);
  }
}

/** How many bytes went in although the write threw. */
function foundSince(fs: FileCalls, fd: number, from: number, bytes: Buffer): number {
  try {
    const tail = Buffer.alloc(Math.min(fs.fstatSync(fd).size - from, LOOK_BACK_BYTES));
    fs.readSync(fd, tail, 0, tail.length, from);
    // Another process may have written between: find ours by a beginning that no other row has.
    const start = tail.indexOf(bytes.subarray(0, 100));
    if (start < 0) return 0;
    let count = 0;
    while (count < bytes.length && tail[start + count] === bytes[count]) count++;
    return count;
  } catch {
    return 0;
  }
}
