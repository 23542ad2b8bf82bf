/**
 * What the books plugin needs from where it runs: the notes of the vault, and a place to remember things. In Obsidian these
 * are a few lines over `app.vault` and the plugin's own data; the headless host has its own.
 */

/** The vault's notes. */
export interface VaultFiles {
  /** Paths of the notes that lie directly in a folder, in order. */
  list(folder: string): Promise<readonly string[]>;
  /** The note's text; `undefined` if there is no such note. */
  read(note: string): Promise<string | undefined>;
  /** Writes a note that still reads `before`; false, and nothing written, if it does not. If it rejects, the note is as it was. */
  write(note: string, before: string, after: string): Promise<boolean>;
}

/** What the plugin keeps across restarts, by a name of letters, digits and hyphens. */
export interface Memory {
  save(id: string, text: string): Promise<void>;
  load(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
}
