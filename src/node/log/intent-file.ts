/**
 * The file of the journal: entries in by `O_APPEND`, each begun by a newline, so that half an entry that a crash left
 * cannot swallow the next.
 */
import * as nodeFs from 'node:fs';
import type { Intent } from '../../core/ports.ts';

/** An intent with the writer and the process that it belongs to. */
export type Entry = { readonly begin: Intent; readonly w: string; readonly pid: number };
/** The id of an intent that is done with. */
export type EndEntry = { readonly end: string };

export class IntentFile {
  readonly #path: string;
  #fd: number | undefined;
  /** Bytes in the file after our last entry. */
  size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** With the operating system, in the file that the path leads to, when it returns. Throws if that cannot be. */
  append(entry: Entry | EndEntry): void {
    const bytes = Buffer.from(`\n${JSON.stringify(entry)}`);
    for (;;) {
      this.#fd ??= nodeFs.openSync(this.#path, 'a', 0o600);
      if (nodeFs.writeSync(this.#fd, bytes) < bytes.length) throw new Error('the journal could not be written');
      const { ino, dev, size } = nodeFs.fstatSync(this.#fd);
      this.size = size;
      const found = nodeFs.statSync(this.#path, { throwIfNoEntry: false });
      if (found?.ino === ino && found.dev === dev) return;
      // Moved while we wrote, by a process that may not have seen the entry.
      this.close();
    }
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    this.size = 0;
    if (fd !== undefined) nodeFs.closeSync(fd);
  }
}

/** The intents in a journal's text that have no end. Lines that are no entry are passed over. */
export function unfinished(text: string): readonly Entry[] {
  const begun = new Map<string, Entry>();
  const ended = new Set<string>();
  for (const line of text.split('\n')) {
    const entry = parse(line);
    if (entry === undefined) continue;
    if ('end' in entry) ended.add(entry.end);
    else begun.set(entry.begin.id, entry);
  }
  return [...begun.values()].filter(({ begin }) => !ended.has(begin.id));
}

function parse(line: string): Entry | EndEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { begin, end, w, pid } = value as { begin?: unknown; end?: unknown; w?: unknown; pid?: unknown };
  if (typeof end === 'string') return { end };
  return isIntent(begin) && typeof w === 'string' && typeof pid === 'number' ? { begin, w, pid } : undefined;
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, trace, at, run, client } = value as { readonly [key: string]: unknown };
  if (!isHex(id) || !isHex(trace) || typeof run !== 'string' || !Number.isSafeInteger(at) || !isClient(client)) return false;
  const { runSpan, single, plugin, tool, args, policy, of, trigger } = value as { readonly [key: string]: unknown };
  const isToolIntent = isHex(runSpan) && typeof plugin === 'string' && typeof tool === 'string';
  switch (kind) {
    case 'call':
      return isToolIntent && (single === undefined || single === true) && (args === undefined || isWord(args)) && (policy === undefined || isPolicy(policy));
    case 'undo':
      return isToolIntent && isHex(of) && isWord(trigger);
    case 'run':
      return true;
    default:
      return false;
  }
}

function isHex(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]+$/.test(value);
}

function isClient(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name } = value as { readonly [key: string]: unknown };
  return isWord(kind) && typeof name === 'string';
}

function isPolicy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { effective, source } = value as { readonly [key: string]: unknown };
  return isWord(effective) && isWord(source);
}

/** As hashes and the words of closed lists are, which a row holds as they stand. */
function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[\w:-]+$/.test(value);
}
