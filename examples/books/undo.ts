/**
 * Taking a change of a shelf back. The handle is a random name; what it stands for is kept in the plugin's own memory, so
 * no title ever stands in the hub's log, and an undo works after a restart too.
 */
import type { UndoFunction } from '../../src/api/model-hub-api.d.ts';
import type { Memory, VaultFiles } from './ports.ts';
import { withLineBelow, withoutLine, type Below } from './shelf.ts';

/** A change of one shelf: a line that was added, or one that was removed from below another. */
export type Change =
  | { readonly kind: 'added'; readonly note: string; readonly book: string; readonly line: string }
  | { readonly kind: 'removed'; readonly note: string; readonly book: string; readonly line: string; readonly below?: Below };

/** Keeps a change; answers the handle that takes it back. */
export async function keep(memory: Memory, change: Change): Promise<string> {
  const handle = crypto.randomUUID();
  await memory.save(handle, JSON.stringify(change));
  return handle;
}

export function createUndo(files: VaultFiles, memory: Memory): UndoFunction {
  return async (handle) => {
    const kept = await memory.load(handle);
    if (kept === undefined) throw new Error('What is needed to take this back is not kept any more.');
    const change = JSON.parse(kept) as Change;
    const now = await files.read(change.note);
    if (now === undefined) throw conflict('The shelf has been moved or deleted since.');
    const before = undone(now, change);
    if (before === undefined) throw conflict('The shelf has changed there since, so nothing was taken back. Change it by hand.');
    if (!(await files.write(change.note, now, before))) throw conflict('The shelf changed at this moment, so nothing was taken back.');
    await memory.remove(handle);
    return sentence(change);
  };
}

function undone(text: string, change: Change): string | undefined {
  switch (change.kind) {
    case 'added':
      return withoutLine(text, change.line);
    case 'removed':
      return withLineBelow(text, change.line, change.below);
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

function conflict(message: string): Error {
  return Object.assign(new Error(message), { code: 'undo-conflict' });
}
