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

/** The titles, in order. */
export function booksOf(text: string): string[] {
  const lines = linesOf(text);
  return lines.slice(bodyOf(lines)).flatMap((line) => titleOf(line) ?? []);
}

/** The shelf with one more book, below the last one. */
export function withBook(text: string, title: string): { readonly text: string; readonly line: string; readonly last: string } {
  const lines = linesOf(text);
  const body = bodyOf(lines);
  const last = lines.findLastIndex((line, at) => at >= body && titleOf(line) !== undefined);
  const line = `- ${title}`;
  if (last >= 0) return { text: join([...lines.slice(0, last + 1), line, ...lines.slice(last + 1)], text), line, last: lines[last]! };
  // The first book: at the end, with an empty line between it and what is there.
  const kept = lines.slice(0, lines.findLastIndex((each) => each.trim() !== '') + 1);
  return { text: join([...kept, ...(kept.length > 0 ? [''] : []), line, ''], text), line, last: '' };
}

/** The shelf without the first book of this title; `undefined` if it has none. */
export function withoutBook(text: string, title: string): { readonly text: string; readonly line: string; readonly below: Below | undefined } | undefined {
  const lines = linesOf(text);
  const body = bodyOf(lines);
  const at = lines.findIndex((line, place) => place >= body && titleOf(line) === title);
  if (at < 0) return undefined;
  const above = lines[at - 1];
  const below = above === undefined ? undefined : { line: above, nth: lines.slice(0, at - 1).filter((line) => line === above).length };
  return { text: join(lines.toSpliced(at, 1), text), line: lines[at]!, below };
}

/** The text without the last line that reads so; `undefined` if there is none. */
export function withoutLine(text: string, line: string): string | undefined {
  const lines = linesOf(text);
  const at = lines.lastIndexOf(line);
  return at < 0 ? undefined : join(lines.toSpliced(at, 1), text);
}

/** The text with a line put back where it was; `undefined` if that place is gone. */
export function withLineBelow(text: string, line: string, below: Below | undefined): string | undefined {
  const lines = linesOf(text);
  if (!below) return join([line, ...lines], text);
  let seen = 0;
  const above = lines.findIndex((each) => each === below.line && seen++ === below.nth);
  return above < 0 ? undefined : join(lines.toSpliced(above + 1, 0, line), text);
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

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** With the line ends that the note has. */
function join(lines: readonly string[], like: string): string {
  return lines.join(like.includes('\r\n') ? '\r\n' : '\n');
}
