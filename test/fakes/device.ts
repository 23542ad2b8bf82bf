/**
 * A device that keeps what it was shown and told, and answers when the test says so.
 */
import type { Approvals, Decision, Device, Question, Receipt, Settlement } from '../../src/core/questions.ts';

export class FakeDevice implements Device {
  readonly name: string;
  readonly kind: Device['kind'];
  /** Each question once, in the order in which it was first shown. */
  readonly shown: Question[] = [];
  readonly closed: Settlement[] = [];
  /** The question on screen, as it was presented last. */
  current: Question | undefined;
  /** What to answer as soon as a question is there. */
  auto: Decision | undefined;
  readonly #approvals: Approvals;
  readonly #silent: boolean;
  readonly detach: () => void;

  constructor(approvals: Approvals, options: { readonly name?: string; readonly kind?: Device['kind']; readonly silent?: boolean; readonly auto?: Decision } = {}) {
    this.#approvals = approvals;
    this.name = options.name ?? 'the page';
    this.kind = options.kind ?? 'dialog';
    this.#silent = options.silent ?? false;
    this.auto = options.auto;
    this.detach = approvals.attach(this);
  }

  present(question: Question, seen: () => void): void {
    if (!this.shown.some(({ id }) => id === question.id)) this.shown.push(question);
    this.current = question;
    if (!this.#silent) seen();
    if (this.auto) this.answer(this.auto);
  }

  close(settlement: Settlement): void {
    this.closed.push(settlement);
    if (this.current?.id === settlement.id) this.current = undefined;
  }

  /** Answers the question on screen, or the one named. */
  answer(decision: Decision, id = this.current?.id ?? 'none', shownWhole = false): Receipt {
    return this.#approvals.answer(id, decision, this, shownWhole);
  }
}
