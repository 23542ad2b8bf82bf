/**
 * What an edit changes, word by word. Numbers, dates and links are words of their own, so that a change inside one shows
 * the whole of it.
 */
import { diffArrays } from 'diff';

/** A stretch of an edit: kept as it is, or put in place of another. */
export type Part =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'change'; readonly out: string; readonly in: string };

export interface Comparison {
  readonly parts: readonly Part[];
  /** False where the passage was too long: then it is one change, whole. */
  readonly compared: boolean;
}

/** Longer passages are not compared word by word, nor are those that take longer. */
const MOST_WORDS = 20_000;
const TIME_LIMIT_MS = 40;

const LINK = String.raw`https?:\/\/[^\s)>\]]*[^\s)>\].,;:!?'\x22]|\[\[[^\]\n]*\]\]`;
const NUMBER = String.raw`(?:(?<![\p{L}\p{N}])[-+−])?\p{Nd}(?:[\p{Nd}.,:/-]*\p{Nd})?`;
// Scripts that put no spaces between words are compared character by character.
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*`;
const WORDS = new RegExp(String.raw`${LINK}|${NUMBER}|${UNSPACED}|[\p{L}\p{M}_'’]+|[ \t]+|[^]`, 'gu');

export function compare(before: string, after: string): Comparison {
  if (before === after) return { parts: same(before), compared: true };
  // Whole lines that both begin or end with are set aside first: most edits are small in a long note.
  const head = commonHead(before, after);
  const tail = commonTail(before.slice(head), after.slice(head));
  const out = before.slice(head, before.length - tail);
  const into = after.slice(head, after.length - tail);
  const words = wordParts(out, into);
  const parts = [...same(before.slice(0, head)), ...(words ?? [{ kind: 'change', out, in: into } as const]), ...same(tail === 0 ? '' : before.slice(-tail))];
  return { parts, compared: words !== undefined };
}

/** Undefined if it would take too long. */
function wordParts(out: string, into: string): readonly Part[] | undefined {
  if (out === '' || into === '') return [{ kind: 'change', out, in: into }];
  const a = out.match(WORDS) ?? [];
  const b = into.match(WORDS) ?? [];
  if (a.length + b.length > MOST_WORDS) return undefined;
  const found = diffArrays(a, b, { timeout: TIME_LIMIT_MS });
  if (!found) return undefined;

  const parts: Part[] = [];
  for (const { value, added, removed } of found) {
    const text = value.join('');
    if (!added && !removed) parts.push({ kind: 'same', text });
    else join(parts, removed ? text : '', added ? text : '');
  }
  return onWholeLines(parts);
}

/** How far a change may be moved to stand on whole lines. */
const FARTHEST = 200;

/**
 * Where lines begin alike, a line that came or went may be found as the end of one and the start of the next: "two⏎- " for
 * "- two⏎". It is moved up to the start of its line. The parts begin at one themselves.
 */
function onWholeLines(parts: readonly Part[]): readonly Part[] {
  const moved: Part[] = [...parts];
  for (let at = 1; at < moved.length; at++) {
    const [before, change, after] = [moved[at - 1]!, moved[at]!, moved[at + 1]];
    if (before.kind !== 'same' || change.kind !== 'change' || (change.out !== '' && change.in !== '') || (after && after.kind !== 'same')) continue;
    const text = change.out + change.in;
    const up = stepsUp(before.text, text);
    if (up === 0) continue;
    const whole = text.slice(-up) + text.slice(0, -up);
    const kept = before.text.slice(0, -up);
    moved[at - 1] = { kind: 'same', text: kept };
    moved[at] = change.out === '' ? { kind: 'change', out: '', in: whole } : { kind: 'change', out: whole, in: '' };
    moved[at + 1] = { kind: 'same', text: text.slice(-up) + (after?.text ?? '') };
  }
  return moved.filter((part) => part.kind === 'change' || part.text !== '');
}

/** By how many characters the text can go up to become whole lines; 0 if it cannot, or need not. */
function stepsUp(before: string, text: string): number {
  for (let up = 0; up < text.length && up <= FARTHEST; up++) {
    const start = before.length - up;
    if ((start === 0 || before[start - 1] === '\n') && text[text.length - up - 1] === '\n') return up;
    if (start === 0 || before[start - 1] !== text[text.length - up - 1]) return 0;
  }
  return 0;
}

/** Changes with nothing but a space between them read as one. */
function join(parts: Part[], out: string, into: string): void {
  const last = parts.at(-1);
  const before = parts.at(-2);
  if (last?.kind === 'change') parts[parts.length - 1] = { kind: 'change', out: last.out + out, in: last.in + into };
  else if (last?.kind === 'same' && before?.kind === 'change' && /^[ \t]+$/.test(last.text)) {
    parts.splice(-2, 2, { kind: 'change', out: before.out + last.text + out, in: before.in + last.text + into });
  } else parts.push({ kind: 'change', out, in: into });
}

function same(text: string): Part[] {
  return text === '' ? [] : [{ kind: 'same', text }];
}

function commonHead(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at === 0 ? 0 : a.lastIndexOf('\n', at - 1) + 1;
}

function commonTail(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  const lineStart = a.indexOf('\n', a.length - length);
  return lineStart < 0 || length === 0 ? 0 : a.length - lineStart;
}
