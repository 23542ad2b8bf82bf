/**
 * `vault.edit_note`: replaces exact passages of one note. The question shows the edits; the undo puts the old text back,
 * and refuses if the note changed since.
 */
import { HubError } from '../../core/errors.ts';
import type { Crypto } from '../../core/ports.ts';
import type { Guard } from '../../core/registry.ts';
import type { Description, HubTool, ToolContext, UndoFunction } from '../../core/types.ts';
import type { UndoStore } from '../undo-store.ts';
import type { VaultFiles } from '../vault-files.ts';
import { applyEdits, takeBack, type Edit, type Splice } from './splice.ts';

export interface EditNoteParts {
  readonly files: VaultFiles;
  readonly store: UndoStore;
  readonly crypto: Pick<Crypto, 'id' | 'digest'>;
}

interface Input {
  readonly note: string;
  readonly edits: readonly Edit[];
}

interface Result {
  readonly note: string;
  readonly edits: number;
}

/** What is kept to take an edit back. */
interface Kept {
  readonly note: string;
  readonly splices: readonly Splice[];
  /** Digest of the note as the edit left it. */
  readonly left: string;
}

export interface EditNote {
  readonly tool: HubTool<Input>;
  readonly undo: UndoFunction;
  readonly guard: Guard;
}

export function createEditNote({ files, store, crypto }: EditNoteParts): EditNote {
  // Beside the result, not in it: results go to clients, handles stay here (D28).
  const handles = new WeakMap<Result, string>();

  async function edit({ note, edits }: Input, { signal }: Pick<ToolContext, 'signal'>): Promise<Result> {
    const before = await readNote(note);
    const { text, splices } = applyEdits(before, edits);
    const handle = crypto.id();
    const kept: Kept = { note, splices, left: crypto.digest(text) };
    await store.save(handle, JSON.stringify(kept));
    try {
      signal.throwIfAborted();
      if (!(await files.write(note, before, text))) throw new HubError('tool-failed', 'The note changed while it was being edited. Read it again, then edit it.');
    } catch (error) {
      await store.remove(handle);
      throw error;
    }
    const result: Result = { note, edits: edits.length };
    handles.set(result, handle);
    return result;
  }

  async function describe({ note, edits }: Input): Promise<Description> {
    const before = await readNote(note);
    try {
      return { edits: applyEdits(before, edits).passages.map((passage) => ({ note, ...passage })) };
    } catch (error) {
      return `This call would change nothing and fail. ${(error as Error).message}`;
    }
  }

  async function readNote(note: string): Promise<string> {
    const text = await files.read(note);
    if (text === undefined) throw new HubError('tool-failed', 'There is no note at that path. Check its folders and its name.');
    return text;
  }

  async function undo(handle: string): Promise<string> {
    const kept = readKept(await store.load(handle));
    const now = await files.read(kept.note).catch(nothingDone);
    if (now === undefined) throw conflict('The note has been moved or deleted since.');
    if (crypto.digest(now) !== kept.left) throw conflict('The note has changed since, so the edit was not taken back. Change it by hand.');
    if (!(await files.write(kept.note, now, takeBack(now, kept.splices)).catch(nothingDone))) throw conflict('The note changed at this moment, so the edit was not taken back.');
    await store.remove(handle);
    return `Restored the text of “${kept.note}”.`;
  }

  const tool: HubTool<Input> = {
    name: 'vault.edit_note',
    description:
      'Edits one note: replaces each passage given as find by replace. A passage must be copied exactly from the note and occur in it once; give enough of the text around it. '
      + 'The edits are made in order, all or none. To append, find the last line and replace it by itself and the new text.',
    effect: 'write',
    replay: 'unsafe',
    undo: { kind: 'handle' },
    input: {
      type: 'object',
      required: ['note', 'edits'],
      properties: {
        note: { type: 'string', description: 'The note\'s path in the vault, such as Reading/Ideas.md.' },
        edits: {
          type: 'array',
          description: 'At least one edit.',
          items: {
            type: 'object',
            required: ['find', 'replace'],
            properties: {
              find: { type: 'string', description: 'The passage as it stands in the note, exactly. It must occur once.' },
              replace: { type: 'string', description: 'What is to stand there instead.' },
            },
          },
        },
      },
    },
    handler: edit,
    undoHandle: (result) => handles.get(result as Result) ?? null,
    describe,
  };
  return { tool, undo, guard: (input) => files.objection((input as Input).note) };
}

function readKept(text: string | undefined): Kept {
  try {
    if (text !== undefined) return JSON.parse(text) as Kept;
  } catch {
    // Damaged. The parser's own words would quote it.
  }
  throw new HubError('tool-failed', 'What is needed to take this edit back is not kept any more.');
}

/** The note is as it was: once what stands in the way is gone, the edit can still be taken back. */
function nothingDone(error: unknown): never {
  throw conflict(error instanceof Error ? error.message : 'The note could not be read or written.');
}

function conflict(message: string): Error {
  return Object.assign(new Error(message), { code: 'undo-conflict' });
}
