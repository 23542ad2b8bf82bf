/**
 * The terminal as a device: shows the question in words, takes one key. `a` allows once, `r` for this run, `d` denies.
 *
 * A key that was pressed before the question stood there is no answer: keys count 350 ms after it was printed (D14).
 */
import type { Approvals, Decision, Device, Question, Settlement } from '../core/questions.ts';
import { printable } from './printable.ts';

const ARMED_AFTER_MS = 350;
const ARGUMENTS_SHOWN = 2_000;
const KEYS: { readonly [key: string]: Decision | undefined } = { a: 'allow_once', r: 'allow_run', d: 'deny' };

export interface Terminal {
  write(text: string): void;
  /** Calls back with each key; answers the function that stops it. */
  onKey(callback: (key: string) => void): () => void;
}

export class TerminalDevice implements Device {
  readonly name = 'the terminal';
  readonly kind = 'dialog';
  readonly #approvals: Approvals;
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #question: Question | undefined;
  #printedAt = 0;

  constructor(approvals: Approvals, terminal: Terminal, now: () => number = () => performance.now()) {
    this.#approvals = approvals;
    this.#terminal = terminal;
    this.#now = now;
  }

  /** Attaches it; answers the function that takes it away. */
  start(): () => void {
    const stopKeys = this.#terminal.onKey((key) => this.#pressed(key));
    const detach = this.#approvals.attach(this);
    return () => {
      detach();
      stopKeys();
    };
  }

  present(question: Question, seen: () => void): void {
    const again = this.#question?.id === question.id;
    this.#question = question;
    if (again) return; // only the count of those that wait has changed
    this.#printedAt = this.#now();
    this.#terminal.write(wordsOf(question));
    seen();
  }

  close(settlement: Settlement): void {
    if (this.#question?.id !== settlement.id) return;
    this.#question = undefined;
    this.#terminal.write(`  ${endOf(settlement)}\n`);
  }

  #pressed(key: string): void {
    const decision = KEYS[key.toLowerCase()];
    if (!decision || !this.#question || this.#now() - this.#printedAt < ARMED_AFTER_MS) return;
    const whole = this.#question.arguments.length <= ARGUMENTS_SHOWN;
    const receipt = this.#approvals.answer(this.#question.id, decision, this, whole);
    if (!receipt.accepted && receipt.why === 'not_offered') this.#terminal.write(`  ${receipt.reason}\n`);
  }
}

function wordsOf(question: Question): string {
  const { client, tool, plugin, effect, choices, waiting } = question;
  const shown = printable(question.arguments.slice(0, ARGUMENTS_SHOWN));
  const rest = question.arguments.length - ARGUMENTS_SHOWN;
  return [
    '',
    `? ${printable(client.name)} (${client.kind}) wants to ${effect === 'write' ? 'write with' : 'read with'} ${tool} of ${printable(plugin)}`,
    `  ${shown}${rest > 0 ? `\n  … and ${rest} characters more: read them on the page` : ''}`,
    `  ${question.why} ${undoWords(question)}`,
    `  a allow once${choices.includes('allow_run') ? ' · r allow for this run' : ''} · d deny · ${Math.round(question.remainingMs / 1000)} s${waiting > 0 ? ` · ${waiting} more waiting` : ''}`,
    '',
  ].join('\n');
}

function undoWords({ undo }: Question): string {
  if (!undo) return '';
  return undo.possible ? 'It can be undone.' : `It cannot be undone: ${printable(undo.reason)}`;
}

function endOf({ decision, by, device }: Settlement): string {
  switch (decision) {
    case 'deny':
      return `✗ denied${device ? ` on ${device}` : ''}`;
    case 'allow_once':
      return `✓ allowed once${device ? ` on ${device}` : ''}`;
    case 'allow_run':
      return `✓ allowed for this run${device ? ` on ${device}` : ''}`;
    case 'none':
      return by === 'timeout' ? '✗ nobody answered in time' : '· closed: the caller left, or a setting decided';
  }
}
