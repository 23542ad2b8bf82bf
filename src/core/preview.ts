/**
 * What a tool says that a call would do, for the question: text or edits, copied and bounded. A description that throws,
 * hangs or makes no sense falls back to the arguments: it can make a question clearer, never decide one (F060, X6).
 */
import type { Judged } from './call.ts';
import type { Clock } from './ports.ts';
import type { Preview } from './questions.ts';
import type { Description, NoteEdit } from './types.ts';

/** A description that takes longer is not waited for. */
export const PREVIEW_LIMIT_MS = 500;
/** Texts longer than this are not shown in place of the arguments. */
const TEXT_LIMIT = 2_000_000;
const EDITS_LIMIT = 500;

const ARGUMENTS: Preview = { kind: 'arguments' };

/** Never rejects. */
export function previewOf(call: Judged, clock: Clock): Promise<Preview> {
  const { describe } = call.tool;
  if (!describe) return Promise.resolve(ARGUMENTS);
  return new Promise((resolve) => {
    const cancel = clock.after(PREVIEW_LIMIT_MS, () => resolve(ARGUMENTS));
    const settle = (preview: Preview): void => {
      cancel();
      resolve(preview);
    };
    Promise.resolve()
      .then(() => describe(call.input, { run: call.run.id, client: call.run.client, signal: call.stop.signal }))
      .then(read)
      .then(settle, () => settle(ARGUMENTS));
  });
}

function read(description: Description): Preview {
  if (typeof description === 'string') {
    return description.trim() === '' || description.length > TEXT_LIMIT ? ARGUMENTS : { kind: 'text', text: description };
  }
  const { summary, edits } = description;
  if (!Array.isArray(edits) || edits.length === 0 || edits.length > EDITS_LIMIT || !edits.every(isEdit)) return ARGUMENTS;
  const copy = edits.map(({ note, before, after }) => Object.freeze({ note, before, after }));
  return { kind: 'edits', ...(typeof summary === 'string' ? { summary } : {}), edits: Object.freeze(copy) };
}

function isEdit(value: unknown): value is NoteEdit {
  if (typeof value !== 'object' || value === null) return false;
  const { note, before, after } = value as Record<string, unknown>;
  return [note, before, after].every((text) => typeof text === 'string' && text.length <= TEXT_LIMIT);
}
