/** What tools keep to take writes back, in memory. */
import type { UndoStore } from '../../src/tools/undo-store.ts';

export class MemoryUndoStore implements UndoStore {
  readonly kept = new Map<string, string>();

  save(id: string, text: string): Promise<void> {
    this.kept.set(id, text);
    return Promise.resolve();
  }

  load(id: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.get(id));
  }

  remove(id: string): Promise<void> {
    this.kept.delete(id);
    return Promise.resolve();
  }
}
