/** The status bar: how many questions wait, and the last write while it can be taken back. Nothing stands there otherwise. */
import type { Question } from '../core/questions.ts';
import { button, fill } from '../../views/dom.ts';
import { QUESTIONS, UNDO } from './words.ts';
import type { LastWrite } from './undo-notices.ts';

export interface StatusBarActions {
  showQuestion(): void;
  undo(call: string): void;
}

export function drawStatusBar(item: HTMLElement, question: Question | undefined, last: LastWrite | undefined, actions: StatusBarActions): void {
  const parts: HTMLElement[] = [];
  if (question) parts.push(button(item, QUESTIONS.waiting(question.waiting + 1), { class: 'mh-status mh-status-ask' }, () => actions.showQuestion()));
  if (last) parts.push(button(item, UNDO.last(last.tool), { class: 'mh-status' }, () => actions.undo(last.call)));
  item.toggleClass('mh-status-empty', parts.length === 0);
  fill(item, ...parts);
}
