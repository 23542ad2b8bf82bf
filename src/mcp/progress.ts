/**
 * Signs of life for a client that asked for them: at once when a person is asked, then every ten seconds until the call
 * is over. Clients give up after a minute of silence, and a question may be open for two.
 */
import type { Clock } from '../core/ports.ts';

const EVERY_MS = 10_000;

export interface ProgressNote {
  /** Seconds since the call came; grows with each note. */
  readonly progress: number;
  /** Seconds at most until the question ends, once it stands first in the line. */
  readonly total?: number;
  readonly message: string;
}

export class CallProgress {
  readonly #clock: Clock;
  readonly #send: (note: ProgressNote) => void;
  readonly #startedAt: number;
  #waiting: { readonly position: number; readonly until: number } | undefined;
  #last = -1;
  #cancel: () => void;

  constructor(clock: Clock, send: (note: ProgressNote) => void) {
    this.#clock = clock;
    this.#send = send;
    this.#startedAt = clock.monotonic();
    this.#cancel = this.#again();
  }

  /** A person is asked, behind `position` other questions. */
  waiting({ position, timeoutSeconds }: { readonly position: number; readonly timeoutSeconds: number }): void {
    this.#waiting = { position, until: this.#clock.monotonic() + timeoutSeconds * 1000 };
    this.#cancel();
    this.#tell();
  }

  /** The question is settled; what follows is the tool itself, or the end. */
  answered(): void {
    this.#waiting = undefined;
  }

  stop(): void {
    this.#cancel();
  }

  #again(): () => void {
    return this.#clock.after(EVERY_MS, () => this.#tell());
  }

  #tell(): void {
    const now = this.#clock.monotonic();
    // Whole seconds, and one more each time even if two notes fall into one second: the protocol wants it to grow.
    const progress = Math.max(Math.round((now - this.#startedAt) / 1000), this.#last + 1);
    this.#last = progress;
    this.#send({ progress, ...this.#words(now, progress) });
    this.#cancel = this.#again();
  }

  #words(now: number, progress: number): Omit<ProgressNote, 'progress'> {
    if (!this.#waiting) return { message: 'The tool is running.' };
    const { position, until } = this.#waiting;
    if (position > 0) return { message: `Waiting for the user's answer in Model Hub, behind ${position === 1 ? 'another question' : `${position} other questions`}.` };
    const left = Math.max(0, Math.round((until - now) / 1000));
    return { total: progress + left, message: `Waiting for the user's answer in Model Hub: ${left} s left.` };
  }
}
