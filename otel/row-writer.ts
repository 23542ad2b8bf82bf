/**
 * Rows to the file, in their writer's chain: what ends together is written together; what cannot be written is kept, the
 * user is told once, and each further row tries again (D24). Never throws, never waits.
 */
import { Chain, type Link } from './chain.ts';
import { openJson } from './row-json.ts';
import type { RowBody } from './row.ts';

/** Where lines go. */
export interface LineSink {
  /**
   * Appends whole lines in one write; `''` only opens. Throws or rejects with an error whose `code` is the error class
   * (`ENOSPC`) and whose `written` says how many bytes of the text went in, if any did.
   */
  append(text: string): void | Promise<void>;
}

/** How the log stands. */
export interface LogState {
  readonly writable: boolean;
  /** The class of the error that keeps rows from the file: `ENOSPC`, `EACCES`. Never a path. */
  readonly problem?: string;
  /** Rows that wait in memory. */
  readonly kept: number;
  /** Rows lost because more than the limit waited. */
  readonly dropped: number;
}

export interface RowWriterOptions {
  readonly sink: LineSink;
  /** SHA-256, lower-case hex. */
  readonly digest: (text: string) => string;
  /** Random, one per start. */
  readonly writer: string;
  /** Rows that may wait while the file cannot be written. */
  readonly keep?: number;
  /** Told when the log cannot be written, and when it can again: once each. */
  readonly onState?: (state: LogState) => void;
  /** Told after each write, when {@link RowWriter.head} has moved. */
  readonly onWritten?: () => void;
}

/** A row that is not in the file yet. */
interface Pending {
  readonly row: RowBody;
  /** Open at its end. */
  readonly json: string;
  late: boolean;
  told: boolean;
}

type Health = 'unknown' | 'well' | 'failing' | 'discarded';

const KEEP = 1000;
/** A settled promise's callback comes in the same turn as a microtask's and costs a tenth of it: Node gives each of those a resource of its own. */
const SOON = Promise.resolve();

export class RowWriter {
  readonly #sink: LineSink;
  readonly #chain: Chain;
  readonly #keep: number;
  readonly #onState: ((state: LogState) => void) | undefined;
  readonly #onWritten: (() => void) | undefined;
  readonly #listeners = new Set<(row: RowBody) => void>();
  #queue: Pending[] = [];
  #health: Health = 'unknown';
  #problem: string | undefined;
  #dropped = 0;
  /** The last attempt failed: the next one is made with one row. */
  #probe = false;
  #scheduled = false;
  /** Settled with the write that is going on, and with the one after it. */
  #current: Deferred | undefined;
  #next: Deferred | undefined;

  constructor(options: RowWriterOptions) {
    this.#sink = options.sink;
    this.#chain = new Chain(options.writer, options.digest);
    this.#keep = options.keep ?? KEEP;
    this.#onState = options.onState;
    this.#onWritten = options.onWritten;
  }

  /** Takes a row that has just come about. */
  push(row: RowBody): void {
    if (this.#health === 'discarded') return;
    this.#queue.push({ row, json: openJson(row), late: false, told: false });
    this.#schedule();
  }

  /** What to await before a caller is answered; `undefined` if every row is with the sink, or kept because it fails. */
  written(): Promise<void> | undefined {
    return (this.#next ?? this.#current)?.promise;
  }

  /** True if the next row can be expected to reach the file. Tries first, if that is not known or was not so. */
  writable(): boolean | Promise<boolean> {
    if (this.#health === 'well') return true;
    if (this.#health === 'discarded') return false;
    if (!this.#current) this.#writeOut();
    return this.written() ? this.#idle().then(() => this.#isWell()) : this.#isWell();
  }

  state(): LogState {
    return {
      writable: this.#health === 'well' || this.#health === 'unknown',
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      kept: this.#queue.length,
      dropped: this.#dropped,
    };
  }

  /** Writer, counter and digest of the newest row, as `w:n:digest`; empty before the first. */
  head(): string {
    return this.#chain.head();
  }

  /** Calls back with each row of a call or undo once it is written, or kept because it cannot be; answers the function that stops it. */
  onRow(callback: (row: RowBody) => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** The log was deleted: from here on rows are dropped, and nobody is told. */
  discard(): void {
    this.#health = 'discarded';
    this.#queue = [];
  }

  /** Resolves when everything is with the sink, or kept. */
  flush(): Promise<void> {
    if (this.#queue.length > 0) this.#schedule();
    return this.#idle();
  }

  async #idle(): Promise<void> {
    for (let pending = this.written(); pending; pending = this.written()) await pending;
  }

  readonly #whenDue = (): void => {
    this.#scheduled = false;
    // `writable` may have flushed meanwhile, and be waiting for it.
    if (!this.#current && this.#next) this.#writeOut();
  };

  #isWell(): boolean {
    return this.#health === 'well';
  }

  #schedule(): void {
    this.#next ??= new Deferred();
    if (this.#scheduled || this.#current) return;
    this.#scheduled = true;
    void SOON.then(this.#whenDue);
  }

  /** Writes what waits; after a failure, the first row alone before the others. */
  #writeOut(): void {
    this.#current = this.#next;
    this.#next = undefined;
    for (;;) {
      const batch = this.#probe && this.#queue.length > 1 ? this.#queue.slice(0, 1) : this.#queue;
      const links = this.#chain.extend(batch);
      let pending: void | Promise<void>;
      try {
        pending = this.#sink.append(links.length === 0 ? '' : links.length === 1 ? links[0]!.line : links.map((link) => link.line).join(''));
      } catch (error) {
        this.#failed(links, error);
        break;
      }
      if (pending) {
        this.#current ??= new Deferred();
        void this.#finishLater(pending, links);
        return;
      }
      this.#succeeded(links);
      if (this.#queue.length === 0) break;
    }
    this.#settle();
  }

  async #finishLater(pending: Promise<void>, links: readonly Link[]): Promise<void> {
    await pending.then(() => this.#succeeded(links), (error: unknown) => this.#failed(links, error));
    // One row went in after a failure: the others that were kept follow.
    if (!this.#probe && this.#queue.length > 0) this.#next ??= new Deferred();
    this.#settle();
    if (this.#next) this.#writeOut();
  }

  #succeeded(links: readonly Link[]): void {
    if (this.#health === 'discarded') return;
    this.#probe = false;
    this.#wrote(links, links.length);
    if (this.#health === 'well' || this.#queue.some((pending) => pending.late)) return;
    const recovered = this.#health === 'failing';
    this.#health = 'well';
    this.#problem = undefined;
    if (recovered) quietly(() => this.#onState?.(this.state()));
  }

  /** The first `count` rows of the attempt are in the file. */
  #wrote(links: readonly Link[], count: number): void {
    const rows = this.#queue;
    this.#queue = count === rows.length ? [] : rows.slice(count);
    this.#chain.commit(links, count);
    for (let i = 0; i < count; i++) this.#tell(rows[i]!);
    if (count > 0) quietly(() => this.#onWritten?.());
  }

  #failed(links: readonly Link[], error: unknown): void {
    if (this.#health === 'discarded') return;
    // A row whose JSON is whole counts as written: the sink puts the newline that it lacks before the next.
    this.#wrote(links, wholeRows(links, writtenBytes(error)));
    const news = this.#health !== 'failing';
    this.#health = 'failing';
    this.#probe = true;
    this.#problem = errorClass(error);
    const excess = this.#queue.length - this.#keep;
    if (excess > 0) {
      this.#queue.splice(0, excess);
      this.#dropped += excess;
    }
    for (const pending of this.#queue) {
      pending.late = true;
      this.#tell(pending);
    }
    if (news) quietly(() => this.#onState?.(this.state()));
  }

  #settle(): void {
    this.#current?.resolve();
    this.#current = undefined;
  }

  #tell(pending: Pending): void {
    if (pending.told) return;
    pending.told = true;
    if (pending.row.kind === 'run') return;
    for (const listener of this.#listeners) quietly(() => listener(pending.row));
  }
}

/** Whoever listens may fail; the log goes on. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // Its fault is its own.
  }
}

class Deferred {
  readonly promise: Promise<void>;
  resolve: () => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => (this.resolve = resolve));
  }
}

function wholeRows(links: readonly Link[], bytes: number): number {
  const encoder = new TextEncoder();
  let count = 0;
  for (let end = 0; count < links.length; count++) {
    end += encoder.encode(links[count]!.line).length;
    if (bytes < end - 1) break;
  }
  return count;
}

function writtenBytes(error: unknown): number {
  const written = (error as { written?: unknown } | undefined)?.written;
  return typeof written === 'number' ? written : 0;
}

function errorClass(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,30}$/.test(code) ? code : 'EUNKNOWN';
}
