/**
 * Sends traces to a collector, out of the log: a row that is on disk is sent until the collector has it, across outages and
 * crashes, and nothing is kept in memory meanwhile (E03). Off means off: then there is no request, and what was not sent
 * yet stays in the log alone (D32).
 */
import type { LogSource } from '../log-source.ts';
import type { RowBody } from '../row.ts';
import type { HttpPost } from './delivery.ts';
import type { Origin } from './encode.ts';
import { Follower } from './follower.ts';
import type { ProgressStore } from './progress.ts';
import { Session } from './session.ts';

/** Where traces go, as the user set it; checked. */
export interface Target {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** The share of traces that is sent, 0 to 1. */
  readonly sampleRate: number;
  readonly serviceName: string;
}

export interface ExporterParts {
  readonly source: LogSource;
  /** Of this start's rows. */
  readonly writer: string;
  /** The number of its newest row. */
  readonly newest: () => number;
  readonly origin: Omit<Origin, 'serviceName'>;
  readonly post: HttpPost;
  readonly clock: { monotonic(): number; after(ms: number, run: () => void): () => void };
  /** Tells the user, once when traces do not arrive and once when they do again. */
  readonly notice: (text: string) => void;
}

/** How sending stands. */
export interface ExportState {
  readonly on: boolean;
  /** Spans that the collector took since it was switched on. */
  readonly delivered: number;
  /** Spans that it threw away or would not have. */
  readonly rejected: number;
  /** Why traces do not arrive at the moment. */
  readonly problem?: string;
}

export class TraceExporter {
  readonly #parts: ExporterParts;
  readonly #follower: Follower;
  #session: Session | undefined;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
    this.#follower = new Follower(parts.source);
  }

  /**
   * `earlier`: this start's rows are meant to be sent from the first on; else those that come from now on. Where only the
   * credentials or the share have changed, those that waited for it are sent too.
   */
  turnOn(target: Target, store: ProgressStore, earlier: boolean): void {
    const from = this.#session?.from(target.url);
    if (from === undefined) this.turnOff();
    else this.#session?.stop();
    const own = store.open(this.#parts.writer, from ?? (earlier ? 1 : this.#parts.newest() + 1));
    this.#session = new Session({ ...this.#parts, target, store, own, follower: this.#follower });
    this.#session.begin();
  }

  /** Sends nothing until it is switched on again: what waits is still meant to be sent then. */
  pause(): void {
    this.#session?.stop();
  }

  /** Ends the request that is under way; what was still to be sent is not meant to be any more. */
  turnOff(): void {
    this.#session?.stop();
    this.#session?.forget();
    this.#session = undefined;
  }

  /** A row was written. */
  readonly wake = (): void => {
    this.#session?.wake();
  };

  /** A row waits in memory, because the log cannot be written. */
  keep(row: RowBody): void {
    this.#session?.keep(row);
  }

  state(): ExportState {
    return this.#session?.state() ?? { on: false, delivered: 0, rejected: 0 };
  }

  /** Sends what is left, as far as it can be sent in that time; the rest is sent at the next start. */
  async close(ms: number): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (!session) return;
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.#parts.clock.after(ms, resolve)));
    await Promise.race([session.drain(), late]);
    cancel();
    session.stop();
  }
}
