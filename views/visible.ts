/**
 * Text from outside, with nothing in it that the eye would miss: invisible, bidirectional and control characters, spaces
 * that look like others, and padding that pushes words out of sight become marked spans, and are counted (D14, B27).
 */
import { make } from './dom.ts';
import { HIDDEN_NAMES, hiddenLabel, hiddenNotice } from './words.ts';

/** How often each hidden character occurs, by code point. */
export type HiddenCounts = Map<number, number>;

/** A stretch of text as it is, or one hidden character repeated `times`. */
type Segment = { readonly text: string } | { readonly hidden: string; readonly code: number; readonly times: number };

// Emoji sequences are let through whole: the joiners inside them are how they are written.
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\uFE0F|[\u{1F3FB}-\u{1F3FF}])?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|[\u{1F3FB}-\u{1F3FF}])?)*|[0-9#*]\uFE0F\u20E3`;
// Some letters are drawn blank, and some marks are drawn through or around a letter: plain text would look struck or underlined.
const BLANK = String.raw`\u{16FE4}\u2800\u{1D159}`;
const OVERLAY = String.raw`[\u0332\u0333\u0335-\u0338\u20D2\u20D3\u20D8-\u20DA\u20DD-\u20E0\u20E2\u20E4-\u20E6\u20EA\u20EB]`;
const UNSEEN = String.raw`(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}${BLANK}]|${OVERLAY}|(?! )\p{Zs}`;
// Blanks first: a run of them is stepped over whole, however long it is.
const PADDING = String.raw`[ \t]{40,}|\t{4,}|(?:[ \t]{0,39}\r?\n){5,}`;
// More marks on one letter than any script needs: they are drawn over the lines around.
const STACKED = String.raw`\p{M}{6,}`;

// A mark that has no letter of its own is drawn over what stands before the text.
const IN_TEXT = new RegExp(String.raw`${EMOJI}|(${PADDING})|\r\n|(${STACKED})|(${UNSEEN}|(?<![^\n])\p{M})`, 'gu');
// In JSON a control character is an escape: readable, but marked and counted all the same. `\\` and `\n` are stepped over.
const IN_JSON = new RegExp(String.raw`${EMOJI}|\\[\\"n]|(${PADDING}|(?: |\\t){40,}|(?:\\t){4,})|(${STACKED})|(${UNSEEN}|(?<=")\p{M}|\\u[0-9a-fA-F]{4}|\\[bfr])`, 'gu');

const ESCAPES: ReadonlyMap<string, number> = new Map([['\\t', 9], ['\\b', 8], ['\\f', 12], ['\\r', 13]]);

/** How the text is written: as it is, or as canonical JSON. */
export type Writing = 'text' | 'json';

/** Counts the hidden characters of a text into `counts`. */
export function countHidden(text: string, counts: HiddenCounts, writing: Writing = 'text'): void {
  for (const [, padding, stacked, unseen] of text.matchAll(patternOf(writing))) {
    const hidden = padding ?? stacked ?? unseen;
    if (hidden === undefined) continue;
    const code = codeOf(hidden);
    counts.set(code, (counts.get(code) ?? 0) + timesOf(hidden, padding, stacked));
  }
}

/** The text with its hidden characters marked, as nodes. */
export function visible(near: Element, text: string, writing: Writing = 'text'): DocumentFragment {
  const fragment = near.ownerDocument.createDocumentFragment();
  for (const segment of segments(text, writing)) {
    fragment.append('hidden' in segment ? mark(near, segment, writing) : segment.text);
  }
  return fragment;
}

/** The notice that says how many hidden characters there are, and which; nothing if there are none. */
export function drawHiddenNotice(near: Element, counts: HiddenCounts, id: string): HTMLElement | undefined {
  if (counts.size === 0) return undefined;
  return make(near, 'p', { class: 'mh-notice mh-notice-warn', id, role: 'note', 'data-mh': 'hidden' }, hiddenNotice(counts));
}

/** What stands in place of a hidden character. */
export function mark(near: Element, { hidden, code, times }: Extract<Segment, { hidden: string }>, writing: Writing = 'text'): HTMLElement {
  // An escape is its own mark, so that the shown text stays the exact text.
  const asWritten = writing === 'json' && hidden.startsWith('\\');
  const label = asWritten ? hidden : hiddenLabel(code, times);
  return make(near, 'span', { class: 'mh-hidden', title: `${HIDDEN_NAMES.get(code) ?? hiddenLabel(code, 1)}${times > 1 ? ` × ${times}` : ''}`, ...(asWritten ? {} : { 'data-raw': hidden }) }, label);
}

function* segments(text: string, writing: Writing): Generator<Segment> {
  let from = 0;
  let open: { hidden: string; code: number; times: number } | undefined;
  for (const match of text.matchAll(patternOf(writing))) {
    const [whole, padding, stacked, unseen] = match;
    const hidden = padding ?? stacked ?? unseen;
    if (hidden === undefined) continue;
    if (match.index > from || (open && open.code !== codeOf(hidden))) {
      if (open) yield open;
      open = undefined;
      if (match.index > from) yield { text: text.slice(from, match.index) };
    }
    open = { hidden: (open?.hidden ?? '') + whole, code: codeOf(hidden), times: (open?.times ?? 0) + timesOf(hidden, padding, stacked) };
    from = match.index + whole.length;
  }
  if (open) yield open;
  if (from < text.length) yield { text: text.slice(from) };
}

/** A long text in pieces that can be made visible one by one. Runs of blank lines stay together, so that padding is seen as one. */
export function piecesOf(text: string): Iterable<RegExpMatchArray> {
  return text.matchAll(/(?:[ \t]{0,39}\r?\n)+|(?:(?!\r\n)[^\n]){1,2000}/gu);
}

function patternOf(writing: Writing): RegExp {
  return writing === 'json' ? IN_JSON : IN_TEXT;
}

/** Padding of several kinds counts as the one that pushes furthest. */
function codeOf(hidden: string): number {
  if (hidden.includes('\n')) return 0x0a;
  if (/[ \t].*(?:\t|\\t)/.test(hidden)) return 0x09;
  if (hidden[0] !== '\\') return hidden.codePointAt(0)!;
  if (hidden[1] === 'u') return Number.parseInt(hidden.slice(2, 6), 16);
  return ESCAPES.get(hidden.slice(0, 2)) ?? 0x5c;
}

function timesOf(hidden: string, padding: string | undefined, stacked: string | undefined): number {
  if (padding !== undefined) return padding.match(padding.includes('\n') ? /\n/g : /\t|\\t/.test(padding) ? /\t|\\t/g : / /g)!.length;
  return stacked === undefined ? 1 : [...hidden].length;
}
