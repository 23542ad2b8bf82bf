/**
 * The time. Wall time in microseconds from the monotonic clock, set anew whenever it and the system clock part: after
 * sleep, or when the system clock was corrected.
 */
import type { Clock } from '../core/ports.ts';

/** How far the two may part before the system clock is believed. It has a grain of a millisecond. */
const TOLERANCE_MS = 20;

export class SystemClock implements Clock {
  #anchorMs = 0;

  micros(): number {
    const monotonic = performance.now();
    const wall = Date.now();
    if (Math.abs(this.#anchorMs + monotonic - wall) > TOLERANCE_MS) this.#anchorMs = wall - monotonic;
    return Math.round((this.#anchorMs + monotonic) * 1000);
  }

  monotonic(): number {
    return performance.now();
  }

  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  }
}

/** Calls back after `ms`, unless the process ends before; answers the function that takes it back. A window's timers are numbers, which keep nothing alive. */
export function later(ms: number, run: () => void): () => void {
  const timer: NodeJS.Timeout | number = setTimeout(run, ms);
  if (typeof timer === 'object') timer.unref();
  return () => clearTimeout(timer);
}
