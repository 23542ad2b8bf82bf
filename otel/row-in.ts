/** A line of the log, read back: as JSON, and as a row. Nothing here throws. */
import type { Row } from './row.ts';

/** A row that counts: the end of a run is none. */
export type CountedRow = Extract<Row, { readonly kind: 'call' | 'undo' }>;

// Bytes that are no UTF-8 are damage: replaced, they could pass for a row.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The line as text; `undefined` if its bytes are no UTF-8. */
export function lineText(line: Uint8Array): string | undefined {
  try {
    return utf8.decode(line);
  } catch {
    return undefined;
  }
}

/** The object of a line; `undefined` if it is none. */
export function lineObject(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['plugin', 'effect', 'args', 'outcome', 'code', 'reason', 'message', 'grant', 'undo', 'of', 'trigger'] as const;
const NUMBERS = ['waitMs', 'ms', 'chars'] as const;
const OBJECTS = ['policy', 'approval'] as const;

/** True if the object has the shape of a row of this version, as far as a reader relies on it. */
export function isRow(value: { readonly [key: string]: unknown }): value is Row & { readonly [key: string]: unknown } {
  if (value['v'] !== 1 || !isText(value['id']) || !isText(value['trace']) || !isText(value['time']) || !isText(value['run'])) return false;
  if (!isText(value['w']) || !Number.isSafeInteger(value['n']) || !isObject(value['us']) || !hasTexts(value['client'], ['kind', 'name'])) return false;
  if (TEXTS.some((key) => !isAbsentOr(isText, value[key])) || NUMBERS.some((key) => !isAbsentOr(Number.isFinite, value[key])) || OBJECTS.some((key) => !isAbsentOr(isObject, value[key]))) return false;
  switch (value['kind']) {
    case 'run':
      return true;
    case 'undo':
      return isText(value['tool']) && isText(value['outcome']) && isText(value['of']) && hasTexts(value['spans'], ['run']);
    case 'call':
      return isText(value['tool']) && isText(value['outcome']) && hasTexts(value['spans'], ['run']);
    default:
      return false;
  }
}

const BEGINNING = '{"v":1,"kind":"';

/**
 * True if a line that is no JSON looks like the beginning of a row whose end was never written: a crash or a full disk,
 * not a change. Whether a row is missing for it, the chain knows.
 */
export function isTorn(text: string): boolean {
  if (!text.startsWith(BEGINNING.slice(0, text.length))) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    if (quoted) {
      if (unit === '\\') i++;
      else if (unit === '"') quoted = false;
    } else if (unit === '"') quoted = true;
    else if (unit === '{' || unit === '[') depth++;
    else if (unit === '}' || unit === ']') depth--;
  }
  return quoted || depth > 0;
}

function isAbsentOr(fits: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || fits(value);
}

function hasTexts(value: unknown, keys: readonly string[]): boolean {
  return isObject(value) && keys.every((key) => isText((value as { readonly [key: string]: unknown })[key]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
