/**
 * The terminal as a device: shows the question in words, takes one key. `a` allows once, `r` for this run, `d` denies.
 *
 * A key that was pressed before the question stood there is no answer: keys count when 350 ms have passed since it was
 * printed without one, so that a key held down never answers (D14, B24). Long arguments come in parts, with `m`; nobody
 * allows what has not been printed to its end (B26).
 */
import { isHighSurrogate } from '../../../otel/text.ts';
import type { Approvals, Decision, Device, Question, Settlement } from '../../core/questions.ts';
import { printable } from '../printable.ts';

const ARMED_AFTER_MS = 350;
/** UTF-16 units of the arguments that are printed at once. */
const PART = 2_000;
const KEYS: ReadonlyMap<string, Decision> = new Map([['a', 'allow_once'], ['r', 'allow_run'], ['d', 'deny']]);
const MORE = 'm';

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
  /** How much of its arguments has been printed. */
  #shown = 0;
  #quietSince = 0;

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
    this.#quietSince = this.#now();
    const part = partOf(question.arguments, 0);
    this.#shown = part.length;
    this.#terminal.write(wordsOf(question, part));
    seen();
  }

  close(settlement: Settlement): void {
    if (this.#question?.id !== settlement.id) return;
    this.#question = undefined;
    this.#terminal.write(`  ${endOf(settlement)}\n`);
  }

  #pressed(key: string): void {
    const question = this.#question;
    if (!question) return;
    if (this.#now() - this.#quietSince < ARMED_AFTER_MS) {
      this.#quietSince = this.#now();
      return;
    }
    const rest = question.arguments.length - this.#shown;
    if (key.toLowerCase() === MORE && rest > 0) {
      this.#more(question);
      return;
    }
    const decision = KEYS.get(key.toLowerCase());
    if (!decision) return;
    if (decision !== 'deny' && rest > 0) {
      this.#terminal.write(`  ${rest} characters have not been shown yet: m shows more of them, the page shows all.\n`);
      return;
    }
    const receipt = this.#approvals.answer(question.id, decision, this, true);
    if (!receipt.accepted && receipt.why === 'not_offered') this.#terminal.write(`  ${receipt.reason}\n`);
  }

  #more(question: Question): void {
    const part = partOf(question.arguments, this.#shown);
    this.#shown += part.length;
    this.#terminal.write(`  ${printable(part)}${restWords(question, this.#shown)}\n`);
  }
}

/** From `start` on, not ending inside a surrogate pair. */
function partOf(text: string, start: number): string {
  const end = start + PART;
  return text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
}

function restWords({ arguments: text }: Question, shown: number): string {
  const rest = text.length - shown;
  return rest > 0 ? `\n  … and ${rest} characters more: m shows them` : '';
}

function wordsOf(question: Question, part: string): string {
  const { client, tool, plugin, effect, choices, waiting } = question;
  return [
    '',
    `? ${printable(client.name)} (${client.kind}) wants to ${effect === 'write' ? 'write with' : 'read with'} ${tool} of ${printable(plugin)}`,
    `  ${printable(part)}${restWords(question, part.length)}`,
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
