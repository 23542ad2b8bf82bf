/**
 * The books plugin in Obsidian: the tools of `examples/books` over the vault, and a command that calls one of them. START HERE.
 *
 * It works without Model Hub as far as it can: it loads, and its command says what is missing.
 */
import { Notice, Plugin } from 'obsidian';
import { loadBooks } from '../books/plugin.ts';
import { addNote } from './add-note.ts';
import { localMemory } from './local-memory.ts';
import { chooseShelf } from './shelf-choice.ts';
import { vaultNotes } from './vault-notes.ts';

export default class BooksPlugin extends Plugin {
  override onload(): void {
    const hub = loadBooks(this.app, this, { files: vaultNotes(this.app.vault), memory: localMemory(this.app) });
    this.addCommand({
      id: 'add-note-to-shelf',
      name: 'Add this note to a shelf',
      checkCallback: (checking) => {
        const note = this.app.workspace.getActiveFile();
        if (note?.extension !== 'md') return false;
        if (!checking) void addNote(hub(), this.manifest.id, note.basename, (shelves) => chooseShelf(this.app, shelves)).then(tell);
        return true;
      },
    });
  }
}

function tell(sentence: string | undefined): void {
  if (sentence !== undefined) new Notice(sentence);
}
