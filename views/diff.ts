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
import { visible } from './visible.ts';
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
  comparison.parts.forEach((part, at) => drawPart(body, part, at === 0, at === comparison.parts.length - 1, stops));
}

function riskList(near: Element, risks: readonly Risk[]): HTMLElement {
  const shown = risks.slice(0, MOST_RISKS).map(({ kind, detail }) =>
    make(near, 'li', { class: 'mh-risk', 'data-risk': kind }, icon(near, ICONS.warning), make(near, 'strong', {}, `${RISKS[kind]}: `), make(near, 'bdi', {}, visible(near, detail))));
  const more = risks.length - shown.length;
  return make(near, 'ul', { class: 'mh-risks' }, ...shown, more > 0 && make(near, 'li', { class: 'mh-risk' }, `+ ${count(more, 'more warning')}`));
}

function drawPart(body: Element, part: Part, first: boolean, last: boolean, stops: (() => void)[]): void {
  switch (part.kind) {
    case 'same':
      return drawSame(body, part.text, first, last);
    case 'change':
      if (part.out !== '') drawChanged(body, 'del', EDITS.removed, part.out, stops);
      if (part.in !== '') drawChanged(body, 'ins', EDITS.added, part.in, stops);
  }
}

function drawChanged(body: Element, tag: 'del' | 'ins', spoken: string, text: string, stops: (() => void)[]): void {
  const element = make(body, tag, {}, make(body, 'span', { class: 'mh-spoken' }, `[${spoken}] `));
  body.append(element);
  if (text.length <= PART) {
    element.append(visible(body, text));
    return;
  }
  const pieces = text.matchAll(/[^\n]{1,2000}|\n+/gu);
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
