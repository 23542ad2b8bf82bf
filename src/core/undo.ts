/**
 * The writes that can still be taken back, and taking one back: once, by compare-and-set, across restarts; refused with the
 * reason if the target changed since; always logged (F073–F085, D28).
 */
import type { UndoOutcome } from '../../otel/row.ts';
import { denied, HubError } from './errors.ts';
import { failureOf, HANDLER_LIMIT_MS } from './handler.ts';
import { noteSubject } from './notes.ts';
import type { CallLog, Clock, Journal, OpenSpan, SpanRef, Spans, UndoIntent } from './ports.ts';
import type { Registry } from './registry.ts';
import type { Client } from './types.ts';

/** How far back a start looks for writes that can still be taken back. */
const LOOK_BACK_MS = 31 * 24 * 3600_000;
/** Writes that are past taking back and still known by name. */
const REMEMBERED = 1_000;

export type UndoTrigger = 'notice' | 'code' | 'view' | 'run';

/** A write that can be taken back. */
export interface Undoable {
  /** The call, as span and as row. */
  readonly call: SpanRef;
  readonly runSpan: SpanRef;
  readonly run: string;
  readonly client: Client;
  readonly plugin: string;
  readonly tool: string;
  readonly handle: string;
}

export interface UndoParts {
  readonly registry: Registry;
  readonly spans: Spans;
  readonly clock: Clock;
  readonly log: CallLog;
  readonly journal: Journal;
  /** Told when a write of an open run was taken back. */
  readonly onDone: (run: string) => void;
}

export class Undo {
  readonly #parts: UndoParts;
  readonly #entries = new Map<string, Undoable>();
  /** Taken back, or past taking back: a second try is answered, and logged, as what it is. */
  readonly #used = new Map<string, Undoable>();
  readonly #busy = new Set<string>();

  constructor(parts: UndoParts) {
    this.#parts = parts;
  }

  /** Finds the writes of earlier starts that nobody has taken back yet. */
  async restore(): Promise<void> {
    const since = new Date(this.#parts.clock.micros() / 1000 - LOOK_BACK_MS).toISOString();
    const rows = await this.#parts.log.read({ since, has: 'undo' });
    const used = new Set(rows.flatMap((row) => (row.kind === 'undo' && isFinal(row.outcome) ? [row.of] : [])));
    for (const row of rows) {
      if (row.kind !== 'call' || row.undo === undefined || row.plugin === undefined || used.has(row.id)) continue;
      this.add({
        call: { traceId: row.trace, spanId: row.id },
        runSpan: { traceId: row.trace, spanId: row.spans.run },
        run: row.run,
        client: row.client,
        plugin: row.plugin,
        tool: row.tool,
        handle: row.undo,
      });
    }
  }

  add(entry: Undoable): void {
    this.#entries.set(entry.call.spanId, entry);
  }

  /** Handles of a run's writes, oldest first. */
  ofRun(run: string): readonly string[] {
    return [...this.#entries.values()].filter((entry) => entry.run === run).map((entry) => entry.handle);
  }

  /** Ids of the calls that can still be taken back: their plugin is there and has an undo function. */
  possible(): ReadonlySet<string> {
    const ids = [...this.#entries.values()].filter((entry) => this.#parts.registry.undoOf(entry.plugin)).map((entry) => entry.call.spanId);
    return new Set(ids);
  }

  /** The write that a plugin means by a handle: one that it called, or one of its own tools'. The newest, where a plugin gave one handle twice. */
  find(owner: string, handle: string): Undoable {
    const fitting = [...this.#used.values(), ...this.#entries.values()].filter((entry) => entry.handle === handle);
    const called = fitting.filter((entry) => entry.client.kind === 'plugin' && entry.client.name === owner);
    const candidates = called.length > 0 ? called : fitting.filter((entry) => entry.plugin === owner);
    if (new Set(candidates.map((entry) => entry.plugin)).size > 1) {
      throw new HubError('invalid-request', 'Two plugins gave this handle. Take the write back from the usage view.');
    }
    const entry = candidates.at(-1); // those that can still be taken back stand last
    if (!entry) throw gone();
    return entry;
  }

  byCall(callId: string): Undoable {
    const entry = this.#entries.get(callId) ?? this.#used.get(callId);
    if (!entry) throw gone();
    return entry;
  }

  /** Takes the write back and answers the plugin's sentence; the row is written before it settles. Rejects with a `HubError`. */
  async take(entry: Undoable, trigger: UndoTrigger): Promise<string> {
    const { spans, clock, log } = this.#parts;
    const span = spans.start('undo', entry.tool, clock.micros(), entry.runSpan);
    span.link(entry.call, 'undoes');
    noteSubject(span, entry.tool, entry.run, entry.client);
    span.set('modelhub.tool.owner', entry.plugin);
    span.set('modelhub.undo.call_id', entry.call.spanId);
    span.set('modelhub.undo.trigger', trigger);
    try {
      const sentence = await this.#attempt(entry, trigger, span);
      note(span, 'done');
      this.#parts.onDone(entry.run);
      return sentence;
    } catch (error) {
      const fault = error as UndoFault;
      note(span, fault.outcome, fault.error);
      throw fault.error;
    } finally {
      span.end(clock.micros());
      await log.written();
      this.#parts.journal.end(span.spanId);
    }
  }

  /** Throws an {@link UndoFault}. */
  async #attempt(entry: Undoable, trigger: UndoTrigger, span: OpenSpan): Promise<string> {
    const id = entry.call.spanId;
    const undo = this.#parts.registry.undoOf(entry.plugin);
    // Compare and set: from here to the claim nothing is awaited, so a second click finds it taken.
    if (this.#busy.has(id) || !this.#entries.has(id)) throw new UndoFault('already_done', gone());
    if (!undo) throw new UndoFault('owner_gone', new HubError('tool-failed', 'The plugin that could take this back is switched off. Switch it on, then try again.'));
    this.#busy.add(id);
    try {
      await this.#claim(entry, trigger, span);
      const sentence = await this.#call(undo, entry);
      this.#use(entry);
      return sentence;
    } catch (error) {
      const fault = error instanceof UndoFault ? error : new UndoFault('failed', failureOf(error));
      if (isFinal(fault.outcome) || fault.outcome === 'already_done') this.#use(entry);
      throw fault;
    } finally {
      this.#busy.delete(id);
    }
  }

  #use(entry: Undoable): void {
    this.#entries.delete(entry.call.spanId);
    this.#used.set(entry.call.spanId, entry);
    if (this.#used.size > REMEMBERED) this.#used.delete(this.#used.keys().next().value!);
  }

  /** An undo is a write: without a log it does not run, and another process may have been first. */
  async #claim(entry: Undoable, trigger: UndoTrigger, span: OpenSpan): Promise<void> {
    const { log, journal, clock } = this.#parts;
    const blocked = (): UndoFault => new UndoFault('refused', denied('log', 'The log cannot be written, so nothing is changed. See the notice of Model Hub.'));
    if (!(await log.writable())) throw blocked();
    const intent: UndoIntent = {
      kind: 'undo', id: span.spanId, trace: span.traceId, runSpan: entry.runSpan.spanId, at: clock.micros(),
      run: entry.run, client: entry.client, plugin: entry.plugin, tool: entry.tool, of: entry.call.spanId, trigger,
    };
    let first: boolean;
    try {
      first = await journal.claimUndo(intent);
    } catch {
      throw blocked();
    }
    if (!first) throw new UndoFault('already_done', gone());
    const rows = await log.read({ run: entry.run }).catch(() => undefined);
    if (!rows) throw new UndoFault('refused', denied('log', 'The log cannot be read, so nobody can say whether this was taken back before, and nothing is changed. Let Model Hub read its folder, then try again.'));
    if (rows.some((row) => row.kind === 'undo' && row.of === entry.call.spanId && isFinal(row.outcome))) throw new UndoFault('already_done', gone());
  }

  async #call(undo: (handle: string) => Promise<string>, entry: Undoable): Promise<string> {
    let cancel = (): void => undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        cancel = this.#parts.clock.after(HANDLER_LIMIT_MS, () => reject(new HubError('tool-timeout', `Taking it back did not finish within ${HANDLER_LIMIT_MS / 1000} seconds. Look at the note before you go on.`)));
      });
      const sentence: unknown = await Promise.race([Promise.resolve(entry.handle).then(undo), late]);
      return typeof sentence === 'string' && sentence.trim() !== '' ? sentence : 'It was taken back.';
    } catch (error) {
      if (error instanceof HubError && error.code === 'tool-timeout') throw new UndoFault('failed', error);
      const failure = failureOf(error);
      if (isConflict(error)) throw new UndoFault('conflict', new HubError('tool-failed', failure.message, { details: { reason: 'undo-conflict' } }));
      throw new UndoFault('failed', failure);
    } finally {
      cancel();
    }
  }
}

/** How an undo went wrong, with what its caller is told. */
class UndoFault extends Error {
  readonly outcome: Exclude<UndoOutcome, 'done'>;
  readonly error: HubError;

  constructor(outcome: Exclude<UndoOutcome, 'done'>, error: HubError) {
    super(error.message);
    this.outcome = outcome;
    this.error = error;
  }
}

/** The handle is used up: a conflict, a refusal or a plugin that is away leave it as it is. */
function isFinal(outcome: UndoOutcome): boolean {
  switch (outcome) {
    case 'done':
    case 'failed':
    case 'interrupted':
      return true;
    case 'already_done':
    case 'conflict':
    case 'owner_gone':
    case 'refused':
      return false;
  }
}

function note(span: OpenSpan, outcome: UndoOutcome, error?: HubError): void {
  span.set('modelhub.undo.outcome', outcome);
  if (!error) return;
  if (outcome === 'failed') span.fail(error.code === 'tool-timeout' ? 'tool-timeout' : 'tool-failed');
  if (error.code !== 'tool-name-taken') span.set('modelhub.call.code', error.code);
  if (error.code === 'tool-denied') span.set('modelhub.refusal.reason', 'log');
  span.set('modelhub.local.message', error.logged);
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'undo-conflict';
}

function gone(): HubError {
  return new HubError('invalid-request', 'There is nothing to take back: it was taken back before, was made elsewhere since Model Hub started, or is not yours.', { details: { reason: 'already-done' } });
}
