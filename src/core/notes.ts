/**
 * What is learnt about a call or an undo, written to its span: one function for each thing, so that all who say it say it alike.
 */
import type { CallOutcome } from '../../otel/row.ts';
import type { HubError } from './errors.ts';
import type { Judgement } from './policy.ts';
import type { OpenSpan } from './ports.ts';
import type { EndReason, RunKind, Tally } from './runs.ts';
import type { Client } from './types.ts';

/** What a run is, on its root span. */
export function noteRun(span: OpenSpan, { id, client, kind }: { readonly id: string; readonly client: Client; readonly kind: RunKind }): void {
  span.set('gen_ai.operation.name', 'invoke_agent');
  span.set('gen_ai.agent.name', client.name);
  span.set('gen_ai.conversation.id', id);
  span.set('modelhub.client.kind', client.kind);
  span.set('modelhub.run.kind', kind);
}

/** How a run ended, and what it came to. */
export function noteRunEnd(span: OpenSpan, reason: EndReason, counts: RunCounts): void {
  span.set('modelhub.run.end_reason', reason);
  span.set('modelhub.run.calls', counts.calls);
  span.set('modelhub.run.refusals', counts.refusals);
  span.set('modelhub.run.failures', counts.failures);
  span.set('modelhub.run.undos', counts.undos);
}

export interface RunCounts {
  readonly calls: number;
  readonly refusals: number;
  readonly failures: number;
  readonly undos: number;
}

/** Which tool, in which run, and who asked: on every span that becomes a row. */
export function noteSubject(span: OpenSpan, tool: string, run: string, client: Client): void {
  span.set('gen_ai.tool.name', tool);
  span.set('gen_ai.conversation.id', run);
  span.set('gen_ai.agent.name', client.name);
  span.set('modelhub.client.kind', client.kind);
}

export function noteJudgement(span: OpenSpan, { verdict, source, grant }: Judgement): void {
  span.set('modelhub.policy.effective', verdict);
  span.set('modelhub.policy.source', source);
  if (grant) span.link(grant.span, 'granted_by', grant.approval);
}

/** Notes how a call went wrong; answers how it counts on its run. */
export function noteFault(span: OpenSpan, error: HubError): Tally {
  const { outcome, tally } = endingOf(error);
  span.set('modelhub.call.outcome', outcome);
  if (error.code !== 'tool-name-taken') span.set('modelhub.call.code', error.code);
  if (error.reason) span.set('modelhub.refusal.reason', error.reason);
  if (error.code === 'tool-failed' || error.code === 'tool-timeout') span.fail(error.code);
  span.set('modelhub.local.message', error.logged);
  return tally;
}

function endingOf({ code }: HubError): { readonly outcome: CallOutcome; readonly tally: Tally } {
  switch (code) {
    case 'tool-denied':
    case 'tool-unknown':
    case 'run-budget':
    case 'tool-name-taken':
      return { outcome: 'refused', tally: 'refusal' };
    case 'tool-invalid-input':
    case 'invalid-request':
      return { outcome: 'invalid', tally: 'refusal' };
    case 'tool-failed':
      return { outcome: 'failed', tally: 'failure' };
    case 'tool-timeout':
      return { outcome: 'timeout', tally: 'failure' };
    case 'aborted':
    case 'hub-gone':
      return { outcome: 'aborted', tally: 'fine' };
  }
}
