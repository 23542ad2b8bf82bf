/**
 * Ids of traces and spans: random, or, for one span at a time, given.
 *
 * Random numbers are drawn by the page. The digits are not: a slice of a page's digits would keep the whole page in memory.
 */

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

const PAGE_WORDS = 1024;
const ZERO = '0'.repeat(16);
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The SDK's generator of ids. */
export class SpanIds {
  readonly #words = new Uint32Array(PAGE_WORDS);
  #at = PAGE_WORDS;
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
      if (this.#at >= this.#words.length) {
        crypto.getRandomValues(this.#words);
        this.#at = 0;
      }
      const id = hex(this.#words[this.#at++]!) + hex(this.#words[this.#at++]!);
      if (id !== ZERO) return id;
    }
  }
}

/** From a table: `toString(16)` and its padding take four times as long, and each call needs four words. */
function hex(word: number): string {
  return BYTES[word >>> 24]! + BYTES[(word >>> 16) & 0xff]! + BYTES[(word >>> 8) & 0xff]! + BYTES[word & 0xff]!;
}
