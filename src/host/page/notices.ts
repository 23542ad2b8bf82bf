/** Short messages at the edge of the page: what somebody else answered, what did not work, and the offer to undo. */
import { add, button, icon, make } from '../../../views/dom.ts';
import { ICONS } from '../../../views/icons.ts';
import { drawUndoNotice, type UndoNotice } from '../../../views/undo-notice.ts';
import { visible } from '../../../views/visible.ts';
import { NOTICE } from '../../../views/words.ts';

const STAYS_MS = 10_000;

export class Notices {
  readonly #place: HTMLElement;
  /** Offers to undo that are shown, by call. */
  readonly #offers = new Map<string, () => void>();

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  say(sentence: string): void {
    const notice = this.#show(sentence, '');
    setTimeout(() => notice.remove(), STAYS_MS);
  }

  /** Says what did not work. It stays until somebody has read and closed it. */
  warn(sentence: string): void {
    for (const shown of this.#place.querySelectorAll('.mh-tone-bad')) if (shown.textContent === sentence) return;
    this.#show(sentence, 'mh-tone-bad');
  }

  #show(sentence: string, tone: string): HTMLElement {
    const notice = make(this.#place, 'div', { class: 'mh-undo' }, make(this.#place, 'p', { class: `mh-undo-words ${tone}` }, visible(this.#place, sentence)),
      button(this.#place, icon(this.#place, ICONS.failed), { class: 'mh-button mh-button-icon', 'aria-label': NOTICE.close }, () => notice.remove()));
    add(this.#place, notice);
    return notice;
  }

  offerUndo(call: string, notice: UndoNotice, undo: () => Promise<string>): void {
    const box = make(this.#place, 'div', { 'data-offer': call });
    add(this.#place, box);
    const leave = drawUndoNotice(box, notice, {
      undo: () => {
        this.#offers.delete(call); // its own answer is awaited in it
        return undo();
      },
      onGone: () => {
        this.#offers.delete(call);
        box.remove();
      },
    });
    this.#offers.set(call, leave);
  }

  /** The write was taken back from somewhere else. */
  withdraw(call: string): void {
    this.#offers.get(call)?.();
  }
}
