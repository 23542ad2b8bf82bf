/**
 * Exact edits of a text: each names a passage that must occur once, and what stands there instead. Applying them gives
 * the new text and the splices that take it back. Faults name the edit by its number and never quote it (F120).
 */
import { HubError } from '../../core/errors.ts';

export interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** At `at`, `length` characters of the new text stand for `text` of the old. Lengths are UTF-16 units. */
export interface Splice {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

export interface Passage {
  readonly before: string;
  readonly after: string;
}

export interface Edited {
  readonly text: string;
  /** In the order in which they were made; to be taken back from the last. */
  readonly splices: readonly Splice[];
  /** Each edit within its lines, for people to read. */
  readonly passages: readonly Passage[];
}

/** How much of a long line is shown on either side of an edit. */
const CONTEXT_LIMIT = 300;
/** The properties at the top of a note, and how long they may be to be shown whole. */
const PROPERTIES = /^---\r?\n(?:[^]*?\r?\n)?---(?=\r?\n|$)/;
const PROPERTIES_LIMIT = 4_000;

/** Applies the edits in order, each to the text that the one before left. Throws `tool-failed` if one does not fit; then none counts. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  if (edits.length === 0) throw new HubError('tool-failed', 'There are no edits. Give at least one.');
  const splices: Splice[] = [];
  const passages: Passage[] = [];
  let now = text;
  edits.forEach((edit, index) => {
    const which = edits.length === 1 ? 'The edit' : `Edit ${index + 1}`;
    const { find, replace } = inItsLineEnds(edit, now);
    const at = onlyPlace(now, find, which);
    if (find === replace) throw new HubError('tool-failed', `${which} changes nothing: find and replace are equal.`);
    const [from, to] = linesAround(now, at, at + find.length);
    passages.push({ before: now.slice(from, to), after: now.slice(from, at) + replace + now.slice(at + find.length, to) });
    splices.push({ at, length: replace.length, text: find });
    now = now.slice(0, at) + replace + now.slice(at + find.length);
  });
  if (now === text) throw new HubError('tool-failed', 'The edits together change nothing.');
  return { text: now, splices, passages };
}

/** The text before the splices were made. */
export function takeBack(text: string, splices: readonly Splice[]): string {
  return splices.reduceRight((now, { at, length, text: old }) => now.slice(0, at) + old + now.slice(at + length), text);
}

/** Clients write line ends as \n; a note that has them as \r\n keeps its own. A passage of several lines that stands there with \n is meant as it is. */
function inItsLineEnds({ find, replace }: Edit, text: string): Edit {
  if (!text.includes('\r\n') || find.includes('\r') || replace.includes('\r')) return { find, replace };
  if (find.includes('\n') && text.includes(find)) return { find, replace };
  return { find: find.replaceAll('\n', '\r\n'), replace: replace.replaceAll('\n', '\r\n') };
}

function onlyPlace(text: string, find: string, which: string): number {
  if (find === '') throw new HubError('tool-failed', `${which} has an empty find. Give the passage that is to be replaced, exactly as the note has it.`);
  const at = text.indexOf(find);
  if (at < 0) throw new HubError('tool-failed', `${which} does not fit: the note has no such passage. Read the note again and copy the passage exactly.`);
  if (text.indexOf(find, at + 1) >= 0) throw new HubError('tool-failed', `${which} does not fit: the passage occurs more than once. Give more of the text around it, so that it occurs once.`);
  return at;
}

/** The lines of an edit; of one in the properties, all of them, fences too: the question can then say which of them change (F065). */
function linesAround(text: string, start: number, end: number): readonly [from: number, to: number] {
  const properties = PROPERTIES.exec(text)?.[0].length ?? 0;
  if (start < properties && properties <= PROPERTIES_LIMIT) return [0, Math.max(properties, linesOf(text, start, end)[1])];
  return linesOf(text, start, end);
}

function linesOf(text: string, start: number, end: number): readonly [from: number, to: number] {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline;
  return [whole(text, Math.max(lineStart, start - CONTEXT_LIMIT)), whole(text, Math.min(lineEnd, end + CONTEXT_LIMIT))];
}

/** The place itself, or one further on where that is the middle of a surrogate pair. */
function whole(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff && place > 0 ? place + 1 : place;
}
