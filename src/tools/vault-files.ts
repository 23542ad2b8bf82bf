/**
 * The notes of the vault as tools see them. An implementation judges every path by where it really leads, at every call:
 * what was true when the user was asked may not be true any more.
 */
export interface VaultFiles {
  /** Why the path may not be used, in a sentence that does not quote it; `undefined` if it may. The note need not exist. */
  objection(note: string): Promise<string | undefined>;
  /** Paths of the notes that lie directly in a folder, in order; none if there is no such folder. Rejects for a folder that may not be used. */
  list(folder: string): Promise<readonly string[]>;
  /** The note's text to the last character, `undefined` if there is none. Rejects for a path that may not be used. */
  read(note: string): Promise<string | undefined>;
  /** Writes a note that still reads `before`; false, and nothing written, if it does not. Rejects for a path that may not be used, and whenever the note could not be written: then it is as it was. */
  write(note: string, before: string, after: string): Promise<boolean>;
}
