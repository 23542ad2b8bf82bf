/**
 * Ids of traces and spans: random, or, for one span at a time, given.
 *
 * Random digits are made by the page and sliced, which costs a tenth of making them one by one.
 */

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

const PAGE_BYTES = 4096;
const SPAN_DIGITS = 16;
const ZERO = '0'.repeat(SPAN_DIGITS);
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The SDK's generator of ids. */
export class SpanIds {
  #digits = '';
  #at = 0;
  #given: Ids | undefined;

  generateTraceId(): string {
    // Some backends keep 64 bits: neither half may be zero.
    return this.#given ? this.#given.traceId : this.#random() + this.#random();
  }

  generateSpanId(): string {
    return this.#given ? this.#given.spanId : this.#random();
  }

  /** Runs `start`, which starts one span, so that this span gets these ids. */
  withIds<T>(ids: Ids, start: () => T): T {
    this.#given = ids;
    try {
      return start();
    } finally {
      this.#given = undefined;
    }
  }

  #random(): string {
    for (;;) {
      if (this.#at >= this.#digits.length) this.#fill();
      const id = this.#digits.slice(this.#at, this.#at + SPAN_DIGITS);
      this.#at += SPAN_DIGITS;
      if (id !== ZERO) return id;
    }
  }

  #fill(): void {
    let digits = '';
    for (const byte of crypto.getRandomValues(new Uint8Array(PAGE_BYTES))) digits += HEX[byte];
    this.#digits = digits;
    this.#at = 0;
  }
}
