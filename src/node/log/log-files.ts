/**
 * The files of the log: lines in by `O_APPEND`, one write each time, and byte ranges out.
 *
 * Other processes may append to the same file, sync services may replace it, a crash may have left half a line at its end.
 * Each is noticed before a write. The file of a month that is over moves to `tool-calls.YYYY-MM.jsonl`.
 */
import { readdir, stat } from 'node:fs/promises';
import * as nodeFs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import type { LineSink } from '../../../otel/log-processor.ts';
import type { LogFile, LogSource } from '../../../otel/log-source.ts';
import { later } from '../clock.ts';
import { firstMonth, IS_LOG, isOver, LOG_NAME, monthOf, roll } from './log-months.ts';
import { append, codeOf, LOOK_BACK_BYTES, WriteError, type FileCalls } from './log-write.ts';

/** How often a write looks whether the path still leads to the open file. */
const LOOK_MS = 500;
/**
 * How long a look at the file's end counts: another costs as much as a write. What is written meanwhile may be glued to
 * another's half line, or be in a file that is gone: it is looked for afterwards, and put in again if it does not stand.
 */
const VOUCHED_MS = 2;

interface OpenFile {
  readonly fd: number;
  readonly inode: number;
  readonly device: number;
  /** The size that our last write left; another size means that somebody else wrote. */
  size: number;
  /** Its size now: as it was just seen, or, while the last look vouches for it, as our last write left it. */
  found: number;
  vouched: boolean;
  /** The size at the last look. */
  asked: number;
  /** `YYYY-MM` of its first row; empty while there is none. */
  month: string;
  /** When the path, and when the open file itself, was last looked at. */
  lookedAt: number;
  askedAt: number;
}

export interface LogFilesOptions {
  readonly fs?: FileCalls | undefined;
  /** False where the folder is gone only when the log is meant to be (F121). */
  readonly makeFolder?: boolean;
}

export class LogFiles implements LineSink, LogSource {
  readonly #folder: string;
  readonly #path: string;
  readonly #fs: FileCalls;
  readonly #makeFolder: boolean;
  #file: OpenFile | undefined;
  #deleted = false;
  /** What was written since the last look. */
  #unseen: string[] = [];
  #cancelLook: (() => void) | undefined;

  constructor(folder: string, { fs = nodeFs, makeFolder = true }: LogFilesOptions = {}) {
    this.#folder = folder;
    this.#makeFolder = makeFolder;
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
    let file = this.#current();
    if (text === '') {
      file.askedAt = -Infinity; // it was seen, and nothing done about what was seen: the next write looks for itself
      return;
    }
    const month = monthOf(text);
    if (isOver(file.month, month)) {
      this.#settle();
      file = this.#current();
      if (isOver(file.month, month)) {
        this.#roll(file);
        file = this.#current();
      }
    }
    file.size = append(this.#fs, file, text);
    if (file.month === '') file.month = month;
    if (!file.vouched) return;
    this.#unseen.push(text);
    this.#cancelLook ??= later(VOUCHED_MS + 1, this.#lookLater);
  }

  /** The file that the path leads to, open. */
  #current(): OpenFile {
    const open = this.#file;
    const now = performance.now();
    if (open && now - open.askedAt < VOUCHED_MS) {
      open.found = open.size;
      open.vouched = true;
      return open;
    }
    const file = this.#look(now);
    const seen = file.found;
    const isOurs = seen === file.size;
    const mended = this.#unseen.length > 0 && !isOurs;
    if (mended) this.#mend(file, file === open ? file.asked : undefined);
    else this.#unseen = [];
    file.asked = seen;
    // Where others write too, the end may have moved again by the time that we do.
    file.vouched = mended || (file === open && !isOurs);
    return file;
  }

  /**
   * Puts in again what was written since the last look and does not stand on lines of its own. `from`: the size at the
   * last look, if the file is the same.
   */
  #mend(file: OpenFile, from: number | undefined): void {
    const { fd, found } = file;
    const begin = from !== undefined && from <= found ? from : Math.max(0, found - LOOK_BACK_BYTES);
    // What stands there begins after a newline and ends before one: the byte in front of it counts.
    const text = begin === 0 ? `\n${this.#textOf(fd, 0, found)}` : this.#textOf(fd, begin - 1, found);
    const there = new Set(text.split('\n').slice(1, -1));
    const lost = this.#unseen.join('').split('\n').filter((line) => line !== '' && !there.has(line));
    if (lost.length === 0) {
      this.#unseen = [];
      return;
    }
    const again = `${lost.join('\n')}\n`;
    try {
      file.size = append(this.#fs, file, again);
    } catch (error) {
      throw new WriteError(codeOf(error), 0); // of the text that is to be written now
    }
    file.found = file.size;
    this.#unseen = [again];
  }

  #textOf(fd: number, from: number, to: number): string {
    const bytes = Buffer.alloc(to - from);
    return bytes.toString('utf8', 0, this.#fs.readSync(fd, bytes, 0, bytes.length, from));
  }

  readonly #lookLater = (): void => {
    this.#cancelLook = undefined;
    try {
      this.append('');
    } catch {
      return; // the next append tries again, and tells
    }
    if (this.#unseen.length > 0) this.#cancelLook = later(VOUCHED_MS + 1, this.#lookLater);
  };

  /** Looks now, if something was written since the last look. */
  #settle(): void {
    if (!this.#file || this.#unseen.length === 0) return;
    this.#file.askedAt = -Infinity;
    this.#current();
  }

  #forget(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#unseen = [];
  }

  /** The file that the path leads to now, with the size that it has. */
  #look(now: number): OpenFile {
    const file = this.#file;
    if (!file) return this.#openFile();
    file.askedAt = now;
    const { size, nlink } = this.#fs.fstatSync(file.fd);
    file.found = size;
    if (nlink !== 0 && size >= file.size && now - file.lookedAt < LOOK_MS) return file;
    file.lookedAt = now;
    if (nlink !== 0 && this.#leadsTo(this.#path, file)) return file;
    this.#drop();
    return this.#openFile();
  }

  #openFile(): OpenFile {
    if (this.#makeFolder) this.#fs.mkdirSync(this.#folder, { recursive: true });
    const fd = this.#fs.openSync(this.#path, 'a+', 0o600);
    try {
      const { ino, dev, size } = this.#fs.fstatSync(fd);
      // Size -1: whatever is there, its last byte is looked at before the first write.
      this.#file = { fd, inode: ino, device: dev, size: -1, found: size, vouched: false, asked: size, month: firstMonth(this.#fs, fd), lookedAt: performance.now(), askedAt: -Infinity };
      return this.#file;
    } catch (error) {
      this.#fs.closeSync(fd); // each row tries again
      throw error;
    }
  }

  #leadsTo(name: string, file: OpenFile): boolean {
    const found = this.#fs.statSync(name, { throwIfNoEntry: false });
    return found !== undefined && found.ino === file.inode && found.dev === file.device;
  }

  #roll(file: OpenFile): void {
    this.#drop();
    roll(this.#fs, this.#folder, file.month, (name) => this.#leadsTo(name, file));
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
