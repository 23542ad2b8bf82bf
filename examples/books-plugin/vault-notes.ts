/**
 * The vault's notes, by Obsidian. Its errors name paths and so shelves, which belong neither into the log nor to whoever
 * called: ours take their place.
 */
import { TFile, type Vault } from 'obsidian';
import type { VaultFiles } from '../books/ports.ts';

export function vaultNotes(vault: Vault): VaultFiles {
  return {
    list: (folder) => {
      const notes = vault.getFolderByPath(folder)?.children.filter((child) => child instanceof TFile && child.extension === 'md') ?? [];
      return Promise.resolve(notes.map(({ path }) => path).sort());
    },
    read: async (note) => {
      const file = vault.getFileByPath(note);
      return file ? said(vault.read(file), 'The shelf could not be read.') : undefined;
    },
    write: async (note, before, after) => {
      const file = vault.getFileByPath(note);
      if (!file) return false;
      let fits = false;
      // Reading, comparing and writing are one step to the vault: nobody's change in between is lost.
      await said(vault.process(file, (now) => {
        fits = now === before;
        return fits ? after : now;
      }), 'The shelf could not be written.');
      return fits;
    },
  };
}

function said<T>(work: Promise<T>, sentence: string): Promise<T> {
  return work.catch(() => {
    throw new Error(sentence);
  });
}
