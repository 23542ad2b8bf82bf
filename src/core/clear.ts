/**
 * The only door to the handler: `clear` makes a `Cleared`, and nothing else can. It asks if it must, and judges again
 * when the answer is there, since a setting may have become Deny while the question was open (F046, F059, D01, D02).
 */
import type { QuestionFacts, QuestionLine } from './approvals.ts';
import { toJudged, type Judged } from './call.ts';
import type { HubError } from './errors.ts';
import { denied } from './errors.ts';
import type { Clock, Crypto, OpenSpan, Spans } from './ports.ts';
import { noteJudgement } from './notes.ts';
import { reasonOf, type Grant, type Judgement } from './policy.ts';
import { previewOf } from './preview.ts';
import type { Settings } from './settings.ts';
import type { Decision, Preview, Settlement, SettledBy } from './questions.ts';

declare const cleared: unique symbol;

/** A call that may run. Cannot be made outside this file: the mark is known to the compiler alone, and is not exported. */
export interface Cleared extends Judged {
  readonly [cleared]: true;
}

export interface ClearParts {
  readonly line: QuestionLine;
  readonly spans: Spans;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly settings: Settings;
  /** The judgement of the call by the settings, grants and limits of this moment. */
  readonly judgeNow: (call: Judged) => Judgement;
  /** False where runs of this caller may not be allowed writes as a whole (F056, D08). */
  readonly mayGrantRun: (call: Judged) => boolean;
}

/** Throws `tool-denied`, or what stopped the call. */
export function clear(call: Judged, parts: ClearParts): Cleared | Promise<Cleared> {
  switch (call.judgement.verdict) {
    case 'allow':
      return call as Cleared;
    case 'ask':
      return ask(call, parts).then((judgement) => toJudged(call, judgement, call.others) as Cleared);
    case 'deny':
      throw refusal(call.judgement);
    case 'defer':
      throw denied('deferred', `Not now: ${call.judgement.because}`);
  }
}

/** The refusal that a judgement of deny comes to. */
export function refusal(judgement: Judgement): HubError {
  return denied(reasonOf(judgement.source), `Not allowed. ${judgement.because}`);
}

/** Asks, and answers the judgement under which the call runs. */
async function ask(call: Judged, parts: ClearParts): Promise<Judgement> {
  const { line, spans, clock, crypto } = parts;
  if (!line.canAsk(call.run.id)) throw denied('no-surface', 'This call needs a yes, and nobody can be asked. Open the page of Model Hub, then call again.');

  const facts = factsOf(call, parts, crypto.id(), line.askSeconds);
  const span = spans.start('await_approval', call.tool.name, clock.micros(), call.span);
  span.set('gen_ai.tool.name', call.tool.name);
  span.set('modelhub.approval.request_id', facts.id);
  span.set('modelhub.approval.timeout_s', facts.timeoutSeconds);
  span.set('modelhub.approval.shown_hash', call.hash);

  const place = line.ask<Judgement>({
    facts,
    preview: previewOf(call, clock),
    onPresented: (preview) => notePresented(span, preview, clock),
    recheck: () => {
      const now = parts.judgeNow(call);
      if (now.verdict === 'ask') return undefined;
      return now.source === 'grant' ? 'grant' : 'policy_change';
    },
    conclude: (settlement) => {
      noteSettled(span, settlement, clock);
      return conclude(call, settlement, { approval: facts.id, span }, parts);
    },
  });
  span.set('modelhub.approval.queue_position', place.position);
  const release = call.stop.onStop((reason) => place.withdraw(withdrawnBy(call, reason)));
  try {
    call.request.onWaiting?.({ position: place.position, timeoutSeconds: facts.timeoutSeconds });
    return await place.outcome;
  } finally {
    release();
    call.request.onAnswered?.();
  }
}

/** The tool's plugin has gone, the run has ended, or the caller has left. */
function withdrawnBy(call: Judged, reason: HubError): SettledBy {
  if (reason.code !== 'aborted') return 'policy_change';
  return call.run.endReason ? 'run_end' : 'caller_gone';
}

/** What an ended question means for the call: the judgement under which it runs, or a refusal. */
function conclude(call: Judged, settlement: Settlement, grant: Grant, parts: ClearParts): Judgement {
  call.stop.throwIfStopped();
  const yes = isYes(settlement.decision);
  if (settlement.decision === 'deny') throw denied('user', 'The user declined this call.');
  if (!yes && settlement.by === 'timeout') throw denied('no-answer', 'Nobody answered in time. Ask the user before you try again.');
  // The setting may have become Deny while the question was open, in another window too.
  parts.settings.reread();
  const now = parts.judgeNow(call);
  if (now !== call.judgement) noteJudgement(call.span, now);
  if (now.verdict === 'deny' || now.verdict === 'defer') throw refusal(now);
  if (now.verdict === 'ask' && !yes) throw denied('no-answer', 'The question was closed without an answer.');
  // The switch for MCP clients may have been turned off while the question was open: then the yes is for this call.
  if (settlement.decision === 'allow_run' && parts.mayGrantRun(call)) call.run.grants.set(call.tool.name, grant);
  return now;
}

function isYes(decision: Settlement['decision']): boolean {
  switch (decision) {
    case 'allow_once':
    case 'allow_run':
      return true;
    case 'deny':
    case 'none':
      return false;
  }
}

function factsOf(call: Judged, parts: ClearParts, id: string, timeoutSeconds: number): QuestionFacts {
  const { tool, run, judgement } = call;
  const grantable = parts.mayGrantRun(call);
  return Object.freeze({
    id,
    run: run.id,
    client: run.client,
    plugin: tool.plugin.name,
    tool: tool.name,
    description: tool.description,
    effect: tool.effect,
    arguments: call.canonical,
    hash: call.hash,
    ...(tool.effect === 'write' ? { undo: undoFact(call) } : {}),
    why: judgement.because,
    choices: Object.freeze<Decision[]>(grantable ? ['deny', 'allow_once', 'allow_run'] : ['deny', 'allow_once']),
    ...(grantable ? {} : { withheld: withheldBecause(call) }),
    spentUsdMicros: run.spentUsdMicros,
    timeoutSeconds,
  });
}

function withheldBecause(call: Judged): string {
  return call.run.kind === 'single_call'
    ? 'The run is this one call.'
    : 'Writes of MCP clients ask each time. The switch "Let MCP clients be allowed for a whole run" changes that.';
}

function undoFact({ tool }: Judged): NonNullable<QuestionFacts['undo']> {
  if (tool.undo?.kind === 'none') return { possible: false, reason: tool.undo.reason };
  return tool.undoHandle ? { possible: true } : { possible: false, reason: 'The plugin offers no undo for it.' };
}

function notePresented(span: OpenSpan, preview: Preview, clock: Clock): void {
  span.event('presented', clock.micros());
  span.set('modelhub.approval.preview', preview.kind);
}

function noteSettled(span: OpenSpan, settlement: Settlement, clock: Clock): void {
  span.set('modelhub.approval.decision', settlement.decision);
  span.set('modelhub.approval.source', settlement.by);
  if (settlement.decision === 'allow_once') span.set('modelhub.approval.granularity', 'once');
  if (settlement.decision === 'allow_run') span.set('modelhub.approval.granularity', 'run');
  span.end(clock.micros());
}
