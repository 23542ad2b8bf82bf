/**
 * Taking a change of a shelf back. The handle is a random name; what it stands for is kept in the plugin's own memory, so
 * no title ever stands in the hub's log, and an undo works after a restart too.
 */
import type { UndoFunction } from '../../src/api/model-hub-api.d.ts';
import type { Memory, VaultFiles } from './ports.ts';
import { withoutAdded, withRemoved, type Added, type Removed } from './shelf.ts';

/** A change of one shelf: a book that was added, or one that was removed. */
export type Change = { readonly note: string; readonly book: string } & (({ readonly kind: 'added' } & Added) | ({ readonly kind: 'removed' } & Removed));

/** Keeps a change; answers the handle that takes it back. */
export async function keep(memory: Memory, change: Change): Promise<string> {
  const handle = crypto.randomUUID();
  await memory.save(handle, JSON.stringify(change));
  return handle;
}

export function createUndo(files: VaultFiles, memory: Memory): UndoFunction {
  return async (handle) => {
    const change = changeOf(await memory.load(handle));
    const now = await files.read(change.note).catch(nothingDone);
    if (now === undefined) throw conflict('The shelf has been moved or deleted since.');
    const before = undone(now, change);
    if (before === undefined) throw conflict('The shelf has changed there since, so nothing was taken back. Change it by hand.');
    if (!(await files.write(change.note, now, before).catch(nothingDone))) throw conflict('The shelf changed at this moment, so nothing was taken back.');
    await memory.remove(handle);
    return sentence(change);
  };
}

function changeOf(kept: string | undefined): Change {
  try {
    if (kept !== undefined) return JSON.parse(kept) as Change;
  } catch {
    // Damaged. The parser's own words would quote it.
  }
  throw new Error('What is needed to take this back is not kept any more.');
}

function undone(text: string, change: Change): string | undefined {
  switch (change.kind) {
    case 'added':
      return withoutAdded(text, change);
    case 'removed':
      return withRemoved(text, change);
  }
}

function sentence(change: Change): string {
  switch (change.kind) {
    case 'added':
      return `Took “${change.book}” off the shelf.`;
    case 'removed':
      return `Put “${change.book}” back on the shelf.`;
  }
}

/** The note is as it was: once what stands in the way is gone, the change can still be taken back. */
function nothingDone(error: unknown): never {
  throw conflict(error instanceof Error ? error.message : 'The shelf could not be read or written.');
}

function conflict(message: string): Error {
  return Object.assign(new Error(message), { code: 'undo-conflict' });
}
