/** `node:crypto` in the page: hashes by Node, random bytes and ids by the browser. */
import { Buffer } from 'node:buffer';
import type { Bridge } from './bridge.ts';

type Data = string | Uint8Array;

/** One hash under way: its pieces go over when it ends. */
class Hash {
  readonly #parts: Buffer[] = [];
  readonly #end: (parts: readonly Buffer[]) => Buffer;

  constructor(end: (parts: readonly Buffer[]) => Buffer) {
    this.#end = end;
  }

  update(data: Data, encoding?: BufferEncoding): this {
    this.#parts.push(bytesOf(data, encoding));
    return this;
  }

  digest(): Buffer;
  digest(encoding: BufferEncoding): string;
  digest(encoding?: BufferEncoding): string | Buffer {
    const digest = this.#end(this.#parts);
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

function bytesOf(data: Data, encoding?: BufferEncoding): Buffer {
  return typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data);
}

/** At most this much random at once: a browser's own limit. */
const RANDOM_BYTES = 65_536;

function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += RANDOM_BYTES) window.crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
  return bytes;
}

export function makeCrypto(bridge: Bridge): Record<string, unknown> {
  const createHash = (algorithm: string): Hash => new Hash((parts) => bridge.sync('crypto.hash', algorithm, parts) as Buffer);
  return {
    createHash,
    createHmac: (algorithm: string, key: Data): Hash => new Hash((parts) => bridge.sync('crypto.hmac', algorithm, bytesOf(key), parts) as Buffer),
    hash: (algorithm: string, data: Data, encoding: BufferEncoding | 'buffer' = 'hex') => {
      const hash = createHash(algorithm).update(data);
      return encoding === 'buffer' ? hash.digest() : hash.digest(encoding);
    },
    randomBytes,
    randomUUID: () => window.crypto.randomUUID(),
    timingSafeEqual: (one: Uint8Array, other: Uint8Array) => bridge.sync('crypto.timingSafeEqual', one, other),
    webcrypto: window.crypto,
    subtle: window.crypto.subtle,
    getRandomValues: window.crypto.getRandomValues.bind(window.crypto),
  };
}
