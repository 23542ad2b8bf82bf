/**
 * The hub: the holders of what lasts longer than a call, put together, and what hosts, devices and servers do with them.
 */
import type { Row, RowBody } from '../../otel/row.ts';
import { oneLine } from '../../otel/text.ts';
import { QuestionLine } from './approvals.ts';
import type { CallRequest } from './call.ts';
import { HubError, hubGone } from './errors.ts';
import { createGate, type Gate } from './gate.ts';
import { InFlight } from './in-flight.ts';
import { interrupted } from './interrupted.ts';
import { resolve } from './policy.ts';
import type { CallLog, Clock, Crypto, Journal, NamespaceStore, SettingsStore, Spans } from './ports.ts';
import { Registry, type Plugin, type RegisterOptions } from './registry.ts';
import { Runs, snapshot, type EndReason, type OpenRunOptions } from './runs.ts';
import { Settings } from './settings.ts';
import type { CallAnswer, Client, HubTool, RunSnapshot, ToolCallFilter, ToolInfo } from './types.ts';
import { Undo, type UndoTrigger } from './undo.ts';

export interface HubParts {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly spans: Spans;
  readonly log: CallLog;
  readonly journal: Journal;
  readonly namespaces: NamespaceStore;
  readonly settings: SettingsStore;
  /** Shortens the two minutes of a question, for demonstrations and tests. */
  readonly askSeconds?: number;
}

export class Hub {
  readonly approvals: QuestionLine;
  readonly settings: Settings;
  readonly #registry: Registry;
  readonly #runs: Runs;
  readonly #undo: Undo;
  readonly #inFlight = new InFlight();
  readonly #gate: Gate;
  readonly #parts: HubParts;
  readonly #toolListeners = new Set<() => void>();
  readonly #undoing = new Set<Promise<unknown>>();
  #restored: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: HubParts) {
    const { clock, crypto, spans, log, journal } = parts;
    this.#parts = parts;
    this.settings = new Settings(parts.settings);
    this.approvals = new QuestionLine(clock, parts.askSeconds);
    this.#registry = new Registry(parts.namespaces, () => this.#toolsChanged());
    this.#runs = new Runs({ spans, clock, crypto, log, journal });
    this.#undo = new Undo({ registry: this.#registry, spans, clock, log, journal, onDone: (run) => this.#countUndo(run) });
    this.#gate = createGate({
      clock, crypto, spans, log, journal, registry: this.#registry, settings: this.settings,
      runs: this.#runs, line: this.approvals, undo: this.#undo, inFlight: this.#inFlight,
    });
    this.settings.onChange(() => this.#toolsChanged());
  }

  /**
   * Answers for what an earlier start left in flight; to be awaited before the first call. The writes of earlier starts that
   * can still be taken back are looked for meanwhile: that reads a month of the log, and no call has to wait for it.
   */
  async start(): Promise<void> {
    await interrupted(this.#parts);
    this.#restored = this.#undo.restore().catch(() => undefined); // a log that cannot be read has no undo to offer
  }

  /** Resolves when the writes of earlier starts are known. */
  restored(): Promise<void> {
    return this.#restored;
  }

  register(plugin: Plugin, tools: readonly HubTool[], options?: RegisterOptions): void {
    this.#throwIfClosed();
    this.#registry.register(plugin, tools, options);
  }

  unregister(pluginId: string): void {
    this.#registry.unregister(pluginId);
  }

  /** The plugin is gone: its tools go, the calls of them end as failed; the calls that it made and the runs that it opened are ended (F155, F157, F176). */
  pluginUnloaded(id: string): void {
    this.#inFlight.stop(new HubError('tool-failed', 'The plugin that owns this tool was switched off during the call.'), (stop) => stop.plugin === id);
    this.#inFlight.stop(new HubError('aborted', 'The plugin that asked was switched off during the call.'), (stop) => stop.owner === id);
    for (const run of this.#runs.open(id)) this.closeRun(id, run.id, 'owner_unloaded');
    this.#registry.unregister(id);
  }

  /** A plugin as people know it, by its id. */
  pluginName(id: string): string {
    return this.#registry.nameOf(id);
  }

  /** Who owns which namespace, also of plugins that are gone. */
  namespaces(): ReadonlyMap<string, string> {
    return this.#registry.namespaces();
  }

  /** Frees the namespaces of a plugin that is gone, as the user asked for (D29). Throws `invalid-request` while it has tools. */
  forgetNamespaces(pluginId: string): void {
    this.#registry.forgetNamespaces(pluginId);
  }

  /** Runs a tool. Rejects with a `HubError`; the row is written first, either way. */
  call(request: CallRequest): Promise<CallAnswer> {
    if (this.#closed) return Promise.reject(hubGone());
    return this.#gate(request);
  }

  /** Opens a run for a client. Throws `invalid-request` for a bad budget or list. */
  openRun(owner: string, client: Client, options?: OpenRunOptions): RunSnapshot {
    this.#throwIfClosed();
    return snapshot(this.#runs.start(owner, cleanClient(client), 'explicit', options), []);
  }

  /** Ends a run and stops its calls in flight with `aborted` (F227). An id that is no open run of the owner's does nothing. */
  closeRun(owner: string, id: string, reason: Exclude<EndReason, 'single_call' | 'interrupted'>): void {
    const run = this.#runs.open(owner).find((open) => open.id === id);
    if (!run) return;
    this.#runs.end(run, reason);
    this.#inFlight.stop(new HubError('aborted', 'The run of this call was ended.'), (stop) => stop.run === id);
    this.approvals.forgetRun(id);
  }

  /** The run as it stands now. Throws `invalid-request` for anyone but its owner. */
  run(owner: string, id: string): RunSnapshot {
    return snapshot(this.#runs.use(owner, id), this.#undo.ofRun(id));
  }

  /** All tools with the policy in force, in the order of their names (F213, D07). */
  tools(): readonly ToolInfo[] {
    return this.#registry.list().map((tool) => {
      const { verdict, source } = resolve({
        toolSetting: this.settings.tool(tool.plugin.id, tool.name),
        pluginSetting: this.settings.plugin(tool.plugin.id).setting,
        effect: tool.effect,
      });
      const { name, description, effect, input, replay, undo, plugin } = tool;
      return Object.freeze({
        name, description, effect, input, owner: plugin.id, policy: Object.freeze({ effective: verdict, source }),
        ...(replay ? { replay } : {}), ...(undo ? { undo } : {}),
      });
    });
  }

  /** Calls back after each change of the tools or of a setting; answers the function that stops it. */
  onToolsChanged(callback: () => void): () => void {
    this.#toolListeners.add(callback);
    return () => this.#toolListeners.delete(callback);
  }

  /** Takes back the write that a plugin means by a handle. */
  undo(owner: string, handle: string): Promise<string> {
    return this.#taking(() => this.#undo.find(owner, handle), 'code');
  }

  /** Takes back the write with this call id, the id of its row. */
  undoCall(callId: string, trigger: Exclude<UndoTrigger, 'code'>): Promise<string> {
    return this.#taking(() => this.#undo.byCall(callId), trigger);
  }

  /** Ids of the calls that can still be taken back. */
  undoable(): ReadonlySet<string> {
    return this.#undo.possible();
  }

  read(filter: ToolCallFilter): Promise<readonly Row[]> {
    return this.#parts.log.read(filter);
  }

  /** The last `n` calls and undos, newest first. */
  recent(n: number): Promise<readonly Row[]> {
    return this.#parts.log.recent(n);
  }

  onRow(callback: (row: RowBody) => void): () => void {
    return this.#parts.log.onRow(callback);
  }

  /** Refuses new calls, stops those under way, ends the runs; resolves when every row is written. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const run of this.#runs.open()) this.closeRun(run.owner, run.id, 'shutdown');
    this.#inFlight.stop(new HubError('aborted', 'Model Hub was closed during the call.'));
    await Promise.all([this.#inFlight.settled(), Promise.allSettled(this.#undoing)]);
    await this.#runs.settled();
    await this.#parts.log.written();
  }

  async #taking(find: () => Parameters<Undo['take']>[0], trigger: UndoTrigger): Promise<string> {
    this.#throwIfClosed();
    await this.#restored;
    this.#throwIfClosed();
    const taking = this.#undo.take(find(), trigger);
    this.#undoing.add(taking);
    try {
      return await taking;
    } finally {
      this.#undoing.delete(taking);
    }
  }

  #countUndo(runId: string): void {
    const run = this.#runs.open().find((open) => open.id === runId);
    if (run) run.undos++;
  }

  #toolsChanged(): void {
    this.approvals.sweep();
    for (const listener of [...this.#toolListeners]) {
      try {
        listener();
      } catch {
        // A listener of another plugin's: its mistake is not ours, nor that of the listeners after it.
      }
    }
  }

  #throwIfClosed(): void {
    if (this.#closed) throw hubGone();
  }
}

/** A client's name is a label that the client chose: one line, at most 100 characters. */
function cleanClient({ kind, name }: Client): Client {
  const line = oneLine(name);
  return Object.freeze({ kind, name: line === '' ? '(no name)' : [...line].slice(0, 100).join('') });
}
