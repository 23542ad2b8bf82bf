/**
 * The words of an approval: what a device is shown, what it may answer, and what it is told afterwards.
 */
import type { Client, Effect, NoteEdit } from './types.ts';

/** The answers (D13). `always_allow` comes with the lasting grants. */
export type Decision = 'deny' | 'allow_once' | 'allow_run';

/** What settled a question. */
export type SettledBy = 'dialog' | 'remote' | 'policy_change' | 'timeout' | 'run_end' | 'caller_gone' | 'grant' | 'no_surface';

/** What stands above the raw arguments. */
export type Preview =
  | { readonly kind: 'arguments' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'edits'; readonly summary?: string; readonly edits: readonly NoteEdit[] };

/** Arguments of more UTF-16 units than this must have been shown to the end before a grant is taken (D08). */
export const LONG_ARGUMENTS = 20_000;

/** One question, as every device shows it. All text is text: nothing in it is markup. */
export interface Question {
  /** Random, single-use. */
  readonly id: string;
  readonly run: string;
  readonly client: Client;
  readonly plugin: string;
  readonly tool: string;
  readonly description: string;
  readonly effect: Effect;
  /** The canonical arguments, whole: what is shown is what runs (D11). */
  readonly arguments: string;
  /** Their hash as the log writes it. */
  readonly hash: string;
  readonly preview: Preview;
  /** True if the write can be taken back; otherwise why not, in words. Absent on a read. */
  readonly undo?: { readonly possible: true } | { readonly possible: false; readonly reason: string };
  /** Why it asks, in a sentence. */
  readonly why: string;
  readonly choices: readonly Decision[];
  /** Why `allow_run` is not among the choices. */
  readonly withheld?: string;
  /** What the run spent up to now, in millionths of a dollar (F045). */
  readonly spentUsdMicros: number;
  readonly timeoutSeconds: number;
  /** Milliseconds left when this was handed out; devices count down from it. */
  readonly remainingMs: number;
  /** How many stand behind it. */
  readonly waiting: number;
}

/** How a question ended, as every device is told. */
export interface Settlement {
  readonly id: string;
  readonly decision: Decision | 'none';
  readonly by: SettledBy;
  /** The name of the device that answered. */
  readonly device?: string;
}

/** What a device is told about an answer that it gave (D12). */
export type Receipt =
  | { readonly accepted: true; readonly settlement: Settlement }
  | { readonly accepted: false; readonly why: 'already_answered'; readonly settlement: Settlement }
  | { readonly accepted: false; readonly why: 'unknown' }
  /** The answer is not among the choices, or the arguments were not shown whole. The question stays open. */
  | { readonly accepted: false; readonly why: 'not_offered'; readonly reason: string };

/** A place where a person can answer: the page, the terminal, a dialog. */
export interface Device {
  /** How others are told who answered: "the page", "the terminal". */
  readonly name: string;
  readonly kind: 'dialog' | 'remote';
  /** Shows a question, or the same one with a new count of those that wait. Calls `seen` once a person could read it. Must not throw. */
  present(question: Question, seen: () => void): void;
  /** The question is settled: take it away. Called exactly once for each question presented. */
  close(settlement: Settlement): void;
}

/** The line of questions as a device uses it. */
export interface Approvals {
  /** Adds a device; a question that is open is presented to it at once. Answers the function that takes the device away. */
  attach(device: Device): () => void;
  /** Answers a question. `shownWhole`: the arguments were on screen to the last character. */
  answer(id: string, decision: Decision, device: Device, shownWhole?: boolean): Receipt;
}
