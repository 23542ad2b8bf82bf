/**
 * Draws what a call would change in notes, grouped per note: what goes out is struck, what comes in is marked, and risky
 * changes are said in words above (F061–F065).
 */
import type { NoteEdit } from '../src/core/types.ts';
import { compare, type Part } from './changes.ts';
import { add, button, icon, make } from './dom.ts';
import { ICONS } from './icons.ts';
import { drawLazily } from './lazy.ts';
import { risksOf, type Risk } from './risks.ts';
import { mark, piecesOf, visible } from './visible.ts';
import { count, EDITS, RISKS } from './words.ts';

/** Lines of unchanged text that stay around a change. */
const CONTEXT = 2;
/** Fewer hidden lines than this are not worth a button. */
const WORTH_HIDING = 4;
/** A part draws at least so many characters before the next waits for its turn. */
const PART = 8_000;
const MOST_RISKS = 6;

/** Draws the edits at the end of the element. Answers the function that stops drawing. */
export function drawEdits(element: Element, edits: readonly NoteEdit[]): () => void {
  const byNote = new Map<string, NoteEdit[]>();
  for (const edit of edits) byNote.set(edit.note, [...(byNote.get(edit.note) ?? []), edit]);

  const list = make(element, 'div', { class: 'mh-edits' });
  add(element, list);
  const stops: (() => void)[] = [];
  const queue = [...byNote].flatMap(([note, own]) => own.map((edit, at) => ({ edit, heading: at === 0 ? { note, count: own.length } : undefined })));
  let at = 0;
  let section: HTMLElement = list;
  stops.push(drawLazily(list, {
    next: () => {
      for (let drawn = 0; at < queue.length && drawn < PART; at++) {
        const { edit, heading } = queue[at]!;
        if (heading) {
          section = make(list, 'section', { class: 'mh-note', 'data-mh': 'note' }, noteHeading(list, heading.note, heading.count));
          list.append(section);
        }
        drawEdit(section, edit, stops);
        drawn += edit.before.length + edit.after.length;
      }
      return at < queue.length;
    },
  }));
  return () => {
    for (const stop of stops) stop();
  };
}

function noteHeading(near: Element, note: string, passages: number): HTMLElement {
  return make(near, 'h4', { class: 'mh-note-name' }, icon(near, ICONS.note), make(near, 'bdi', {}, visible(near, note)), passages > 1 && make(near, 'span', { class: 'mh-muted' }, count(passages, 'passage')));
}

function drawEdit(section: Element, { before, after }: NoteEdit, stops: (() => void)[]): void {
  const comparison = compare(before, after);
  const risks = risksOf(before, after, comparison);
  add(section, risks.length > 0 && riskList(section, risks));
  const body = make(section, 'div', { class: 'mh-edit', dir: 'auto', 'data-mh': 'edit' });
  add(section, body);
  if (before === after) add(body, make(section, 'p', { class: 'mh-muted' }, EDITS.same));
  comparison.parts.forEach((part, at, { length }) => {
    if (part.kind === 'same') drawSame(body, part.text, at === 0, at === length - 1);
    else drawChange(body, part, comparison.parts[at - 1], comparison.parts[at + 1], stops);
  });
}

function riskList(near: Element, risks: readonly Risk[]): HTMLElement {
  const items = risks.map((risk) => riskItem(near, risk));
  const rest = items.splice(MOST_RISKS);
  const more = make(near, 'li', {}, button(near, `+ ${count(rest.length, 'more warning')}`, { class: 'mh-fold' }, () => more.replaceWith(...rest)));
  return make(near, 'ul', { class: 'mh-risks' }, ...items, rest.length > 0 && more);
}

function riskItem(near: Element, { kind, detail, change }: Risk): HTMLElement {
  const apart = (text: string): HTMLElement => make(near, 'bdi', {}, visible(near, text));
  const words = (): (Node | string)[] => {
    if (!change) return [apart(detail)];
    // Each side by itself: between words that are read from the right, "a becomes b" would be read as "b becomes a".
    const [from, to] = change;
    return to === '' ? [apart(from), ` ${EDITS.isRemoved}`] : [apart(from), ` ${EDITS.becomes} `, apart(to)];
  };
  return make(near, 'li', { class: 'mh-risk', 'data-risk': kind }, icon(near, ICONS.warning), make(near, 'strong', {}, `${RISKS[kind]}: `), ...words());
}

function drawChange(body: Element, change: Extract<Part, { kind: 'change' }>, before: Part | undefined, after: Part | undefined, stops: (() => void)[]): void {
  const { out, in: into } = change;
  if (out !== '' && into !== '') {
    drawChanged(body, 'del', EDITS.removed, out, stops);
    drawChanged(body, 'ins', EDITS.added, into, stops);
    return;
  }
  // The line break that whole lines come or go with stands beside the mark, not in it: there it would be an empty stripe.
  const text = out + into;
  const leads = /^\n+[^\n]/.test(text) && (after === undefined || (after.kind === 'same' && after.text.startsWith('\n')));
  const trails = !leads && /[^\n]\n+$/.test(text) && (before === undefined || (before.kind === 'same' && before.text.endsWith('\n')));
  if (leads) body.append('\n');
  drawChanged(body, out === '' ? 'ins' : 'del', out === '' ? EDITS.added : EDITS.removed, leads ? text.slice(1) : trails ? text.slice(0, -1) : text, stops);
  if (trails) body.append('\n');
}

function drawChanged(body: Element, tag: 'del' | 'ins', spoken: string, text: string, stops: (() => void)[]): void {
  const element = make(body, tag, {}, make(body, 'span', { class: 'mh-spoken' }, `[${spoken}] `));
  body.append(element);
  if (/^\n{1,4}$/.test(text)) {
    element.append(mark(body, { hidden: text, code: 0x0a, times: text.length }), text); // nothing of it would be seen
    return;
  }
  if (text.length <= PART) {
    element.append(visible(body, text));
    return;
  }
  const pieces = piecesOf(text)[Symbol.iterator]();
  stops.push(drawLazily(element, {
    next: () => {
      for (let drawn = 0; drawn < PART;) {
        const piece = pieces.next();
        if (piece.done) return false;
        element.append(visible(body, piece.value[0]));
        drawn += piece.value[0].length;
      }
      return true;
    },
  }));
}

/** Unchanged text: the lines next to a change, and the rest behind a button. */
function drawSame(body: Element, text: string, first: boolean, last: boolean): void {
  const lines = text.split('\n');
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  const hidden = lines.length - 1 - head - tail;
  if (hidden < WORTH_HIDING) {
    body.append(visible(body, text));
    return;
  }
  const upTo = lines.slice(0, head).join('\n') + (head > 0 ? '\n' : '');
  const from = lines.slice(lines.length - 1 - tail).join('\n');
  const middle = text.slice(upTo.length, text.length - from.length);
  const fold = button(body, EDITS.unchanged(hidden), { class: 'mh-fold' }, () => fold.replaceWith(visible(body, middle)));
  add(body, visible(body, upTo), fold, visible(body, from));
}
