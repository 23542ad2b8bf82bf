/**
 * The notice after a write that can be taken back: plugin, tool, "done" and Undo, for fifteen seconds; then the plugin's sentence
 * of what it restored (F070–F076).
 */
import { button, fill, icon, make, windowOf } from './dom.ts';
import { ICONS } from './icons.ts';
import { undoButton } from './undo-button.ts';
import { visible } from './visible.ts';
import { NOTICE } from './words.ts';

/** How long a notice stays (F072); the clock stands still while the pointer or the focus is on it. */
export const NOTICE_MS = 15_000;
/** How long the answer to an undo stays. */
const ANSWER_MS = 8_000;

export interface UndoNotice {
  readonly pluginName: string;
  readonly tool: string;
}

export interface UndoNoticeActions {
  /** Takes the write back; resolves with the plugin's sentence, rejects with why not. */
  undo(): Promise<string>;
  /** The notice has gone. */
  onGone(): void;
}

/** Draws a notice into an element made for it. Answers the function that takes it away early. */
export function drawUndoNotice(element: HTMLElement, { pluginName, tool }: UndoNotice, actions: UndoNoticeActions): () => void {
  const view = windowOf(element);
  const listening = new AbortController();
  let timer: number | undefined;
  let left = NOTICE_MS;
  let since: number | undefined;
  let hovered = false;
  let busy = false;

  const leave = (): void => {
    if (listening.signal.aborted) return;
    listening.abort();
    view.clearTimeout(timer);
    element.replaceChildren();
    actions.onGone();
  };
  /** Lets the clock run or stand, whichever is right now. */
  const sync = (): void => {
    const stands = busy || hovered || element.contains(element.ownerDocument.activeElement);
    if (stands === (since === undefined) || listening.signal.aborted) return;
    if (since === undefined) {
      since = view.performance.now();
      timer = view.setTimeout(leave, left);
    } else {
      view.clearTimeout(timer);
      left = Math.max(1_000, left - (view.performance.now() - since)); // enough to move the pointer away in peace
      since = undefined;
    }
  };
  const on = (name: 'pointerenter' | 'pointerleave' | 'focusin' | 'focusout', run: () => void): void => element.addEventListener(name, () => {
    run();
    sync();
  }, { signal: listening.signal });
  on('pointerenter', () => (hovered = true));
  on('pointerleave', () => (hovered = false));
  on('focusin', () => undefined);
  on('focusout', () => undefined);

  const say = (sentence: string, isError: boolean): void => {
    if (listening.signal.aborted) return;
    fill(words, make(element, 'span', { class: isError ? 'mh-tone-bad' : '' }, visible(element, sentence)));
    if (undo.matches(':focus-visible')) close.focus(); // by keyboard: what is said stays as long as it is read
    undo.remove();
    left = ANSWER_MS;
    busy = false;
    sync();
  };
  const undo = undoButton(element, tool, { class: 'mh-button mh-button-small' }, () => {
    busy = true;
    sync();
    actions.undo().then((sentence) => say(sentence, false), (error: unknown) => say(NOTICE.failed(error instanceof Error ? error.message : ''), true));
  });
  const words = make(element, 'p', { class: 'mh-undo-words' }, make(element, 'bdi', {}, visible(element, pluginName)), ' ', make(element, 'code', {}, visible(element, tool)), ` ${NOTICE.done}`);
  const close = button(element, icon(element, ICONS.failed), { class: 'mh-button mh-button-icon', 'aria-label': NOTICE.close }, leave);
  fill(element, make(element, 'div', { class: 'mh-undo', role: 'status', 'data-mh': 'undo-notice' }, icon(element, ICONS.done), words, undo, close));
  sync();
  return leave;
}
