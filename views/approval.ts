/**
 * The question to a person, as the body of a dialog: who asks, for what, with which arguments, and the buttons that answer.
 * Nothing is allowed by accident, and nothing can be allowed that could not be read (F040–F066, D13, D14, B24–B27).
 */
import type { Decision, Question } from '../src/core/questions.ts';
import { drawFacts, drawHead } from './approval-head.ts';
import { drawContent } from './approval-content.ts';
import { drawCountdown } from './countdown.ts';
import { add, button, fill, freshId, make, setAttribute } from './dom.ts';
import { watchInput } from './input-gate.ts';
import { countHidden, drawHiddenNotice, type HiddenCounts } from './visible.ts';
import { DECISIONS, QUESTION } from './words.ts';

export interface ApprovalOptions {
  /** Arguments of more UTF-16 units than this are allowed for a run only when they were read to their end (D08). */
  readonly longOver: number;
  /** The person's answer. `shownWhole`: the arguments were on screen to the last character. Called once, until {@link ApprovalView.failed}. */
  readonly onAnswer: (decision: Decision, shownWhole: boolean) => void;
}

export interface ApprovalView {
  /** The same question with another count and another time left. */
  update(now: Pick<Question, 'waiting' | 'remainingMs'>): void;
  /** Escape, a press outside, the dialog's own way out: a no. False while input does not count yet. */
  dismiss(): boolean;
  /** The answer was not taken, and why: the question stays open. */
  failed(why: string): void;
  /** Stops timers and listeners. What was drawn is left to the caller. */
  stop(): void;
}

/** Draws the question into an element in a document that is shown, and puts the focus on the question itself, never on an answer. */
export function drawApproval(element: HTMLElement, question: Question, options: ApprovalOptions): ApprovalView {
  const titleId = freshId();
  const factsId = freshId();
  const notesId = freshId();
  const hiddenId = freshId();
  const root = make(element, 'div', { class: `mh-approval mh-${question.effect}`, role: 'alertdialog', 'aria-modal': 'true', 'aria-labelledby': titleId, 'aria-describedby': `${hiddenId} ${factsId}`, tabindex: '-1', 'data-mh': 'approval' });
  const head = make(element, 'header', { class: 'mh-approval-head' });
  const body = make(element, 'div', { class: 'mh-approval-body', tabindex: '0', role: 'region', 'aria-label': QUESTION.title(question.tool) });
  const foot = make(element, 'footer', { class: 'mh-approval-foot' });
  add(root, head, body, foot);
  fill(element, root);

  drawHead(head, question, titleId);
  add(body, drawHiddenNotice(root, hiddenIn(question), hiddenId));
  drawFacts(body, question, factsId);

  let shownWhole = false;
  let answered = false;
  let timeUp = false;
  const stopContent = drawContent(body, question, () => {
    shownWhole = true;
    refresh();
  });

  const status = make(root, 'p', { class: 'mh-approval-status', role: 'status', 'data-mh': 'status' });
  const waiting = make(root, 'p', { class: 'mh-muted', 'data-mh': 'waiting' });
  const buttons = new Map<Decision, HTMLButtonElement>();
  const answer = (decision: Decision): void => {
    if (answered || timeUp) return;
    answered = true;
    status.textContent = QUESTION.sending;
    refresh();
    options.onAnswer(decision, shownWhole);
  };
  for (const decision of question.choices) {
    const choice = button(root, DECISIONS[decision], { class: `mh-button mh-button-${decision}`, 'data-decision': decision, 'aria-describedby': decision === 'allow_run' && notesId }, (event) => {
      if (gate.accepts(event) && !choice.hasAttribute('aria-disabled')) answer(decision);
    });
    buttons.set(decision, choice);
  }
  // aria-disabled in place of disabled: the focus stays where it is, and the reason can be read there.
  const refresh = (): void => {
    const off = answered || timeUp || !gate.isOpen();
    for (const [decision, choice] of buttons) setAttribute(choice, 'aria-disabled', (off || (decision === 'allow_run' && isUnread())) && 'true');
    grant.textContent = !buttons.has('allow_run') ? (question.withheld ?? '') : isUnread() ? QUESTION.readFirst
      : `${QUESTION.covers(question.tool, question.run)} ${QUESTION.knowFirst(question.undo?.possible !== false)}`;
  };
  const isUnread = (): boolean => question.arguments.length > options.longOver && !shownWhole;
  const grant = make(root, 'p', { class: 'mh-muted', 'data-mh': 'grant' });
  add(foot, make(root, 'div', { class: 'mh-approval-notes', id: notesId }, waiting, grant, status),
    make(root, 'div', { class: 'mh-answers', role: 'group' }, ...buttons.values()));

  const gate = watchInput(root, refresh);
  const countdown = drawCountdown(head, question.remainingMs, () => {
    timeUp = true;
    status.textContent = QUESTION.timeUp;
    refresh();
  });
  waiting.textContent = QUESTION.waiting(question.waiting);
  refresh();
  root.focus({ preventScroll: true });

  return {
    update: (now) => {
      waiting.textContent = QUESTION.waiting(now.waiting);
      timeUp = false;
      countdown.set(now.remainingMs);
    },
    dismiss: () => {
      if (!gate.isOpen()) return false;
      answer('deny');
      return true;
    },
    failed: (why) => {
      answered = false;
      status.textContent = why;
      refresh();
    },
    stop: () => {
      gate.stop();
      countdown.stop();
      stopContent();
    },
  };
}

/** Hidden characters in everything of the question that comes from outside. */
function hiddenIn({ client, plugin, tool, description, why, undo, preview, arguments: input }: Question): HiddenCounts {
  const counts: HiddenCounts = new Map();
  countHidden(input, counts, 'json');
  // A preview is made from the arguments: the same character in both is one.
  const inPreview: HiddenCounts = new Map();
  if (preview.kind === 'text') countHidden(preview.text, inPreview);
  if (preview.kind === 'edits') for (const text of [preview.summary ?? '', ...preview.edits.flatMap(({ note, before, after }) => [note, before, after])]) countHidden(text, inPreview);
  for (const [code, times] of inPreview) counts.set(code, Math.max(times, counts.get(code) ?? 0));
  for (const text of [client.name, plugin, tool, description, why, undo?.possible === false ? undo.reason : '']) countHidden(text, counts);
  return counts;
}
