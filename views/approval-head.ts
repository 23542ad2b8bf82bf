/** The head of a question: the tool, what it does, the time. Below it the facts: who asks, why, and whether it can be taken back. */
import type { Question } from '../src/core/questions.ts';
import { add, icon, make } from './dom.ts';
import { ICONS } from './icons.ts';
import { visible } from './visible.ts';
import { clientKind, EFFECTS, EFFECTS_LONG, money, QUESTION } from './words.ts';

/** Tool, plugin and effect stay in sight however long the rest is (B26). */
export function drawHead(head: Element, { tool, plugin, effect }: Question, titleId: string): void {
  add(head,
    make(head, 'div', { class: 'mh-approval-title' },
      make(head, 'h2', { id: titleId }, QUESTION.title(tool)),
      make(head, 'p', { class: 'mh-approval-sub' },
        make(head, 'span', { class: `mh-badge mh-badge-${effect}`, title: EFFECTS_LONG[effect], 'data-mh': 'effect' }, icon(head, ICONS[effect]), EFFECTS[effect]),
        make(head, 'span', { class: 'mh-muted' }, `${QUESTION.plugin} `, name(head, plugin)))));
}

export function drawFacts(body: Element, question: Question, id: string): void {
  const { client, why, undo, spentUsdMicros } = question;
  const fact = (term: string, ...values: (Node | string)[]): HTMLElement => make(body, 'div', { class: 'mh-fact' }, make(body, 'dt', {}, term), make(body, 'dd', {}, ...values));
  const list = make(body, 'dl', { class: 'mh-facts', id }, fact(QUESTION.askedBy, `${clientKind(client.kind, true)} `, name(body, client.name)));
  add(list, fact(QUESTION.why, visible(body, why)));
  if (undo) add(list, fact(QUESTION.undo, undo.possible ? QUESTION.canUndo : visible(body, QUESTION.cannotUndo(undo.reason))));
  add(list, fact(QUESTION.spent, money(spentUsdMicros)));
  add(body, list);
}

/** What the tool says of itself, with its extent in sight: its lines cannot pass for the hub's. */
export function drawDescription(body: Element, { description }: Question): void {
  add(body, make(body, 'p', { class: 'mh-description', dir: 'auto' }, visible(body, description)));
}

/** A name from outside: in quotes of its own, kept apart from the words around it whatever way it reads. */
function name(near: Element, text: string): HTMLElement {
  return make(near, 'bdi', { class: 'mh-name' }, visible(near, text));
}
