/**
 * A shelf is a note in which each list item is a book. Pure: text in, text out. Whatever else the note holds stays as it is.
 */

/** A list item, with or without a check box. */
const ITEM = /^[-*+] (?:\[.\] )?/;

/** A place between two lines: the line above it, by its text and by which of its likes it is; `undefined` at the top. */
export interface Below {
  readonly line: string;
  readonly nth: number;
}

/** A book that was added. */
export interface Added {
  readonly line: string;
  /** The note's end as it was and as it is, where this is its first book: blank lines there were put right. */
  readonly tail?: { readonly was: string; readonly is: string };
}

/** A line that was taken out, with the line end that went with it; without `below`, from the top. */
export interface Removed {
  readonly line: string;
  readonly end: string;
  readonly below?: Below;
}

/** A text as lines and what stands between them, so that line ends of several kinds each stay as they are. */
interface Lines {
  /** A byte order mark, if there is one. */
  readonly mark: string;
  readonly lines: readonly string[];
  /** One fewer than lines. */
  readonly ends: readonly string[];
}

/** The titles, in order. */
export function booksOf(text: string): string[] {
  const { lines } = linesOf(text);
  return lines.slice(bodyOf(lines)).flatMap((line) => titleOf(line) ?? []);
}

/** The shelf with one more book, below the last one; `last` is that one's line. */
export function withBook(text: string, title: string): { readonly text: string; readonly added: Added; readonly last: string } {
  const parts = linesOf(text);
  const { mark, lines, ends } = parts;
  const body = bodyOf(lines);
  const last = lines.findLastIndex((line, at) => at >= body && titleOf(line) !== undefined);
  const line = `- ${title}`;
  const end = ends[last] ?? ends.at(-1) ?? '\n';
  if (last >= 0) return { text: join(withLine(parts, last + 1, line, end)), added: { line }, last: lines[last]! };
  // The first book: at the end, with an empty line between it and what is there.
  const kept = lines.findLastIndex((each) => each.trim() !== '') + 1;
  const start = join({ mark, lines: lines.slice(0, kept), ends: ends.slice(0, Math.max(0, kept - 1)) });
  const is = `${kept > 0 ? end + end : ''}${line}${end}`;
  return { text: start + is, added: { line, tail: { was: text.slice(start.length), is } }, last: '' };
}

/** The shelf without the first book of this title; `undefined` if it has none. */
export function withoutBook(text: string, title: string): { readonly text: string; readonly removed: Removed } | undefined {
  const parts = linesOf(text);
  const { lines, ends } = parts;
  const body = bodyOf(lines);
  const at = lines.findIndex((line, place) => place >= body && titleOf(line) === title);
  if (at < 0) return undefined;
  const above = lines[at - 1];
  const below = above === undefined ? undefined : { line: above, nth: lines.slice(0, at - 1).filter((line) => line === above).length };
  return { text: join(withoutLineAt(parts, at)), removed: { line: lines[at]!, end: ends[at] ?? ends.at(-1) ?? '', ...(below ? { below } : {}) } };
}

/** The text without a book that was added: its end as it was, or without the last line that reads so; `undefined` if there is none. */
export function withoutAdded(text: string, { line, tail }: Added): string | undefined {
  if (tail && text.endsWith(tail.is)) return text.slice(0, text.length - tail.is.length) + tail.was;
  const parts = linesOf(text);
  const body = bodyOf(parts.lines);
  const at = parts.lines.findLastIndex((each, place) => place >= body && each === line);
  return at < 0 ? undefined : join(withoutLineAt(parts, at));
}

/** The text with a line put back where it was; `undefined` if that place is gone. */
export function withRemoved(text: string, { line, end, below }: Removed): string | undefined {
  const parts = linesOf(text);
  if (!below) return join(withLine(parts, 0, line, end));
  let seen = 0;
  const above = parts.lines.findIndex((each) => each === below.line && seen++ === below.nth);
  return above < 0 ? undefined : join(withLine(parts, above + 1, line, end));
}

function titleOf(line: string): string | undefined {
  if (!ITEM.test(line)) return undefined;
  const title = line.replace(ITEM, '').trim();
  return title === '' ? undefined : title;
}

/** The line after the properties at the note's top, whose lists are no books. */
function bodyOf(lines: readonly string[]): number {
  return lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
}

function linesOf(text: string): Lines {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return { mark, lines: text.slice(mark.length).split(/\r?\n/), ends: text.match(/\r?\n/g) ?? [] };
}

function join({ mark, lines, ends }: Lines): string {
  return mark + lines.map((line, at) => line + (ends[at] ?? '')).join('');
}

/** `end` follows the line; where the line is the last, it stands before. */
function withLine({ mark, lines, ends }: Lines, at: number, line: string, end: string): Lines {
  return { mark, lines: lines.toSpliced(at, 0, line), ends: ends.toSpliced(at, 0, end) };
}

function withoutLineAt({ mark, lines, ends }: Lines, at: number): Lines {
  return { mark, lines: lines.toSpliced(at, 1), ends: ends.toSpliced(Math.min(at, ends.length - 1), 1) };
}
