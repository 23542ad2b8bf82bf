/**
 * The witness: the newest place of each of this device's writers, kept apart from the log, so that a tail that was cut off
 * or a file that was put back to an older state can be seen (E02).
 *
 * It lags behind the log by a fraction of a second; what is lost in a crash is only the word about those last rows.
 */
import type { Head } from '../../../otel/log-verify.ts';
import type { Clock } from '../../core/ports.ts';

const LAG_MS = 200;
/** Writers remembered: one for each start. */
export const HEADS_REMEMBERED = 64;

/** Where heads are kept: on this device, not synced, out of reach of whoever changes the log. Remembers the newest {@link HEADS_REMEMBERED}. */
export interface HeadStore {
  /** What cannot be read tells nothing. */
  load(): readonly Head[];
  /** In place of this writer's head before. Throws if it cannot be kept. */
  save(head: Head): void;
  /** Forgets all of them. */
  delete(): void;
}

export interface WitnessOptions {
  readonly store: HeadStore;
  readonly clock: Pick<Clock, 'after'>;
  /** `w:n:digest` of the newest row; empty before the first. */
  readonly head: () => string;
}

export class Witness {
  readonly #options: WitnessOptions;
  #cancel: (() => void) | undefined;
  #kept = '';
  #deleted = false;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** The head has moved. */
  touch(): void {
    this.#cancel ??= this.#options.clock.after(LAG_MS, () => this.flush());
  }

  /** Keeps the newest head now. Never throws: without a witness the log goes on. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const head = this.#options.head();
    if (this.#deleted || head === '' || head === this.#kept) return;
    const [w = '', n, digest = ''] = head.split(':');
    try {
      this.#options.store.save({ w, n: Number(n), digest });
      this.#kept = head;
    } catch {
      // The next head tries again.
    }
  }

  delete(): void {
    this.#deleted = true;
    this.#cancel?.();
    this.#options.store.delete();
  }
}
