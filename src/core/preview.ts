/**
 * What a tool says that a call would do, for the question: text or edits, copied and bounded. A description that throws,
 * hangs or makes no sense falls back to the arguments: it can make a question clearer, never decide one (F060, X6).
 */
import type { Clock } from './ports.ts';
import type { Preview } from './questions.ts';
import type { RegisteredTool } from './registry.ts';
import type { Client, Description, NoteEdit } from './types.ts';

/** A description that takes longer is not waited for. */
export const PREVIEW_LIMIT_MS = 500;
/** UTF-16 units of all its texts together. A longer description is not shown in place of the arguments: devices have to take it whole. */
const TEXT_LIMIT = 2_000_000;
const EDITS_LIMIT = 500;

const ARGUMENTS: Preview = { kind: 'arguments' };

/** What a description is asked with: a call, or as much of one. */
export interface Describable {
  readonly tool: Pick<RegisteredTool, 'describe'>;
  readonly input: unknown;
  readonly run: { readonly id: string; readonly client: Client };
  readonly stop: { readonly signal: AbortSignal };
}

/** Never rejects. */
export function previewOf(call: Describable, clock: Pick<Clock, 'after'>): Promise<Preview> {
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
  if (!Array.isArray(edits) || edits.length === 0 || edits.length > EDITS_LIMIT) return ARGUMENTS;
  // Copied before they are looked at: what was looked at is then what is shown.
  const copy = (edits as readonly NoteEdit[]).map(({ note, before, after }) => Object.freeze({ note, before, after }));
  const texts: unknown[] = [summary ?? '', ...copy.flatMap(({ note, before, after }) => [note, before, after])];
  const size = texts.reduce<number>((sum, text) => (typeof text === 'string' ? sum + text.length : Infinity), 0);
  if (size > TEXT_LIMIT) return ARGUMENTS;
  return { kind: 'edits', ...(summary === undefined ? {} : { summary }), edits: Object.freeze(copy) };
}
