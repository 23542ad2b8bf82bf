/**
 * The files of the log: lines in by `O_APPEND`, one write each time, and byte ranges out.
 *
 * Other processes may append to the same file, sync services may replace it, a crash may have left half a line at its end.
 * Each is noticed before a write. The file of a month that is over moves to `tool-calls.YYYY-MM.jsonl`.
 */
import { readdir, stat } from 'node:fs/promises';
import * as nodeFs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTask } from 'node:timers/promises';
import type { LineSink } from '../../otel/log-processor.ts';
import type { LogFile, LogSource } from '../../otel/log-source.ts';

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

export const LOG_NAME = 'tool-calls.jsonl';
const IS_LOG = /^tool-calls.*\.jsonl$/;
const NEWLINE = 0x0a;
/** How often a write looks whether the path still leads to the open file. */
const LOOK_MS = 500;
/**
 * How long a look at the file's end counts: another costs as much as a write. What is written meanwhile may be glued to
 * another's half line, or be in a file that is gone: it is looked for afterwards, and put in again if it does not stand.
 */
const VOUCHED_MS = 2;
/** After a failed write, how far back to look for what did go in. */
const LOOK_BACK_BYTES = 1 << 20;

interface OpenFile {
  readonly fd: number;
  readonly inode: number;
  readonly device: number;
  /** The size that our last write left; another size means that somebody else wrote. */
  size: number;
  /** The size at the last look. */
  asked: number;
  /** `YYYY-MM` of its first row; empty while there is none. */
  month: string;
  /** When the path, and when the open file itself, was last looked at. */
  lookedAt: number;
  askedAt: number;
}

/** The file to write to, and its size: as it was just seen, or as the last look vouches. */
interface Current {
  readonly file: OpenFile;
  readonly size: number;
  readonly vouched: boolean;
}

export class LogFiles implements LineSink, LogSource {
  readonly #folder: string;
  readonly #path: string;
  readonly #fs: FileCalls;
  #file: OpenFile | undefined;
  #deleted = false;
  /** What was written since the last look. */
  #unseen: string[] = [];
  #nextLook: NodeJS.Timeout | undefined;

  constructor(folder: string, fs: FileCalls = nodeFs) {
    this.#folder = folder;
    this.#path = path.join(folder, LOG_NAME);
    this.#fs = fs;
  }

  /** Throws a {@link WriteError}. */
  append(text: string): void {
    if (this.#deleted) return;
    try {
      this.#write(text);
    } catch (error) {
      // The next attempt starts from what it finds.
      this.#drop();
      throw error instanceof WriteError ? error : new WriteError(codeOf(error), 0);
    }
  }

  close(): void {
    try {
      this.#settle();
    } catch {
      // What was to be put in again has no place any more.
    }
    this.#forget();
    this.#drop();
  }

  #drop(): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    try {
      this.#fs.closeSync(file.fd);
    } catch {
      // A descriptor that is broken is gone either way.
    }
  }

  /** Removes every file of the log, copies too. Later rows are dropped: nothing is born again (F121). */
  delete(): void {
    this.#deleted = true;
    this.#forget();
    this.#drop();
    for (const name of this.#names()) {
      try {
        this.#fs.unlinkSync(this.#inFolder(name));
      } catch {
        // Another process was first.
      }
    }
  }

  async list(): Promise<readonly LogFile[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files: LogFile[] = [];
    for (const name of names.filter((each) => IS_LOG.test(each)).sort()) {
      const size = await stat(this.#inFolder(name)).then((found) => found.size, () => 0);
      if (size > 0) files.push({ name, size });
    }
    return files;
  }

  /** Reads at once and answers in a later task: a trip to the thread pool for each chunk costs more than the chunk. */
  async read(name: string, from: number, to: number): Promise<Uint8Array> {
    await nextTask();
    const fd = this.#fs.openSync(this.#inFolder(name), 'r');
    try {
      const bytes = new Uint8Array(Math.max(0, to - from));
      let filled = 0;
      while (filled < bytes.length) {
        const count = this.#fs.readSync(fd, bytes, filled, bytes.length - filled, from + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    } finally {
      this.#fs.closeSync(fd);
    }
  }

  #write(text: string): void {
    let current = this.#current();
    if (text === '') {
      current.file.askedAt = -Infinity; // it was seen, and nothing done about what was seen: the next write looks for itself
      return;
    }
    const month = monthOf(text);
    if (isOver(current.file, month)) {
      this.#settle();
      current = this.#current();
      if (isOver(current.file, month)) {
        this.#roll(current.file);
        current = this.#current();
      }
    }
    const { file, size, vouched } = current;
    this.#put(file, size, text);
    if (file.month === '') file.month = month;
    if (!vouched) return;
    this.#unseen.push(text);
    this.#nextLook ??= setTimeout(this.#lookLater, VOUCHED_MS + 1).unref();
  }

  /** One write, on a line of its own. */
  #put(file: OpenFile, size: number, text: string): void {
    const fence = size !== file.size && size > 0 && this.#lastByte(file.fd, size) !== NEWLINE ? 1 : 0;
    const line = fence ? `\n${text}` : text;
    let written: number;
    try {
      written = this.#fs.writeSync(file.fd, line);
    } catch (error) {
      throw new WriteError(codeOf(error), this.#foundSince(file.fd, size, Buffer.from(line)) - fence);
    }
    if (written < Buffer.byteLength(line)) throw new WriteError(this.#whyShort(file.fd), written - fence);
    file.size = size + written;
  }

  /** The file that the path leads to, open. */
  #current(): Current {
    const open = this.#file;
    const now = performance.now();
    if (open && now - open.askedAt < VOUCHED_MS) return { file: open, size: open.size, vouched: true };
    const { file, size: found } = this.#look(now);
    const isOurs = found === file.size;
    const mended = this.#unseen.length > 0 && !isOurs;
    const size = mended ? this.#mend(file, found, file === open ? file.asked : undefined) : found;
    if (!mended) this.#unseen = [];
    file.asked = found;
    // Where others write too, the end may have moved again by the time that we do.
    return { file, size, vouched: mended || (file === open && !isOurs) };
  }

  /**
   * Puts in again what was written since the last look and does not stand on lines of its own; answers the size then.
   * `from`: the size at the last look, if the file is the same.
   */
  #mend(file: OpenFile, size: number, from: number | undefined): number {
    const begin = from !== undefined && from <= size ? from : Math.max(0, size - LOOK_BACK_BYTES);
    // What stands there begins after a newline and ends before one: the byte in front of it counts.
    const text = begin === 0 ? `\n${this.#textOf(file.fd, 0, size)}` : this.#textOf(file.fd, begin - 1, size);
    const there = new Set(text.split('\n').slice(1, -1));
    const lost = this.#unseen.join('').split('\n').filter((line) => line !== '' && !there.has(line));
    if (lost.length === 0) {
      this.#unseen = [];
      return size;
    }
    const again = `${lost.join('\n')}\n`;
    try {
      this.#put(file, size, again);
    } catch (error) {
      throw new WriteError(codeOf(error), 0); // of the text that is to be written now
    }
    this.#unseen = [again];
    return file.size;
  }

  #textOf(fd: number, from: number, to: number): string {
    const bytes = Buffer.alloc(to - from);
    return bytes.toString('utf8', 0, this.#fs.readSync(fd, bytes, 0, bytes.length, from));
  }

  readonly #lookLater = (): void => {
    this.#nextLook = undefined;
    try {
      this.append('');
    } catch {
      return; // the next append tries again, and tells
    }
    if (this.#unseen.length > 0) this.#nextLook = setTimeout(this.#lookLater, VOUCHED_MS + 1).unref();
  };

  /** Looks now, if something was written since the last look. */
  #settle(): void {
    if (!this.#file || this.#unseen.length === 0) return;
    this.#file.askedAt = -Infinity;
    this.#current();
  }

  #forget(): void {
    clearTimeout(this.#nextLook);
    this.#nextLook = undefined;
    this.#unseen = [];
  }

  /** The file that the path leads to now, and its size. */
  #look(now: number): Pick<Current, 'file' | 'size'> {
    const file = this.#file;
    if (!file) return this.#openFile();
    file.askedAt = now;
    const { size, nlink } = this.#fs.fstatSync(file.fd);
    if (nlink !== 0 && size >= file.size && now - file.lookedAt < LOOK_MS) return { file, size };
    file.lookedAt = now;
    if (nlink !== 0 && this.#leadsTo(this.#path, file)) return { file, size };
    this.#drop();
    return this.#openFile();
  }

  #openFile(): Pick<Current, 'file' | 'size'> {
    this.#fs.mkdirSync(this.#folder, { recursive: true });
    const fd = this.#fs.openSync(this.#path, 'a+', 0o600);
    try {
      const { ino, dev, size } = this.#fs.fstatSync(fd);
      // Size -1: whatever is there, its last byte is looked at before the first write.
      const file: OpenFile = { fd, inode: ino, device: dev, size: -1, asked: size, month: this.#firstMonth(fd), lookedAt: performance.now(), askedAt: -Infinity };
      this.#file = file;
      return { file, size };
    } catch (error) {
      this.#fs.closeSync(fd); // each row tries again
      throw error;
    }
  }

  #leadsTo(name: string, file: OpenFile): boolean {
    const found = this.#fs.statSync(name, { throwIfNoEntry: false });
    return found !== undefined && found.ino === file.inode && found.dev === file.device;
  }

  #lastByte(fd: number, size: number): number {
    const byte = new Uint8Array(1);
    this.#fs.readSync(fd, byte, 0, 1, size - 1);
    return byte[0]!;
  }

  #firstMonth(fd: number): string {
    const head = Buffer.alloc(4096);
    const month = monthOf(head.toString('latin1', 0, this.#fs.readSync(fd, head, 0, head.length, 0)));
    return /^\d{4}-\d\d$/.test(month) ? month : ''; // it becomes part of a file's name
  }

  /** Why a write stopped half-way. Asked by the newline that sets the half row apart: it goes in, or says what keeps it out. */
  #whyShort(fd: number): string {
    try {
      this.#fs.writeSync(fd, '\n');
      return 'ESHORT';
    } catch (error) {
      return codeOf(error);
    }
  }

  /** How many bytes went in although the write threw. */
  #foundSince(fd: number, from: number, bytes: Buffer): number {
    try {
      const tail = Buffer.alloc(Math.min(this.#fs.fstatSync(fd).size - from, LOOK_BACK_BYTES));
      this.#fs.readSync(fd, tail, 0, tail.length, from);
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

  /**
   * Moves the file of a month that is over. Two processes may both try. The first step gives whatever stands at the path a
   * name that nobody else has; only then is it looked at, so neither can overwrite or unlink what the other has just made.
   */
  #roll(file: OpenFile): void {
    const aside = this.#inFolder(`tool-calls.${file.month} (${randomBytes(4).toString('hex')}).jsonl`);
    this.#drop();
    try {
      this.#fs.renameSync(this.#path, aside);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    // Where it was another's new file, that goes back to its place.
    const target = this.#leadsTo(aside, file) ? this.#inFolder(`tool-calls.${file.month}.jsonl`) : this.#path;
    try {
      this.#fs.linkSync(aside, target);
      this.#fs.unlinkSync(aside);
    } catch (error) {
      // The name is taken: the file keeps the name that it has, which is read like any other.
      if (codeOf(error) === 'EEXIST' || this.#fs.statSync(target, { throwIfNoEntry: false })) return;
      // No links on this file system.
      this.#fs.renameSync(aside, target);
    }
  }

  #inFolder(name: string): string {
    return path.join(this.#folder, name);
  }

  #names(): readonly string[] {
    try {
      return this.#fs.readdirSync(this.#folder).filter((name) => IS_LOG.test(name));
    } catch {
      return [];
    }
  }
}

/** The file is of a month before this one. */
function isOver(file: OpenFile, month: string): boolean {
  return file.month !== '' && month > file.month;
}

const TIME_KEY = '"time":"';

/** `YYYY-MM` of the first row in the text; empty if there is none. */
function monthOf(text: string): string {
  const at = text.indexOf(TIME_KEY);
  return at < 0 ? '' : text.slice(at + TIME_KEY.length, at + TIME_KEY.length + 'YYYY-MM'.length);
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'EUNKNOWN';
}
