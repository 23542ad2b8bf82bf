/**
 * The gate: one call from the caller's words to its answer. START HERE.
 *
 * The doors stand in `callTool` in their order. Each takes a phase of the call and returns the next, or throws a
 * `HubError`; what is learnt at a door is noted on the call's span there; one `finally` ends the span, the log's processor
 * turns the ended span into the row, and only then is the caller answered (D24).
 */
import type { QuestionLine } from './approvals.ts';
import { toChecked, toFound, toJudged, type Asked, type CallRequest, type Checked, type Found, type Judged, type Ran } from './call.ts';
import { clear, type Cleared, type ClearParts } from './clear.ts';
import { denied, HubError } from './errors.ts';
import { execute, type HandlerParts } from './handler.ts';
import type { InFlight } from './in-flight.ts';
import { admit } from './input.ts';
import { noteFault, noteJudgement, noteSubject } from './notes.ts';
import { evaluate, judgement, type Judgement } from './policy.ts';
import type { CallLog, Clock, Crypto, Journal, Micros, Spans } from './ports.ts';
import { printableName, type Registry } from './registry.ts';
import { handleOf, shape } from './result.ts';
import type { Run, Runs, Tally } from './runs.ts';
import type { Settings } from './settings.ts';
import { Stop } from './stop.ts';
import type { CallAnswer } from './types.ts';
import type { Undo } from './undo.ts';

/** What the doors need, all of it handed in. */
export interface GateParts {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly spans: Spans;
  readonly log: CallLog;
  readonly journal: Journal;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly runs: Runs;
  readonly line: QuestionLine;
  readonly undo: Undo;
  readonly inFlight: InFlight;
}

const NO_OTHERS: readonly Judgement[] = [];
const LOG_DOWN = judgement('deny', 'log', 'The log cannot be written, and no write runs without its row. See the notice of Model Hub.');
/** As long as a hook may take (D05). */
const GUARD_LIMIT_MS = 5_000;
const NOT_JUDGED = 'The guard of this tool could not judge the call.';
const CHANGED = judgement('deny', 'builtin', 'The tool was registered anew while the question was open. Call it again.');

/** Runs a tool under the user's settings. Rejects with a `HubError`; either way the row is written first. */
export type Gate = (request: CallRequest) => Promise<CallAnswer>;

export function createGate(parts: GateParts): Gate {
  const clearing: ClearParts = { ...parts, judgeNow: (call) => judgeNow(call, call.others, parts), mayGrantRun: (call) => mayGrantRun(call, parts) };
  const handling: HandlerParts = { ...parts, onLate: (call, value) => void keepHandle(call, value, parts) };
  return (request) => callTool(request, parts, clearing, handling);
}

async function callTool(request: CallRequest, gate: GateParts, clearing: ClearParts, handling: HandlerParts): Promise<CallAnswer> {
  const { asked, fault } = ask(request, gate);
  let tally: Tally = 'fine';
  try {
    if (fault) throw fault;
    asked.stop.throwIfStopped();
    const found = find(asked, gate);
    const checked = check(found, gate);
    const judged = needsWeighing(checked) ? await weigh(checked, gate) : judge(checked, NO_OTHERS, gate);
    const cleared = await clear(judged, clearing);
    if (cleared.tool.effect === 'write') begin(cleared, gate);
    const ran = await execute(cleared, handling);
    return settle(ran, gate);
  } catch (error) {
    const known = error instanceof HubError ? error : new HubError('tool-failed', 'Model Hub itself failed at this call. Please report it.');
    tally = noteFault(asked.span, known);
    throw known;
  } finally {
    asked.stop.release();
    const end = gate.clock.micros();
    asked.span.end(end);
    gate.runs.leave(asked.run, tally);
    if (asked.run.kind === 'single_call') {
      gate.runs.end(asked.run, 'single_call', end);
      gate.line.forgetRun(asked.run.id);
    }
    const written = gate.log.written();
    if (written) await written;
    gate.journal.end(asked.span.spanId);
    gate.inFlight.delete(asked.stop);
  }
}

/** Door 0. The run is found or made, the span opened. A run that the caller may not use is a fault of the call, and has its row like any other. */
function ask(request: CallRequest, gate: GateParts): { readonly asked: Asked; readonly fault?: HubError } {
  const at = gate.clock.micros();
  const { run, fault } = runFor(request, gate.runs, at);
  const name = printableName(request.tool);
  const span = gate.spans.start('tool_call', name, at, run.span);
  if (run.kind === 'single_call') span.set('modelhub.run.kind', 'single_call');
  const stop = new Stop(run, request.signal);
  const asked: Asked = { request, run, span, stop };
  gate.runs.enter(run);
  gate.inFlight.add(stop);
  noteSubject(span, name, run.id, run.client);
  span.set('gen_ai.tool.call.id', span.spanId);
  if (request.wire) {
    span.set('mcp.method.name', 'tools/call');
    span.set('jsonrpc.request.id', request.wire.requestId);
    span.set('network.transport', request.wire.transport);
    if (request.wire.caller) span.link(request.wire.caller, 'mcp_caller');
  }
  return fault ? { asked, fault } : { asked };
}

/** A run of one call begins and ends with its call, to the microsecond: its row is the call's, and has the times of one. */
function runFor(request: CallRequest, runs: Runs, at: Micros): { readonly run: Run; readonly fault?: HubError } {
  const single = (): Run => runs.start(request.owner, request.client, 'single_call', {}, at);
  if (request.run === undefined) return { run: single() };
  try {
    return { run: runs.use(request.owner, request.run) };
  } catch (error) {
    return { run: single(), fault: error as HubError };
  }
}

/** Door 1. */
function find(call: Asked, { registry }: GateParts): Found {
  const tool = registry.find(call.request.tool);
  if (!tool) throw new HubError('tool-unknown', 'Nobody registered a tool of this name. List the tools to see those there are.');
  call.stop.plugin = tool.plugin.id;
  call.span.set('modelhub.tool.owner', tool.plugin.id);
  call.span.set('modelhub.tool.effect', tool.effect);
  if (tool.replay) call.span.set('modelhub.tool.replay', tool.replay);
  return toFound(call, tool);
}

/** Door 2. Copied once, checked, hashed: from here on nothing of the caller's object is looked at. */
function check(call: Found, { crypto }: GateParts): Checked {
  const admitted = admit(call.request.input);
  const hash = crypto.hashArguments(admitted.canonical);
  call.span.set('modelhub.arguments.hash', hash);
  call.span.set('modelhub.arguments.size', admitted.canonical.length);
  call.tool.check.check(admitted.input);
  return toChecked(call, admitted, hash);
}

/** Door 3, for a call that only settings, list and grants decide: most of them, and nothing has to be waited for. */
function judge(call: Checked, others: readonly Judgement[], gate: GateParts): Judged {
  const now = judgeNow(call, others, gate);
  noteJudgement(call.span, now);
  return toJudged(call, now, others);
}

/** True if others have a say: the log in every write, the guard of a tool that has one. */
function needsWeighing({ tool }: Checked): boolean {
  return tool.effect === 'write' || tool.guard !== undefined;
}

/** Door 3, where others have a say. */
async function weigh(call: Checked, gate: GateParts): Promise<Judged> {
  const others: Judgement[] = [];
  if (call.tool.effect === 'write' && !(await gate.log.writable())) others.push(LOG_DOWN);
  const objection = await guarded(call, gate.clock);
  if (objection !== undefined) others.push(judgement('deny', 'guard', objection));
  const judged = judge(call, others, gate);
  call.stop.throwIfStopped();
  return judged;
}

/** A guard that throws or hangs objects (D05: whatever cannot be judged gets the strictest result). Whatever stops the call ends the wait. */
async function guarded({ tool: { guard }, input, stop }: Checked, clock: Clock): Promise<string | undefined> {
  if (!guard) return undefined;
  const ends: (() => void)[] = [];
  try {
    return await new Promise((resolve, reject) => {
      ends.push(clock.after(GUARD_LIMIT_MS, () => resolve(NOT_JUDGED)), stop.onStop(() => resolve(undefined)));
      Promise.resolve(guard(input)).then(resolve, reject);
    });
  } catch {
    return NOT_JUDGED;
  } finally {
    for (const end of ends) end();
  }
}

/** The judgement by the settings, the run's list and the grants of this moment. */
function judgeNow({ tool, run }: Checked, others: readonly Judgement[], gate: GateParts): Judgement {
  const { settings, registry } = gate;
  const grant = run.grants.get(tool.name);
  if (registry.find(tool.name) !== tool) return CHANGED;
  return evaluate({
    effect: tool.effect,
    toolSetting: settings.tool(tool.plugin.id, tool.name),
    pluginSetting: settings.plugin(tool.plugin.id).setting,
    listed: run.tools?.has(tool.name) ?? true,
    others,
    // The switch for MCP clients may have been turned off since the grant was given.
    grant: grant && mayGrantRun({ run, tool }, gate) ? grant : undefined,
  });
}

/** Writes of MCP clients ask each time, unless the user's switch says otherwise; a run of one call has nothing to grant (F056–F058). */
function mayGrantRun({ run, tool }: Pick<Judged, 'run' | 'tool'>, { settings }: GateParts): boolean {
  if (run.kind === 'single_call') return false;
  return run.client.kind !== 'mcp' || tool.effect === 'read' || settings.get().mcpRunGrants;
}

/** A write leaves word of itself before it starts: what a crash interrupts gets its row at the next start (E04). */
function begin({ tool, span, run, hash, judgement: { verdict, source } }: Cleared, { journal, clock }: GateParts): void {
  try {
    journal.begin({
      kind: 'call', id: span.spanId, trace: span.traceId, runSpan: run.span.spanId, at: clock.micros(), run: run.id, ...(run.kind === 'single_call' ? { single: true } : {}),
      client: run.client, plugin: tool.plugin.id, tool: tool.name, args: hash, policy: { effective: verdict, source },
    });
  } catch {
    throw denied('log', LOG_DOWN.because);
  }
}

/** Door 6. */
function settle(ran: Ran, gate: GateParts): CallAnswer {
  const { span } = ran;
  const undo = keepHandle(ran, ran.value, gate); // first: a write whose answer is no JSON has still happened
  if (undo !== undefined) span.set('modelhub.local.undo_handle', undo);
  if (ran.tool.effect === 'write') span.set('modelhub.undo.offered', undo !== undefined);
  const { result, truncated, chars, empty } = shape(ran);
  span.set('modelhub.call.outcome', empty ? 'empty' : 'ok');
  span.set('modelhub.result.size', chars);
  if (truncated) span.set('modelhub.result.truncated', true);
  return Object.freeze(undo === undefined ? { result, truncated } : { result, truncated, undo });
}

/** Keeps the handle of a write, also of one whose call ran out of time (D20). Without an undo function it is dropped (F079). */
function keepHandle(call: Judged, value: unknown, { registry, undo }: GateParts): string | undefined {
  if (!registry.undoOf(call.tool.plugin.id)) return undefined;
  const handle = handleOf(call.tool, value);
  if (handle === undefined) return undefined;
  const { span, run, tool } = call;
  undo.add({ call: span, runSpan: run.span, run: run.id, client: run.client, plugin: tool.plugin.id, tool: tool.name, handle });
  return handle;
}
