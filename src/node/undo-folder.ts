/**
 * What tools keep to take writes back: one small file each, in a folder of their own that only the user can read. After
 * thirty days they are deleted: they hold passages of notes.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { UndoStore } from '../tools/undo-store.ts';
import { readJson, writeJson } from './json-file.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const ID = /^[A-Za-z0-9-]{1,100}$/;

export class UndoFolder implements UndoStore {
  readonly #folder: string;
  #swept = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(id: string, text: string): Promise<void> {
    const file = this.#file(id);
    if (!file) throw new Error('Not a name under which something can be kept.');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#sweep();
    writeJson(file, text, 0o600);
  }

  async load(id: string): Promise<string | undefined> {
    const file = this.#file(id);
    if (!file) return undefined;
    try {
      const kept = readJson(file);
      return typeof kept === 'string' ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  async remove(id: string): Promise<void> {
    const file = this.#file(id);
    if (file) forget(file);
  }

  /** Handles come back from the log and from code: one that is no plain id names no file. */
  #file(id: string): string | undefined {
    return ID.test(id) ? join(this.#folder, `${id}.json`) : undefined;
  }

  /** Once for each start. */
  #sweep(): void {
    if (this.#swept) return;
    this.#swept = true;
    const oldest = Date.now() - KEPT_MS;
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < oldest) forget(file);
    }
  }
}

function forget(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is left for a later sweep.
  }
}
