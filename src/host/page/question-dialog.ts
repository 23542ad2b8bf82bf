/**
 * The open question as a dialog on top of the page. Every way out of it is a no, and it is taken away once, however the
 * question ends (F052, F055, D14, B20, B25).
 */
import { LONG_ARGUMENTS, type Decision, type Question, type Receipt, type Settlement } from '../../core/questions.ts';
import { drawApproval, type ApprovalView } from '../../../views/approval.ts';
import { GONE, settledSentence, TOO_LATE } from '../../../views/words.ts';
import { PAGE } from './page-words.ts';

export interface DialogOptions {
  /** Sends an answer. Rejects with an error that can be shown. */
  readonly answer: (id: string, decision: Decision, shownWhole: boolean) => Promise<Receipt>;
  /** Something that the person should know, once. */
  readonly say: (sentence: string) => void;
  /** The question that is open has changed; undefined if none is. */
  readonly onChange: (question: Question | undefined) => void;
}

export class QuestionDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #options: DialogOptions;
  #open: { readonly question: Question; readonly view: ApprovalView } | undefined;
  /** The question that was answered here and whose receipt is on its way. */
  #sent: string | undefined;

  constructor(dialog: HTMLDialogElement, options: DialogOptions) {
    this.#dialog = dialog;
    this.#options = options;
    // The browser's own ways out: Escape, and the back gesture of a phone.
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.#open?.view.dismiss();
    });
    dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.#open?.view.dismiss();
    });
    dialog.addEventListener('close', () => {
      // Told late: by now another question may stand there.
      if (dialog.open) return;
      // Closed by the browser all the same. Within the first moments that is not an answer yet.
      if (this.#open && !this.#open.view.dismiss()) this.#dialog.showModal();
    });
    // A press that begins outside and ends there; one that drags a selection out of the dialog does not count.
    let pressedOutside = false;
    dialog.addEventListener('pointerdown', (event) => (pressedOutside = event.target === dialog));
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog && pressedOutside) this.#open?.view.dismiss();
    });
  }

  /** Shows a question in place of the one before. The same one again brings its count and its time up to date. */
  show(question: Question): void {
    if (this.#open?.question.id === question.id) {
      this.#open.view.update(question);
      return;
    }
    this.#open?.view.stop();
    this.#dialog.replaceChildren();
    if (!this.#dialog.open) this.#dialog.showModal(); // first, since only what is shown can have the focus
    const view = drawApproval(this.#dialog, question, { longOver: LONG_ARGUMENTS, onAnswer: (decision, shownWhole) => void this.#answer(question.id, decision, shownWhole) });
    this.#open = { question, view };
    this.#options.onChange(question);
  }

  update(id: string, now: Pick<Question, 'waiting' | 'remainingMs'>): void {
    if (this.#open?.question.id === id) this.#open.view.update(now);
  }

  /** The question is settled, here or elsewhere. */
  settled(settlement: Settlement): void {
    if (this.#open?.question.id !== settlement.id) return;
    const { tool } = this.#open.question;
    this.#takeAway();
    if (this.#sent !== settlement.id) this.#options.say(`${tool}: ${settledSentence(settlement)}`);
  }

  /** The page has (re)connected and this is the question that is open now. */
  synchronise(question: Question | undefined): void {
    if (this.#open && this.#open.question.id !== question?.id) {
      this.#takeAway();
      this.#options.say(PAGE.questionGone);
    }
    if (question) this.show(question);
  }

  /** The host cannot be reached. */
  lost(): void {
    this.#open?.view.failed(PAGE.lostInQuestion);
  }

  async #answer(id: string, decision: Decision, shownWhole: boolean): Promise<void> {
    this.#sent = id;
    try {
      this.#received(id, await this.#options.answer(id, decision, shownWhole));
    } catch (error) {
      this.#failed(id, error instanceof Error ? error.message : PAGE.unreachable);
    } finally {
      if (this.#sent === id) this.#sent = undefined;
    }
  }

  #received(id: string, receipt: Receipt): void {
    if (!receipt.accepted && receipt.why === 'not_offered') {
      this.#failed(id, receipt.reason);
      return;
    }
    if (!receipt.accepted) this.#options.say(receipt.why === 'unknown' ? GONE : `${TOO_LATE} ${settledSentence(receipt.settlement)}`);
    if (this.#open?.question.id === id) this.#takeAway();
  }

  #failed(id: string, why: string): void {
    if (this.#open?.question.id !== id) return;
    this.#open.view.failed(why);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #takeAway(): void {
    this.#open?.view.stop();
    this.#open = undefined;
    this.#dialog.close();
    this.#dialog.replaceChildren();
    this.#options.onChange(undefined);
  }
}
