/**
 * The notes of the vault through Obsidian's own API, so that open editors and the app's index hear of each change. Where a
 * path really leads is judged on the disk, as in every host.
 */
import type { Vault } from 'obsidian';
import type { VaultFiles } from '../../tools/vault-files.ts';

export class VaultNotes implements VaultFiles {
  readonly #vault: Pick<Vault, 'getFileByPath' | 'read' | 'process'>;
  readonly #disk: Pick<VaultFiles, 'objection' | 'list'>;

  constructor(vault: Pick<Vault, 'getFileByPath' | 'read' | 'process'>, disk: Pick<VaultFiles, 'objection' | 'list'>) {
    this.#vault = vault;
    this.#disk = disk;
  }

  objection(note: string): Promise<string | undefined> {
    return this.#disk.objection(note);
  }

  list(folder: string): Promise<readonly string[]> {
    return this.#disk.list(folder);
  }

  async read(note: string): Promise<string | undefined> {
    await this.#throwIfObjected(note);
    const file = this.#vault.getFileByPath(note);
    return file ? this.#vault.read(file) : undefined;
  }

  async write(note: string, before: string, after: string): Promise<boolean> {
    await this.#throwIfObjected(note);
    const file = this.#vault.getFileByPath(note);
    if (!file) return false;
    let written = false;
    await this.#vault.process(file, (found) => {
      written = found === before;
      return written ? after : found;
    });
    return written;
  }

  async #throwIfObjected(note: string): Promise<void> {
    const objection = await this.#disk.objection(note);
    if (objection !== undefined) throw new Error(objection);
  }
}
