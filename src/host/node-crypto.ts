/**
 * Random ids and hashes by Node's own crypto.
 */
import { createHmac, createSecretKey, hash, randomUUID, type KeyObject } from 'node:crypto';
import type { Crypto } from '../core/ports.ts';

export class NodeCrypto implements Crypto {
  readonly #key: KeyObject | undefined;

  /** `secret`: hexadecimal, the vault's own. Without one, hashes are plain SHA-256, which short arguments can be guessed from (D25). */
  constructor(secret: string | undefined) {
    this.#key = secret === undefined ? undefined : createSecretKey(secret, 'hex');
  }

  id(): string {
    return randomUUID();
  }

  hashArguments(canonical: string): string {
    if (!this.#key) return `sha256:${this.digest(canonical)}`;
    return `hmac-sha256:${createHmac('sha256', this.#key).update(canonical).digest('hex')}`;
  }

  digest(text: string): string {
    return hash('sha256', text, 'hex');
  }
}
