/**
 * Obsidian as the place where a person answers: a modal for the question that is open, a system notification when nobody
 * looks at the app, and the same answers for the command palette and the command line (F040–F059, E11).
 */
import type { App } from 'obsidian';
import type { Approvals, Decision, Device, Question, Settlement } from '../core/questions.ts';
import { GONE, settledSentence, TOO_LATE } from '../../views/words.ts';
import { ApprovalModal } from './approval-modal.ts';
import { QUESTIONS } from './words.ts';

export interface ApprovalDeviceOptions {
  readonly app: App;
  readonly approvals: Approvals;
  readonly pluginName: (id: string) => string;
  /** Something that the person should know, once. */
  readonly say: (sentence: string) => void;
  /** The question that is open, and how many stand behind it, have changed. */
  readonly onChange: () => void;
}

interface Open {
  question: Question;
  readonly modal: ApprovalModal;
  seen: () => void;
}

export class ApprovalDevice implements Device {
  readonly name = 'Obsidian';
  readonly kind = 'dialog';
  readonly #options: ApprovalDeviceOptions;
  #open: Open | undefined;
  #detach: () => void;
  #notification: Notification | undefined;
  /** The question that is being answered here: its end is no news. */
  #answering: string | undefined;

  constructor(options: ApprovalDeviceOptions) {
    this.#options = options;
    this.#detach = options.approvals.attach(this);
  }

  /** The question that is open now. */
  get question(): Question | undefined {
    return this.#open?.question;
  }

  present(question: Question, seen: () => void): void {
    if (this.#open?.question.id === question.id) {
      this.#open.question = question;
      this.#open.seen = seen;
      this.#open.modal.refresh(question);
    } else {
      const { app, pluginName } = this.#options;
      const modal = new ApprovalModal(app, { ...question, plugin: pluginName(question.plugin) }, {
        onAnswer: (decision, shownWhole) => void this.answer(question.id, decision, shownWhole),
        onOpened: () => this.look(),
      });
      this.#open = { question, modal, seen };
      modal.open();
      this.#notify(question);
    }
    this.#options.onChange();
  }

  close(settlement: Settlement): void {
    if (this.#open?.question.id !== settlement.id) return;
    const { modal, question } = this.#open;
    this.#open = undefined;
    this.#notification?.close();
    this.#notification = undefined;
    modal.settle();
    if (this.#answering !== settlement.id) this.#options.say(`${question.tool}: ${settledSentence(settlement)}`);
    this.#options.onChange();
  }

  /** Answers, and says what became of it in a sentence. */
  answer(id: string, decision: Decision, shownWhole = false): string {
    this.#answering = id;
    const receipt = this.#options.approvals.answer(id, decision, this, shownWhole);
    this.#answering = undefined;
    if (receipt.accepted) return settledSentence(receipt.settlement);
    switch (receipt.why) {
      case 'not_offered':
        this.#open?.modal.notTaken(receipt.reason);
        return receipt.reason;
      case 'unknown':
        return this.#tooLate(GONE);
      case 'already_answered':
        return this.#tooLate(`${TOO_LATE} ${settledSentence(receipt.settlement)}`);
    }
  }

  /** Answers the question that is open. */
  answerOpen(decision: Decision): void {
    const open = this.#open;
    if (open) this.answer(open.question.id, decision);
  }

  /** Brings the question before the person's eyes. */
  show(): void {
    const { modal } = this.#open ?? {};
    modal?.shownIn.defaultView?.focus();
    modal?.focus();
  }

  /** Says that a person can read the question, if one can. */
  look(): void {
    if (this.#open?.modal.shownIn.visibilityState === 'visible') this.#open.seen();
  }

  /** Somebody has come back to the app: a sign of life, for a device that was taken for empty. */
  returned(): void {
    if (this.#open) this.look();
    else {
      this.#detach();
      this.#detach = this.#options.approvals.attach(this);
    }
  }

  /** The plugin unloads. */
  stop(): void {
    this.#detach();
    this.#notification?.close();
    this.#open?.modal.settle();
    this.#open = undefined;
  }

  #tooLate(sentence: string): string {
    this.#options.say(sentence);
    return sentence;
  }

  /** Names the tool and who asks; nothing of the arguments, which others may read over the shoulder (D17). */
  #notify({ tool, client }: Question): void {
    const doc = this.#open!.modal.shownIn;
    const view = doc.defaultView;
    if (!view || doc.hasFocus()) return;
    const notification = new view.Notification(QUESTIONS.notification(tool), { body: QUESTIONS.notificationBody(client), tag: 'model-hub-question' });
    notification.addEventListener('click', () => view.focus());
    this.#notification = notification;
  }
}
