/**
 * What tools must remember to take a write back, across restarts. The handle in the log is only the name under which it
 * is kept: handles hold no text of anybody's (D28, F118).
 */
export interface UndoStore {
  /** Kept when it resolves. `id` is letters, digits and hyphens. */
  save(id: string, text: string): Promise<void>;
  /** `undefined` if nothing is kept under that id, or no longer. */
  load(id: string): Promise<string | undefined>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}
