/**
 * The witness: the newest place of each of this device's writers, in a folder outside the log, so that a tail that was cut
 * off or a file that was put back to an older state can be seen (E02).
 *
 * A file for each writer, so that two processes never overwrite each other's. It lags behind the log by a fraction of a
 * second; what is lost in a crash is only the word about those last rows.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Head } from '../../../otel/log-verify.ts';
import type { Clock } from '../../core/ports.ts';
import { objectOf, readJson, writeJson } from '../json-file.ts';

const LAG_MS = 200;
/** Writers remembered: one for each start. */
const REMEMBERED = 64;
const IS_HEAD = /^[\w-]+\.json$/;

export interface WitnessOptions {
  /** On this device, not synced, outside the vault. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'after'>;
  /** `w:n:digest` of the newest row; empty before the first. */
  readonly head: () => string;
}

export class Witness {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #head: () => string;
  #cancel: (() => void) | undefined;
  #kept = '';
  #deleted = false;

  constructor({ folder, clock, head }: WitnessOptions) {
    this.#folder = folder;
    this.#clock = clock;
    this.#head = head;
  }

  /** The head has moved. */
  touch(): void {
    this.#cancel ??= this.#clock.after(LAG_MS, () => this.flush());
  }

  /** Keeps the newest head now. Never throws: without a witness the log goes on. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const head = this.#head();
    if (this.#deleted || head === '' || head === this.#kept) return;
    const [w = '', n, digest] = head.split(':');
    try {
      if (this.#kept === '') {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        this.#forgetOldest();
      }
      writeJson(path.join(this.#folder, `${w}.json`), { n: Number(n), digest }, 0o600);
      this.#kept = head;
    } catch {
      // The next head tries again.
    }
  }

  delete(): void {
    this.#deleted = true;
    this.#cancel?.();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #forgetOldest(): void {
    const age = (name: string): number => statSync(path.join(this.#folder, name)).mtimeMs;
    const names = readdirSync(this.#folder).filter((name) => IS_HEAD.test(name));
    if (names.length < REMEMBERED) return;
    for (const name of names.sort((a, b) => age(a) - age(b)).slice(0, names.length - REMEMBERED + 1)) rmSync(path.join(this.#folder, name), { force: true });
  }
}

/** What the witness of a folder holds. A file that cannot be read tells nothing. */
export function readHeads(folder: string): readonly Head[] {
  const heads: Head[] = [];
  for (const name of namesIn(folder)) {
    try {
      const { n, digest } = objectOf(readJson(path.join(folder, name)));
      if (typeof n === 'number' && typeof digest === 'string') heads.push({ w: name.slice(0, -'.json'.length), n, digest });
    } catch {
      continue;
    }
  }
  return heads;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => IS_HEAD.test(name));
  } catch {
    return [];
  }
}
