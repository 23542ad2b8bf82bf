/**
 * How long things took, as counts in buckets that grow by 2 %: a percentile is off by 1 % at most, whatever the number of
 * values, and takes as much memory as there are different durations.
 */
const GROWTH = Math.log(1.02);
/** A microsecond: times are not known better. */
const LEAST_MS = 0.001;

export class Durations {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  /** Milliseconds. Less than a microsecond counts as one. */
  add(ms: number): void {
    const bucket = Math.round(Math.log(Math.max(ms, LEAST_MS)) / GROWTH);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count++;
  }

  /** Milliseconds that so large a share of the values do not exceed, from 0 to 1; `undefined` without a value. */
  percentile(share: number): number | undefined {
    const wanted = Math.max(1, Math.ceil(share * this.#count));
    let passed = 0;
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      passed += count;
      if (passed >= wanted) return Math.exp(bucket * GROWTH);
    }
    return undefined;
  }
}
