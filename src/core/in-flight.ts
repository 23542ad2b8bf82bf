/**
 * The calls that are under way, as the stops by which they can be ended. Holds nothing else about them.
 */
import type { HubError } from './errors.ts';
import type { Stop } from './stop.ts';

export class InFlight {
  readonly #stops = new Set<Stop>();
  readonly #waiting = new Set<() => void>();

  add(stop: Stop): void {
    this.#stops.add(stop);
  }

  /** The call is over and its row is written. */
  delete(stop: Stop): void {
    this.#stops.delete(stop);
    if (this.#stops.size > 0 || this.#waiting.size === 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Ends the calls that fit, each with the same reason. */
  stop(reason: HubError, fits: (stop: Stop) => boolean = () => true): void {
    for (const stop of [...this.#stops]) if (fits(stop)) stop.stop(reason);
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    if (this.#stops.size === 0) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}
