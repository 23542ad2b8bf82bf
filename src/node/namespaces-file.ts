/** `namespaces.json`: who owns which namespace. */
import type { NamespaceStore } from '../core/ports.ts';
import { AdvisedError } from './advised-error.ts';
import { objectOf, readJson, writeJson } from './json-file.ts';

export const NAMESPACES_FILE = 'namespaces.json';

export class NamespacesFile implements NamespaceStore {
  readonly #file: string;
  readonly #notice: (text: string) => void;

  constructor(file: string, notice: (text: string) => void) {
    this.#file = file;
    this.#notice = notice;
  }

  load(): ReadonlyMap<string, string> {
    let found: unknown;
    try {
      found = readJson(this.#file);
    } catch {
      throw new AdvisedError(`${NAMESPACES_FILE} cannot be read.`, 'Mend it, or delete it: the plugins that load first then own their namespaces again.');
    }
    return new Map(Object.entries(objectOf(found)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }

  save(owners: ReadonlyMap<string, string>): void {
    try {
      writeJson(this.#file, { ...objectOf(readJson(this.#file)), ...Object.fromEntries(owners) });
    } catch {
      this.#notice(`${NAMESPACES_FILE} cannot be written: who owns which namespace holds only until Model Hub ends.`);
    }
  }
}
