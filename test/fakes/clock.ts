/**
 * A clock that stands still until it is told to go on. Timers fire in their order; promises settle between them.
 */
import type { Clock } from '../../src/core/ports.ts';

interface Timer { readonly due: number; readonly run: () => void }

export class FakeClock implements Clock {
  #wallMs = Date.parse('2026-11-30T12:00:00.000Z');
  #monotonicMs = 1_000;
  readonly #timers = new Set<Timer>();

  micros(): number {
    return Math.round(this.#wallMs * 1000);
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { due: this.#monotonicMs + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Goes on by `ms`, firing what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms;
    await settled();
    for (;;) {
      const next = [...this.#timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#moveTo(Math.max(next.due, this.#monotonicMs));
      this.#timers.delete(next);
      next.run();
      await settled();
    }
    this.#moveTo(end);
  }

  /** Time goes on but no timer fires, as in a window whose timers are throttled. */
  stall(ms: number): void {
    this.#moveTo(this.#monotonicMs + ms);
  }

  /** The machine sleeps: the wall clock goes on, the monotonic one does not. */
  sleep(ms: number): void {
    this.#wallMs += ms;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}

/** Lets every promise that can settle do so. */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
