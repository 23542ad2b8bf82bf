/**
 * How far traces have been sent, in the state folder of this device: a folder for each endpoint, a file for each start. Only
 * the process whose start it was writes to its file; the file of one that is gone is taken over under another name.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { Place } from '../../../otel/exporter/follower.ts';
import type { Progress, ProgressStore } from '../../../otel/exporter/progress.ts';
import { Ranges, type Range } from '../../../otel/exporter/ranges.ts';
import { objectOf, readJson, writeJson } from '../json-file.ts';
import { isRunning } from '../process.ts';
import type { ProgressStores } from './traces.ts';

const FOLDER = 'traces';
/** A process writes its file twice a minute: whoever has not for so long is gone, whatever its process number says now. */
const SILENT_MS = 180_000;
/** Starts that are remembered. */
const REMEMBERED = 500;
const IS_PROGRESS = /^[\w-]+\.json$/;
/** What may become part of a file's name: writers come out of rows, which anybody may have edited. */
const IS_WRITER = /^[\w-]{1,64}$/;
/** Whoever took the file over stands in its name: both change in one step, so that nobody sees it as still left behind. */
const TAKEN_BY = /-p(\d+)-[0-9a-f]{8}\.json$/;

interface Kept {
  readonly writer: string;
  readonly pid: number;
  readonly from: number;
  readonly sent: readonly Range[];
  readonly place?: Place;
  /** Rows that are not sent yet are still to be sent. */
  readonly live: boolean;
}

interface Found extends Kept {
  readonly name: string;
  readonly at: number;
}

export class ProgressFiles implements ProgressStore {
  readonly #folder: string;
  readonly #own: string;
  /** By writer, where it is not its own name. */
  readonly #names = new Map<string, string>();

  /** `own`: the writer of this start; empty for one that writes no rows. */
  constructor(folder: string, own: string) {
    this.#folder = folder;
    this.#own = own;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch {
      // Nothing is kept then: a crash would send some of it again.
    }
    this.#forgetOldest();
  }

  open(writer: string, from: number): Progress {
    return { writer, from, sent: joined(this.#of(writer)), place: undefined };
  }

  adopt(): readonly Progress[] {
    return this.#all().flatMap((kept): Progress[] => {
      if (!kept.live || kept.writer === this.#own || this.#names.has(kept.writer) || !isGone(kept)) return [];
      const name = `${kept.writer}-p${process.pid}-${randomBytes(4).toString('hex')}.json`;
      try {
        const left = path.join(this.#folder, kept.name);
        utimesSync(left, new Date(), new Date());
        renameSync(left, path.join(this.#folder, name)); // of two processes that try, one does it
      } catch {
        return [];
      }
      this.#names.set(kept.writer, name);
      const sent = joined([kept, ...this.#of(kept.writer)]);
      const progress: Progress = { writer: kept.writer, from: kept.from, sent, place: kept.place };
      this.save(progress);
      return [progress];
    });
  }

  save(progress: Progress): void {
    this.#write(progress, true);
  }

  finish(progress: Progress): void {
    this.#write(progress, false);
    this.#names.delete(progress.writer);
  }

  finishAll(): void {
    for (const { name, at: _, ...kept } of this.#all()) if (kept.live) this.#put(name, { ...kept, live: false });
  }

  /** Rows that were sent, by whatever process; and from which on a running process sees to them itself. */
  known(writer: string): { readonly sent: Ranges; readonly from: number } {
    const kept = this.#of(writer);
    return { sent: joined(kept), from: Math.min(...kept.filter((each) => each.live && !isGone(each)).map(({ from }) => from)) };
  }

  /** Keeps what was sent of another process's rows, beside that process's own file. */
  record(writer: string, sent: Ranges): void {
    if (IS_WRITER.test(writer)) this.#put(`${writer}-earlier.json`, { writer, pid: process.pid, from: 1, sent: sent.toJSON(), live: false });
  }

  #write({ writer, from, sent, place }: Progress, live: boolean): void {
    this.#put(this.#names.get(writer) ?? `${writer}.json`, { writer, pid: process.pid, from, sent: sent.toJSON(), ...(place ? { place } : {}), live });
  }

  #put(name: string, kept: Kept): void {
    try {
      writeJson(path.join(this.#folder, name), kept, 0o600);
    } catch {
      // As above.
    }
  }

  #of(writer: string): readonly Found[] {
    return this.#all().filter((each) => each.writer === writer);
  }

  #all(): readonly Found[] {
    return this.#list().flatMap((name) => {
      try {
        const file = path.join(this.#folder, name);
        const kept = readKept(readJson(file));
        return kept ? [{ ...kept, pid: takerOf(name) ?? kept.pid, name, at: statSync(file).mtimeMs }] : [];
      } catch {
        return []; // taken over a moment ago, or damaged
      }
    });
  }

  #list(): readonly string[] {
    return namesIn(this.#folder).filter((name) => IS_PROGRESS.test(name));
  }

  #forgetOldest(): void {
    const done = this.#all().filter(({ live }) => !live).sort((a, b) => b.at - a.at);
    for (const { name } of done.slice(REMEMBERED)) {
      try {
        rmSync(path.join(this.#folder, name), { force: true });
      } catch {
        return; // as above
      }
    }
  }
}

/** The folder of an endpoint's progress. */
export function progressFolder(stateFolder: string, url: string): string {
  return path.join(stateFolder, FOLDER, createHash('sha256').update(url).digest('hex').slice(0, 16));
}

/** The progress of every endpoint, in the state folder. `own`: the writer of this start. */
export function progressIn(stateFolder: string, own: string): ProgressStores {
  return {
    of: (url) => new ProgressFiles(progressFolder(stateFolder, url), own),
    finishAll: () => {
      const all = path.join(stateFolder, FOLDER);
      for (const name of namesIn(all)) new ProgressFiles(path.join(all, name), '').finishAll();
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function takerOf(name: string): number | undefined {
  const pid = TAKEN_BY.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function joined(kept: readonly Kept[]): Ranges {
  const ranges = new Ranges();
  for (const [from, to] of kept.flatMap(({ sent }) => sent)) ranges.add(from, to);
  return ranges;
}

function isGone({ pid, at }: { readonly pid: number; readonly at: number }): boolean {
  return pid === process.pid || !isRunning(pid) || Date.now() - at > SILENT_MS;
}

function readKept(value: unknown): Kept | undefined {
  const { writer, pid, from, sent, place, live } = objectOf(value);
  if (typeof writer !== 'string' || !IS_WRITER.test(writer) || typeof pid !== 'number' || !isCount(from) || !Array.isArray(sent) || !sent.every(isRange)) return undefined;
  const at = readPlace(place);
  return { writer, pid, from, sent, live: live === true, ...(at ? { place: at } : {}) };
}

function readPlace(value: unknown): Place | undefined {
  const { name, head, offset } = objectOf(value);
  return typeof name === 'string' && typeof head === 'string' && Number.isSafeInteger(offset) ? { name, head, offset: offset as number } : undefined;
}

function isRange(value: unknown): value is Range {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && isCount(value[1]) && value[0] <= value[1];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
