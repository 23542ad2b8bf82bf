/** `namespaces.json`: who owns which namespace. */
import type { NamespaceStore } from '../core/ports.ts';
import { AdvisedError } from './advised-error.ts';
import { objectOf, readJson, writeJson } from './json-file.ts';

export const NAMESPACES_FILE = 'namespaces.json';

export class NamespacesFile implements NamespaceStore {
  readonly #file: string;
  /** As we read or wrote them last: what is not among ours any more was let go here, not written by another process. */
  #known: ReadonlySet<string> = new Set();
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
    const owners = new Map(Object.entries(objectOf(found)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    this.#known = new Set(owners.keys());
    return owners;
  }

  save(owners: ReadonlyMap<string, string>): void {
    try {
      const others = Object.entries(objectOf(readJson(this.#file))).filter(([namespace]) => !this.#known.has(namespace));
      writeJson(this.#file, { ...Object.fromEntries(others), ...Object.fromEntries(owners) });
      this.#known = new Set(owners.keys());
    } catch {
      this.#notice(`${NAMESPACES_FILE} cannot be written: who owns which namespace holds only until Model Hub ends.`);
    }
  }
}
