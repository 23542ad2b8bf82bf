/**
 * Sending, from being switched on to being switched off.
 *
 * It is never in the way. A call does nothing for it but wake a timer; its own work is done in pieces of a millisecond,
 * and takes a tenth of the time at the most. Nothing here throws or rejects.
 */
import type { Row, RowBody } from '../row.ts';
import { sendRows, type BatchResult } from './batch.ts';
import type { ExporterParts, ExportState, Target } from './exporter.ts';
import { rowsIn, type Follower } from './follower.ts';
import type { Progress, ProgressStore } from './progress.ts';

export interface SessionParts extends ExporterParts {
  readonly target: Target;
  readonly store: ProgressStore;
  readonly own: Progress;
  readonly follower: Follower;
}

/** From a row to its request: what ends in that time goes together. */
const GATHER_MS = 1_000;
/** Rows that are sent although the log cannot take them, and are remembered until it can; it keeps no more itself. */
const MOST_KEPT = 1_000;
/** Of those, in one request: as many as a piece of the log holds. */
const KEPT_AT_ONCE = 20;
const LOOK_FOR_OTHERS_MS = 30_000;
/** After each failed try longer, up to the last. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const;
/** Failed tries before the user is told: one may be a restart. One is enough where it, with the wait for the next, takes so long. */
const TELL_AFTER = 2;
const TELL_AFTER_MS = 10_000;
/** What reading and sending a piece takes on top of what is measured. */
const REQUEST_MS = 0.5;
/** Pieces follow each other, each after whoever waits, until they took so long; then there is a pause, so many times as long. Many short pauses would disturb every call a little. */
const GROUP_MS = 10;
const PAUSE_TIMES = 9;
/** The clock may have jumped while it was measured. */
const LONGEST_PAUSE_MS = 1_000;

export class Session {
  readonly #parts: SessionParts;
  readonly #stop = new AbortController();
  #others: readonly Progress[] = [];
  /** Rows that the log could not take yet, by id; and those of them that the collector has. */
  readonly #kept = new Map<string, RowBody>();
  readonly #sentEarly = new Set<string>();
  #cancelRun: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  #endPause: (() => void) | undefined;
  /** Whoever syncs the log may move our rows to where they are passed by: that is looked for now and then. */
  #gapsDue = false;
  /** Milliseconds of work since the last pause. */
  #worked = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #draining = false;
  #failures = 0;
  #told = false;
  #delivered = 0;
  #rejected = 0;
  #problem: string | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#lookForOthers();
    this.wake();
  }

  stop(): void {
    this.#stop.abort();
    this.#cancelRun?.();
    this.#cancelLook?.();
    this.#endPause?.();
  }

  /** The first row that is meant to be sent to this address; `undefined` if that is another's. */
  from(url: string): number | undefined {
    return url === this.#parts.target.url ? this.#parts.own.from : undefined;
  }

  /** Nothing is left to send. */
  forget(): void {
    this.#parts.store.finishAll();
  }

  wake(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#running || this.#draining) this.#again = true;
    else if (this.#failures === 0) this.#schedule(GATHER_MS);
  }

  /**
   * A row waits in memory, because the log cannot be written. It is sent now: that nobody can write is what its trace tells
   * of, and an alert on that must not wait for the log. When the row is in the log, it is not sent again.
   */
  keep(row: RowBody): void {
    if (this.#kept.size + this.#sentEarly.size >= MOST_KEPT) return; // the log has them all later
    this.#kept.set(row.id, row);
    this.wake();
  }

  state(): ExportState {
    return { on: true, delivered: this.#delivered, rejected: this.#rejected, ...(this.#problem === undefined ? {} : { problem: this.#problem }) };
  }

  /** Sends until nothing is left, or a try fails. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#cancelRun?.();
    this.#endPause?.();
    await this.#running;
    do {
      if (this.#failures > 0) return;
      await this.#run();
    } while (this.#again && !this.#stop.signal.aborted);
  }

  #schedule(ms: number): void {
    this.#cancelRun ??= this.#parts.clock.after(ms, () => {
      this.#cancelRun = undefined;
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
        if (this.#again) this.wake();
      });
    });
  }

  async #run(): Promise<void> {
    this.#again = false;
    const { own, follower, store } = this.#parts;
    try {
      if (!(await this.#sendKept())) return;
      own.place ??= await follower.placeBefore(own.writer, own.from);
      // What others left is older.
      for (const other of this.#others) {
        if (!(await this.#follow(other)) || !(await this.#fillGaps(other))) return;
        store.finish(other);
        this.#others = this.#others.filter((each) => each !== other);
      }
      if (!(await this.#follow(own))) return;
      if (this.#gapsDue) {
        this.#gapsDue = false;
        if (!(await this.#fillGaps(own))) return;
      }
      this.#nothingLeft();
    } catch {
      this.#failed({ why: 'the log could not be read', said: '', waitMs: 0 }, 0);
    }
  }

  /** Sends what follows the writer's place, to the end of the log. False if something is in the way. */
  async #follow(progress: Progress): Promise<boolean> {
    const { follower, store, clock } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const piece = await follower.next(progress.place);
      if (!piece) return true;
      const began = clock.monotonic();
      const rows = rowsIn(piece.lines).filter(({ w, n }) => w === progress.writer && n >= progress.from && !progress.sent.has(n));
      const spent = clock.monotonic() - began;
      const encoding = await this.#send(progress, rows);
      if (encoding === undefined) return false;
      progress.place = piece.place;
      if (rows.length > 0) store.save(progress);
      if (piece.end) return true;
      await this.#pause(spent + encoding);
    }
    return false;
  }

  async #sendKept(): Promise<boolean> {
    while (this.#kept.size > 0) {
      const rows = [...this.#kept.values()].slice(0, KEPT_AT_ONCE);
      const result = await this.#sendRows(this.#parts.own.writer, rows);
      if (!result) return false;
      for (const { id } of rows) {
        this.#kept.delete(id);
        this.#sentEarly.add(id);
      }
      await this.#pause(result.spentMs + REQUEST_MS);
    }
    return true;
  }

  /** Rows that stand elsewhere: put in again, or in a copy of the log alone. */
  async #fillGaps(progress: Progress): Promise<boolean> {
    const { sent, from, writer } = progress;
    if (!sent.hasGap(from)) return true;
    const rows = await this.#parts.follower.search(writer, (n) => n >= from && !sent.has(n));
    return (await this.#send(progress, rows)) !== undefined;
  }

  /** Milliseconds of work, if none of these has to be sent any more. */
  async #send(progress: Progress, rows: readonly Row[]): Promise<number | undefined> {
    const result = await this.#sendRows(progress.writer, rows.filter(({ id }) => !this.#sentEarly.has(id)));
    if (!result) return undefined;
    for (const { id, n } of rows) {
      progress.sent.add(n);
      this.#sentEarly.delete(id);
    }
    return result.spentMs + (rows.length > 0 ? REQUEST_MS : 0);
  }

  /** `undefined` if they did not arrive, and are to be sent again. */
  async #sendRows(writer: string, rows: readonly RowBody[]): Promise<Extract<BatchResult, { kind: 'done' }> | undefined> {
    const { clock } = this.#parts;
    const began = clock.monotonic();
    const result = await sendRows(writer, rows, { ...this.#parts, stop: this.#stop.signal });
    if (this.#stop.signal.aborted) return undefined;
    if (result.kind === 'failed') {
      this.#failed(result, clock.monotonic() - began);
      return undefined;
    }
    this.#delivered += result.delivered;
    if (result.rejected > 0) this.#threwAway(result.rejected, result.said);
    if (result.delivered + result.rejected > 0) this.#arrived();
    return result;
  }

  #threwAway(count: number, said: string): void {
    if (this.#rejected === 0) this.#parts.notice(`The collector threw away ${count === 1 ? 'a span' : `${count} spans`}${said === '' ? '' : `: "${said}"`}. The log has all of them.`);
    this.#rejected += count;
  }

  #failed({ why, said, waitMs }: Pick<Extract<BatchResult, { kind: 'failed' }>, 'why' | 'said' | 'waitMs'>, tookMs: number): void {
    if (this.#stop.signal.aborted) return;
    const wait = Math.max(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)]!, waitMs);
    this.#failures++;
    this.#problem = `Traces do not arrive: ${why}${said === '' ? '' : ` ("${said}")`}.`;
    if (!this.#told && (this.#failures >= TELL_AFTER || tookMs + wait >= TELL_AFTER_MS)) {
      this.#told = true;
      this.#parts.notice(`${this.#problem} Calls go on as before, and what is missing is sent when it can be. Look at the settings of the traces.`);
    }
    // Not all at the same moment, where many wait for one collector.
    if (!this.#draining) this.#schedule(wait * (0.8 + 0.4 * Math.random()));
  }

  /** Whatever was in the way is not any more, also where nothing came of it: the log was deleted, or can be read again. */
  #nothingLeft(): void {
    this.#failures = 0;
    this.#problem = undefined;
  }

  #arrived(): void {
    this.#nothingLeft();
    if (!this.#told) return;
    this.#told = false;
    this.#parts.notice('Traces arrive again.');
  }

  async #pause(spentMs: number): Promise<void> {
    if (this.#draining || this.#stop.signal.aborted) return;
    this.#worked += spentMs;
    const pauseMs = this.#worked < GROUP_MS ? 0 : Math.min(this.#worked * PAUSE_TIMES, LONGEST_PAUSE_MS);
    if (pauseMs > 0) this.#worked = 0;
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(pauseMs, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  #lookForOthers(): void {
    const { store, own, clock } = this.#parts;
    store.save(own); // a sign of life
    this.#gapsDue = true;
    if (own.sent.hasGap(own.from)) this.wake();
    const found = store.adopt();
    this.#others = [...this.#others, ...found];
    if (found.length > 0) this.wake();
    this.#cancelLook = clock.after(LOOK_FOR_OTHERS_MS, () => this.#lookForOthers());
  }
}
