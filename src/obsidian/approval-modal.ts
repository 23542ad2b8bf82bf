/**
 * The open question as a modal. Every way out of it is a no; within the first moments none of them counts, since whoever
 * typed did not mean the question (D14). It is taken away once, however the question ends.
 */
import { Modal, type App } from 'obsidian';
import { LONG_ARGUMENTS, type Decision, type Question } from '../core/questions.ts';
import { drawApproval, type ApprovalView } from '../../views/approval.ts';

export interface ApprovalModalOptions {
  readonly onAnswer: (decision: Decision, shownWhole: boolean) => void;
  /** It is on the screen. */
  readonly onOpened: () => void;
}

export class ApprovalModal extends Modal {
  readonly #question: Question;
  readonly #options: ApprovalModalOptions;
  #view: ApprovalView | undefined;
  #settled = false;

  constructor(app: App, question: Question, options: ApprovalModalOptions) {
    super(app);
    this.#question = question;
    this.#options = options;
  }

  override onOpen(): void {
    this.modalEl.addClass('mh-modal');
    this.#view = drawApproval(this.contentEl, this.#question, { longOver: LONG_ARGUMENTS, onAnswer: this.#options.onAnswer });
    this.#options.onOpened();
  }

  /** Escape, a press outside and the cross come here. */
  override close(): void {
    if (this.#settled || !this.#view) super.close();
    else this.#view.dismiss();
  }

  override onClose(): void {
    this.#view?.stop();
    this.contentEl.empty();
  }

  /** The same question with another count and another time left. */
  refresh(now: Pick<Question, 'waiting' | 'remainingMs'>): void {
    this.#view?.update(now);
  }

  /** The answer was not taken: the question stays open, with the reason. */
  notTaken(why: string): void {
    this.#view?.failed(why);
  }

  /** The question is settled. */
  settle(): void {
    this.#settled = true;
    this.close();
  }

  /** Puts the focus on the question, never on an answer (D14). */
  focus(): void {
    this.contentEl.querySelector<HTMLElement>('[role="alertdialog"]')?.focus({ preventScroll: true });
  }

  /** The document of the window that shows it. */
  get shownIn(): Document {
    return this.containerEl.doc;
  }
}
