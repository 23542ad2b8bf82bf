/** Obsidian's `Notice`: in the active window, for its time or until it is clicked; 0 is until then. */
import type * as obsidian from 'obsidian';

/** What the app shows a notice for when nobody says how long. */
const DURATION_MS = 4_000;

export class ShimNotice implements obsidian.Notice {
  noticeEl: HTMLElement;
  containerEl: HTMLElement;
  messageEl: HTMLElement;
  readonly #timer: number | undefined;

  constructor(message: string | DocumentFragment, duration = DURATION_MS) {
    const { body } = activeDocument;
    const all = body.querySelector<HTMLElement>(':scope > .notice-container') ?? body.createDiv('notice-container');
    this.containerEl = all.createDiv('notice');
    this.messageEl = this.containerEl.createDiv('notice-message');
    this.noticeEl = this.messageEl;
    this.setMessage(message);
    this.containerEl.addEventListener('click', () => this.hide());
    if (duration > 0) this.#timer = window.setTimeout(() => this.hide(), duration);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    window.clearTimeout(this.#timer);
    const all = this.containerEl.parentElement;
    this.containerEl.detach();
    if (all?.childElementCount === 0) all.detach();
  }
}
