/**
 * A small JSON file that is replaced whole: a temporary file beside it, then a rename, so that no reader and no crash
 * ever sees half of one.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';

/** The file's content; `undefined` if there is none. Throws if it cannot be read or is not JSON. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text.replace(/^\ufeff/, ''));
}

export function writeJson(file: string, value: unknown, mode = 0o644): void {
  put(file, value, mode, renameSync);
}

/** Writes the file unless there is one by now; then it throws `EEXIST`. */
export function writeNewJson(file: string, value: unknown, mode: number): void {
  put(file, value, mode, linkSync);
}

function put(file: string, value: unknown, mode: number, place: (temporary: string, file: string) => void): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode, flag: 'wx' });
    place(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The value if it is a plain object of JSON, otherwise an empty one. */
export function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: unknown }) : {};
}
