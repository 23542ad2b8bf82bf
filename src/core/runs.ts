/**
 * The runs: each groups the work of one client for one purpose, and shares a tool list, grants and undo handles among its
 * calls (F210–F228). Only its starter may use, read or end it; ending it stops what is in flight.
 */
import { oneLine } from '../../otel/text.ts';
import { HubError } from './errors.ts';
import { noteRun, noteRunEnd } from './notes.ts';
import type { CallLog, Clock, Crypto, Journal, Micros, OpenSpan, Spans } from './ports.ts';
import type { Grant } from './policy.ts';
import type { Client, RunOptions, RunSnapshot } from './types.ts';
import { isToolName } from './registry.ts';

export type RunKind = 'explicit' | 'single_call';
export type EndReason = 'ended' | 'single_call' | 'owner_unloaded' | 'session_closed' | 'idle' | 'shutdown' | 'interrupted';

/** How a call counts on its run. */
export type Tally = 'fine' | 'refusal' | 'failure';

/** What a run over MCP is, besides. */
export interface McpConversation {
  readonly sessionId?: string;
  readonly protocolVersion?: string;
}

export interface OpenRunOptions extends RunOptions {
  readonly mcp?: McpConversation;
}

export interface RunsParts {
  readonly spans: Spans;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Pick<CallLog, 'head' | 'written'>;
  readonly journal: Pick<Journal, 'begin' | 'end'>;
}

export class Run {
  readonly id: string;
  readonly owner: string;
  readonly client: Client;
  readonly kind: RunKind;
  readonly tools: ReadonlySet<string> | undefined;
  readonly budgetUsdMicros: number | undefined;
  readonly span: OpenSpan;
  /** Grants by tool: an "Allow for this run" covers that tool only (F049, F050). */
  readonly grants = new Map<string, Grant>();
  /** What the run has spent, in millionths of a dollar. Nothing spends before there are model calls. */
  spentUsdMicros = 0;
  calls = 0;
  refusals = 0;
  failures = 0;
  undos = 0;
  inFlight = 0;
  endReason: EndReason | undefined;

  constructor(parts: Pick<Run, 'id' | 'owner' | 'client' | 'kind' | 'tools' | 'budgetUsdMicros' | 'span'>) {
    this.id = parts.id;
    this.owner = parts.owner;
    this.client = parts.client;
    this.kind = parts.kind;
    this.tools = parts.tools;
    this.budgetUsdMicros = parts.budgetUsdMicros;
    this.span = parts.span;
  }
}

export class Runs {
  readonly #open = new Map<string, Run>();
  readonly #spans: Spans;
  readonly #clock: Clock;
  readonly #crypto: Crypto;
  readonly #log: Pick<CallLog, 'head' | 'written'>;
  readonly #journal: Pick<Journal, 'begin' | 'end'>;
  /** Ends whose row is being written. */
  readonly #endings = new Set<Promise<void>>();

  constructor(parts: RunsParts) {
    this.#spans = parts.spans;
    this.#clock = parts.clock;
    this.#crypto = parts.crypto;
    this.#log = parts.log;
    this.#journal = parts.journal;
  }

  start(owner: string, client: Client, kind: RunKind, options: OpenRunOptions = {}, at: Micros = this.#clock.micros()): Run {
    const { tools, budgetUsdMicros } = readOptions(options);
    const id = this.#crypto.id();
    const span = this.#spans.start('invoke_agent', client.name, at);
    noteRun(span, { id, client, kind });
    if (tools) span.set('modelhub.run.tools_allowed', tools.size);
    if (budgetUsdMicros !== undefined) span.set('modelhub.run.budget_usd_micros', budgetUsdMicros);
    if (options.mcp?.sessionId !== undefined) span.set('mcp.session.id', oneLine(options.mcp.sessionId));
    if (options.mcp?.protocolVersion !== undefined) span.set('mcp.protocol.version', oneLine(options.mcp.protocolVersion));
    const run = new Run({ id, owner, client, kind, tools, budgetUsdMicros, span });
    if (kind === 'explicit') {
      this.#open.set(id, run);
      this.#leaveWord(run, at);
    }
    return run;
  }

  /** A crash leaves the run open: the next start ends it (E04). A run that only reads goes on where nothing can be written. */
  #leaveWord({ id, client, span }: Run, at: Micros): void {
    try {
      this.#journal.begin({ kind: 'run', id: span.spanId, trace: span.traceId, at, run: id, client });
    } catch {
      // Its writes are refused, and say why.
    }
  }

  /** Resolves when the rows of all runs that have ended are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#endings);
  }

  /** The open run. Throws `invalid-request`, in the same words whether the run is another's, has ended or never was (F225). */
  use(owner: string, id: unknown): Run {
    const run = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (!run || run.owner !== owner) throw new HubError('invalid-request', 'There is no open run of yours with this id. Start one with startRun.');
    return run;
  }

  /** All open runs of an owner, or of everybody. */
  open(owner?: string): readonly Run[] {
    return [...this.#open.values()].filter((run) => owner === undefined || run.owner === owner);
  }

  enter(run: Run): void {
    run.calls++;
    run.inFlight++;
  }

  /** A call has settled. The last one of an ended run closes the run's span. */
  leave(run: Run, tally: Tally): void {
    run.inFlight--;
    if (tally === 'refusal') run.refusals++;
    if (tally === 'failure') run.failures++;
    if (run.endReason && run.inFlight === 0) this.#close(run, run.endReason);
  }

  /** Closes a run for new calls. Its calls in flight are stopped by whoever ends it; the span ends when they have settled. */
  end(run: Run, reason: EndReason, at?: Micros): void {
    if (run.endReason) return;
    run.endReason = reason;
    run.grants.clear(); // F051
    this.#open.delete(run.id);
    if (run.inFlight === 0) this.#close(run, reason, at);
  }

  #close(run: Run, reason: EndReason, at = this.#clock.micros()): void {
    const { span } = run;
    noteRunEnd(span, reason, run);
    if (run.kind === 'single_call') return span.end(at);
    const head = this.#log.head();
    if (head) span.set('modelhub.log.head', head);
    span.end(at);
    const ending = Promise.resolve(this.#log.written()).then(() => {
      this.#journal.end(span.spanId);
      this.#endings.delete(ending);
    });
    this.#endings.add(ending);
  }
}

/** A run as its owner sees it. */
export function snapshot(run: Run, undo: readonly string[]): RunSnapshot {
  return Object.freeze({
    id: run.id,
    owner: run.owner,
    ...(run.tools ? { tools: Object.freeze([...run.tools]) } : {}),
    ...(run.budgetUsdMicros === undefined ? {} : { budgetUsd: run.budgetUsdMicros / 1e6 }),
    spentUsd: run.spentUsdMicros / 1e6,
    undo: Object.freeze([...undo]),
  });
}

function readOptions(options: OpenRunOptions): { tools: ReadonlySet<string> | undefined; budgetUsdMicros: number | undefined } {
  const { tools, budgetUsd } = options;
  if (tools !== undefined && (!Array.isArray(tools) || !tools.every(isToolName))) throw new HubError('invalid-request', 'The tools of a run must be a list of full tool names.');
  // Object.is, because -0 is 0 to a comparison and no amount of money to a person.
  if (budgetUsd !== undefined && (typeof budgetUsd !== 'number' || !Number.isFinite(budgetUsd) || budgetUsd < 0 || Object.is(budgetUsd, -0))) {
    throw new HubError('invalid-request', 'The budget of a run must be a number of dollars, 0 or more.');
  }
  return { tools: tools && new Set(tools), budgetUsdMicros: budgetUsd === undefined ? undefined : Math.round(budgetUsd * 1e6) };
}
