/**
 * What a handler returned, as the caller gets it: whole, or cut at the limit and marked so; empty or not; with the handle
 * that takes the write back (F074–F079, F094–F098, F197, F198, D23).
 */
import { isHighSurrogate } from '../../otel/text.ts';
import type { Ran } from './call.ts';
import { HubError } from './errors.ts';
import type { CutResult } from './types.ts';

/** UTF-16 units of a result's JSON. */
export const RESULT_LIMIT = 100_000;
/** The same for the hub's own chat panel (F095). */
export const PANEL_RESULT_LIMIT = 25_000;
/** UTF-16 units of an undo handle (D28). */
export const HANDLE_LIMIT = 1_000;

export interface Shaped {
  readonly result: unknown;
  readonly truncated: boolean;
  /** UTF-16 units of the whole result's JSON. */
  readonly chars: number;
  readonly empty: boolean;
}

/** Throws `tool-failed` for a result that is not JSON. */
export function shape({ value, json, run }: Pick<Ran, 'value' | 'json' | 'run'>): Shaped {
  if (typeof json !== 'string') throw json;
  const limit = run.client.kind === 'panel' ? PANEL_RESULT_LIMIT : RESULT_LIMIT;
  const chars = json.length;
  if (chars > limit) return { result: cut(json, limit), truncated: true, chars, empty: false };
  return { result: value === undefined ? null : value, truncated: false, chars, empty: isEmpty(value) };
}

/** The first `limit` units, one fewer where that would split a surrogate pair. */
export function cut(json: string, limit: number): CutResult {
  const end = isHighSurrogate(json.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return {
    truncated: true,
    result: json.slice(0, end),
    originalChars: json.length,
    cut: `${json.length - end} of ${json.length} characters are missing. Ask for less at a time, by an offset or a cursor if the tool takes one.`,
  };
}

/** The handle of a write that can be taken back, if it gave a usable one. A mistake in `undoHandle` does not undo the success of the write. */
export function handleOf(tool: Ran['tool'], value: unknown): string | undefined {
  if (tool.effect !== 'write' || !tool.undoHandle) return undefined;
  try {
    const handle: unknown = tool.undoHandle(value);
    return isHandle(handle) ? handle : undefined;
  } catch {
    return undefined;
  }
}

export function isHandle(handle: unknown): handle is string {
  return typeof handle === 'string' && handle !== '' && handle.length <= HANDLE_LIMIT && handle.isWellFormed();
}

/** What counts as a result with nothing in it (F197, F198). */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && (value as { empty?: unknown }).empty === true;
}

/** What a handler answered, as JSON; `tool-failed` where it has none. */
export function toJson(value: unknown): string | HubError {
  if (value === undefined) return 'null';
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = undefined; // a cycle, a BigInt, a getter that throws
  }
  return json ?? new HubError('tool-failed', 'The tool answered something that is not JSON.');
}
