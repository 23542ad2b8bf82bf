/**
 * The questions waiting for a person. One is asked at a time, on all devices at once; the first answer wins and the others
 * are told; silence is a no (F052–F055, F262–F264, D10, D12).
 */
import type { Clock } from './ports.ts';
import type { Approvals, Decision, Device, Preview, Question, Receipt, Settlement, SettledBy } from './questions.ts';
import { LONG_ARGUMENTS } from './questions.ts';

/** Seconds for an ask from a setting or the built-in rule, from when it is first shown (D10). */
export const ASK_SECONDS = 120;
/** A question that could not be shown for so long, because of those before it, is refused unseen. */
const QUEUE_LIMIT_MS = 15 * 60_000;
/** Answers to questions so many back are still told who answered (D12). */
const REMEMBERED = 200;

/** The parts of a question that do not change while it waits. */
export type QuestionFacts = Omit<Question, 'preview' | 'remainingMs' | 'waiting'>;

export interface AskOptions<Outcome> {
  readonly facts: QuestionFacts;
  /** What stands above the arguments. The question is shown when it is there; it must settle by itself. */
  readonly preview: Promise<Preview>;
  /** The question has been shown for the first time. */
  readonly onPresented: (preview: Preview) => void;
  /**
   * Turns the settlement into what the asker gets. Called at once, before the next question is shown, so that a grant
   * given here is known when the rest of the line is looked at again. What it throws, the asker gets.
   */
  readonly conclude: (settlement: Settlement) => Outcome;
  /** Looks at a waiting question again: what now settles it, if anything does. */
  readonly recheck: () => 'grant' | 'policy_change' | undefined;
}

/** A place in the line. */
export interface Place<Outcome> {
  /** Questions that stood before this one. */
  readonly position: number;
  readonly outcome: Promise<Outcome>;
  /** Ends the question without an answer. Nothing happens if it is settled. */
  readonly withdraw: (by: SettledBy) => void;
}

interface Waiting {
  readonly facts: QuestionFacts;
  readonly settle: (settlement: Settlement) => void;
  readonly recheck: AskOptions<unknown>['recheck'];
  readonly onPresented: (preview: Preview) => void;
  preview: Preview | undefined;
  /** Devices that it was presented to, and whether each said that a person could read it. */
  readonly presentedTo: Map<Device, boolean>;
  /** On the monotonic clock; undefined until presented. */
  deadline: number | undefined;
  cancelTimer: () => void;
}

export class QuestionLine implements Approvals {
  /** Seconds that each question may stay open. */
  readonly askSeconds: number;
  readonly #clock: Clock;
  readonly #devices = new Set<Device>();
  readonly #line: Waiting[] = [];
  readonly #settled = new Map<string, Settlement>();
  /** Devices that showed a question of a run and never said so: nobody is behind them (B23). By run; a sign of life clears it. */
  readonly #silent = new Map<string, Set<Device>>();

  /** `askSeconds` shortens the time to answer, for demonstrations and tests. */
  constructor(clock: Clock, askSeconds: number = ASK_SECONDS) {
    this.#clock = clock;
    this.askSeconds = askSeconds;
  }

  attach(device: Device): () => void {
    this.#devices.add(device);
    const head = this.#line[0];
    if (head?.deadline !== undefined) this.#presentTo(device, head);
    return () => {
      this.#devices.delete(device);
      for (const waiting of this.#line) waiting.presentedTo.delete(device);
      for (const [run, silent] of this.#silent) if (silent.delete(device) && silent.size === 0) this.#silent.delete(run);
    };
  }

  /** True if a person could be asked now: some device is there that did not stay silent in this run. */
  canAsk(run: string): boolean {
    const silent = this.#silent.get(run);
    for (const device of this.#devices) if (!silent?.has(device)) return true;
    return false;
  }

  /** Puts a question in line. */
  ask<Outcome>(options: AskOptions<Outcome>): Place<Outcome> {
    const position = this.#line.length;
    let waiting: Waiting;
    const outcome = new Promise<Outcome>((resolve, reject) => {
      waiting = {
        facts: options.facts,
        settle: (settlement) => {
          try {
            resolve(options.conclude(settlement));
          } catch (error) {
            reject(error);
          }
        },
        recheck: options.recheck,
        onPresented: options.onPresented,
        preview: undefined,
        presentedTo: new Map(),
        deadline: undefined,
        cancelTimer: () => undefined,
      };
    });
    this.#line.push(waiting!);
    waiting!.cancelTimer = this.#clock.after(QUEUE_LIMIT_MS, () => this.#settle(waiting, { decision: 'none', by: 'timeout' }));
    void options.preview.then((preview) => {
      waiting.preview = preview;
      this.#presentHead();
    });
    if (position > 0) this.#refreshHead();
    return { position, outcome, withdraw: (by) => this.#settle(waiting, { decision: 'none', by }) };
  }

  answer(id: string, decision: Decision, device: Device, shownWhole = false): Receipt {
    const waiting = this.#line[0]?.facts.id === id ? this.#line[0] : undefined;
    if (!waiting || waiting.deadline === undefined || !this.#devices.has(device)) {
      const settlement = this.#settled.get(id);
      return settlement ? { accepted: false, why: 'already_answered', settlement } : { accepted: false, why: 'unknown' };
    }
    this.#seen(waiting, device);
    // A timer may be late, in a window that is hidden or on a machine that slept: the clock decides.
    if (this.#clock.monotonic() >= waiting.deadline) {
      this.#settle(waiting, { decision: 'none', by: 'timeout' });
      return { accepted: false, why: 'already_answered', settlement: this.#settled.get(id)! };
    }
    const { choices, withheld, arguments: text } = waiting.facts;
    if (!choices.includes(decision)) return { accepted: false, why: 'not_offered', reason: withheld ?? 'This answer is not among those offered.' };
    if (decision === 'allow_run' && text.length > LONG_ARGUMENTS && !shownWhole) {
      return { accepted: false, why: 'not_offered', reason: 'Read the arguments to their end before you allow the tool for the whole run.' };
    }
    const settlement = this.#settle(waiting, { decision, by: device.kind, device: device.name });
    return { accepted: true, settlement };
  }

  /** Looks at every question again, in the order of arrival: after a grant, and after a change of the settings (D15). */
  sweep(): void {
    for (const waiting of [...this.#line]) {
      const by = waiting.recheck();
      if (by) this.#settle(waiting, { decision: 'none', by }, false);
    }
    this.#presentHead();
  }

  /** Forgets what a run's devices did. */
  forgetRun(run: string): void {
    this.#silent.delete(run);
  }

  /** In how many runs a device stayed silent. */
  get silentRuns(): number {
    return this.#silent.size;
  }

  /** How many questions are open. */
  get length(): number {
    return this.#line.length;
  }

  #settle(waiting: Waiting, how: Omit<Settlement, 'id'>, presentNext = true): Settlement {
    const at = this.#line.indexOf(waiting);
    const settlement: Settlement = Object.freeze({ id: waiting.facts.id, ...how });
    if (at < 0) return this.#settled.get(waiting.facts.id) ?? settlement;
    this.#line.splice(at, 1);
    waiting.cancelTimer();
    this.#remember(settlement);
    if (how.by === 'timeout') this.#markSilent(waiting);
    waiting.settle(settlement);
    for (const device of waiting.presentedTo.keys()) tell(() => device.close(settlement));
    if (how.decision === 'allow_run') this.sweep();
    else if (presentNext) this.#presentHead();
    if (at > 0) this.#refreshHead();
    return settlement;
  }

  #presentHead(): void {
    const head = this.#line[0];
    if (!head || head.deadline !== undefined || head.preview === undefined) return;
    head.cancelTimer();
    const timeoutMs = head.facts.timeoutSeconds * 1000;
    head.deadline = this.#clock.monotonic() + timeoutMs;
    this.#arm(head, timeoutMs);
    head.onPresented(head.preview);
    for (const device of [...this.#devices]) {
      if (this.#line[0] !== head) return; // answered while it was being shown
      this.#presentTo(device, head);
    }
  }

  #arm(head: Waiting, ms: number): void {
    head.cancelTimer = this.#clock.after(ms, () => {
      const left = head.deadline! - this.#clock.monotonic();
      if (left > 0) this.#arm(head, left);
      else this.#settle(head, { decision: 'none', by: 'timeout' });
    });
  }

  /** The count of those that wait has changed. */
  #refreshHead(): void {
    const head = this.#line[0];
    if (head?.deadline === undefined) return;
    for (const device of head.presentedTo.keys()) this.#presentTo(device, head);
  }

  #presentTo(device: Device, waiting: Waiting): void {
    if (!waiting.presentedTo.has(device)) waiting.presentedTo.set(device, false);
    const question: Question = {
      ...waiting.facts,
      preview: waiting.preview!,
      remainingMs: Math.max(0, waiting.deadline! - this.#clock.monotonic()),
      waiting: this.#line.length - 1,
    };
    tell(() => device.present(question, () => this.#seen(waiting, device)));
  }

  #seen(waiting: Waiting, device: Device): void {
    if (waiting.presentedTo.has(device)) waiting.presentedTo.set(device, true);
    const silent = this.#silent.get(waiting.facts.run);
    if (silent?.delete(device) && silent.size === 0) this.#silent.delete(waiting.facts.run);
  }

  #markSilent(waiting: Waiting): void {
    for (const [device, seen] of waiting.presentedTo) {
      if (seen) continue;
      const silent = this.#silent.get(waiting.facts.run) ?? new Set();
      this.#silent.set(waiting.facts.run, silent.add(device));
    }
  }

  #remember(settlement: Settlement): void {
    this.#settled.set(settlement.id, settlement);
    if (this.#settled.size > REMEMBERED) this.#settled.delete(this.#settled.keys().next().value!);
  }
}

/** A device that throws is as good as one that stays silent: it must not keep the others, or the rest of the line, from hearing. */
function tell(word: () => void): void {
  try {
    word();
  } catch {
    // As above.
  }
}
