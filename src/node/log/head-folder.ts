/** Heads of the log in a folder outside the vault: a file for each writer, so that two processes never overwrite each other's. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Head } from '../../../otel/log-verify.ts';
import { objectOf, readJson, writeJson } from '../json-file.ts';
import { HEADS_REMEMBERED, type HeadStore } from './witness.ts';

const IS_HEAD = /^[\w-]+\.json$/;

export class HeadFolder implements HeadStore {
  readonly #folder: string;
  #made = false;

  constructor(stateFolder: string) {
    this.#folder = path.join(stateFolder, 'log-witness');
  }

  load(): readonly Head[] {
    return this.#names().flatMap((name): Head[] => {
      try {
        const { n, digest } = objectOf(readJson(path.join(this.#folder, name)));
        return typeof n === 'number' && typeof digest === 'string' ? [{ w: name.slice(0, -'.json'.length), n, digest }] : [];
      } catch {
        return [];
      }
    });
  }

  save({ w, n, digest }: Head): void {
    if (!this.#made) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#forgetOldest();
      this.#made = true;
    }
    writeJson(path.join(this.#folder, `${w}.json`), { n, digest }, 0o600);
  }

  delete(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #forgetOldest(): void {
    const age = (name: string): number => statSync(path.join(this.#folder, name)).mtimeMs;
    const names = this.#names();
    if (names.length < HEADS_REMEMBERED) return;
    for (const name of [...names].sort((a, b) => age(a) - age(b)).slice(0, names.length - HEADS_REMEMBERED + 1)) rmSync(path.join(this.#folder, name), { force: true });
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((name) => IS_HEAD.test(name));
    } catch {
      return [];
    }
  }
}
