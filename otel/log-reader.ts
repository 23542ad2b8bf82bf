/**
 * Reads the log: all its files and the conflict copies beside them as one, each row once, in the order of their times.
 * Damaged lines are counted and passed over.
 */
import { scanLines, scanTail, type VisitLine } from './lines.ts';
import { endOf, endsBefore, inOrder, type LogSource } from './log-source.ts';
import { isoMicros } from './text.ts';
import { isRow, isTorn, lineObject, lineText, type CountedRow } from './row-in.ts';

/** Which rows. Times are ISO 8601; `since` is included, `until` is not. */
export interface LogFilter {
  readonly run?: string;
  readonly plugin?: string;
  readonly tool?: string;
  readonly since?: string;
  readonly until?: string;
  /** Only writes that can be taken back, and undos. Finds the few among many without parsing the rest. */
  readonly has?: 'undo';
}

export interface Reading {
  /** Calls and undos, oldest first. */
  readonly rows: readonly CountedRow[];
  /** Lines that are no row, among those looked at: a filter looks only where its value stands. */
  readonly damaged: number;
  /** Beginnings of rows whose end was never written. */
  readonly torn: number;
  /** Rows of a version or a shape that this reader does not know. */
  readonly unknown: number;
}

const TAIL_BYTES = 1 << 16;

export class LogReader {
  readonly #source: LogSource;

  constructor(source: LogSource) {
    this.#source = source;
  }

  async read(filter: LogFilter = {}): Promise<Reading> {
    const gathering = new Gathering(filter);
    for (const file of inOrder(await this.#source.list())) {
      if (!endsBefore(file, gathering.since)) await scanLines(this.#source, file, gathering.visit, { needle: gathering.needle });
    }
    return gathering.reading();
  }

  /** True if the end of this run is in the log. */
  async ended(run: string): Promise<boolean> {
    let found = false;
    const visit: VisitLine = (line) => {
      const value = line && lineObject(lineText(line) ?? '');
      if (value?.['kind'] === 'run' && value['run'] === run) found = true;
    };
    for (const file of inOrder(await this.#source.list()).reverse()) {
      if (!found) await scanLines(this.#source, file, visit, { needle: needleOf({ run }) });
    }
    return found;
  }

  /** The last `count` calls and undos, newest first. Reads the ends of the files only. */
  async last(count: number): Promise<readonly CountedRow[]> {
    const files = inOrder(await this.#source.list()).reverse();
    const gathering = new Gathering({});
    for (const file of files) {
      // A month that is over is passed by where as many rows as are asked for are newer than all of it.
      const end = endOf(file);
      if (end !== undefined && gathering.countSince(end) >= count) continue;
      for (let window = TAIL_BYTES; ; window *= 4) {
        const before = gathering.fitting;
        await scanTail(this.#source, file, window, gathering.visit);
        // Rows that another file holds too count here: a copy of the log is not read whole for its last rows.
        if (gathering.fitting - before >= count || window >= file.size) break;
      }
    }
    return gathering.reading().rows.toReversed().slice(0, count);
  }
}

/** Takes lines in and gives rows out. */
class Gathering {
  readonly since: string | undefined;
  /** A text that every row asked for holds. */
  readonly needle: string | undefined;
  /** Rows asked for that were visited, each as often as it was. */
  fitting = 0;
  readonly #filter: LogFilter;
  readonly #until: string | undefined;
  readonly #seen = new Map<string, Set<number>>();
  readonly #rows: CountedRow[] = [];
  #damaged = 0;
  #torn = 0;
  #unknown = 0;

  constructor(filter: LogFilter) {
    this.#filter = filter;
    this.since = filter.since === undefined ? undefined : sixDecimals(filter.since);
    this.#until = filter.until === undefined ? undefined : sixDecimals(filter.until);
    this.needle = needleOf(filter);
  }

  /** How many of them are of this time or later. */
  countSince(millis: number): number {
    const since = isoMicros(millis * 1000);
    return this.#rows.reduce((count, { time }) => (time >= since ? count + 1 : count), 0);
  }

  readonly visit: VisitLine = (line, ended) => {
    const text = line && lineText(line);
    if (text !== undefined && this.#isOutside(text)) return;
    const value = text === undefined ? undefined : lineObject(text);
    if (value === undefined) {
      if (text !== undefined && (isTorn(text) || !ended)) this.#torn++;
      else this.#damaged++;
    } else if (!isRow(value)) this.#unknown++;
    else if (value.kind !== 'run' && this.#fits(value)) {
      this.fitting++;
      if (this.#isNew(value)) this.#rows.push(value);
    }
  };

  reading(): Reading {
    this.#rows.sort(byTime);
    return { rows: this.#rows, damaged: this.#damaged, torn: this.#torn, unknown: this.#unknown };
  }

  /** Told from the text alone, where the row stands as we write it. Everything else is parsed. */
  #isOutside(text: string): boolean {
    if (this.since === undefined && this.#until === undefined) return false;
    const at = text.indexOf('"time":"');
    const time = at < 0 ? '' : text.slice(at + 8, at + 35);
    return time.endsWith('Z') && time.length === 27 && !this.#isWithin(time) && text.endsWith('}');
  }

  #isWithin(time: string): boolean {
    return (this.since === undefined || time >= this.since) && (this.#until === undefined || time < this.#until);
  }

  #fits(row: CountedRow): boolean {
    const { run, plugin, tool, has } = this.#filter;
    if (has === 'undo' && row.kind !== 'undo' && row.undo === undefined) return false;
    return (run === undefined || row.run === run) && (plugin === undefined || row.plugin === plugin) && (tool === undefined || row.tool === tool) && this.#isWithin(row.time);
  }

  #isNew({ w, n }: CountedRow): boolean {
    let counters = this.#seen.get(w);
    if (!counters) this.#seen.set(w, (counters = new Set()));
    const { size } = counters;
    return counters.add(n).size > size;
  }
}

/** A value that stands in the line as it is, whatever white space is around it. */
function needleOf({ run, tool, plugin, has }: LogFilter): string | undefined {
  const value = run ?? has ?? tool ?? plugin; // `undo` stands in quotes as a call's key, and as the kind of an undo
  return value !== undefined && /^[\w.:-]+$/.test(value) ? `"${value}"` : undefined;
}

/** A time as rows write it. Throws a RangeError if it is none. */
function sixDecimals(time: string): string {
  const exact = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{4,6})\d*Z$/.exec(time);
  if (exact) return `${exact[1]}.${exact[2]!.padEnd(6, '0')}Z`;
  return `${new Date(time).toISOString().slice(0, -1)}000Z`;
}

function byTime(a: CountedRow, b: CountedRow): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.w === b.w ? a.n - b.n : a.w < b.w ? -1 : 1;
}
