/**
 * What takes changes back, kept on this device: not in `data.json`, which is synced and which an idle device would write
 * over. As long as the hub offers to take a write back, and never more than fits.
 */
import type { App } from 'obsidian';
import type { Memory } from '../books/ports.ts';

const KEY = 'books-undo';
const KEPT_MS = 31 * 24 * 3600_000;
const KEPT_MOST = 1_000;

interface Kept {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

export function localMemory(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>): Memory {
  const all = (): readonly Kept[] => {
    const kept: unknown = app.loadLocalStorage(KEY);
    return Array.isArray(kept) ? (kept as readonly Kept[]) : [];
  };
  return {
    // No step here waits for another, so no two of them mix.
    save: async (id, text) => {
      const now = Date.now();
      app.saveLocalStorage(KEY, [...all().filter(({ at }) => now - at < KEPT_MS), { id, at: now, text }].slice(-KEPT_MOST));
    },
    load: async (id) => all().find((kept) => kept.id === id)?.text,
    remove: async (id) => app.saveLocalStorage(KEY, all().filter((kept) => kept.id !== id)),
  };
}
