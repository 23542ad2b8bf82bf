/**
 * What a crash left in flight: each write that had been allowed and not answered gets its span and its row, outcome
 * `interrupted`, with the ids that it had then; it is not run again and offers no undo. Each run that was open gets its
 * end, with the counts of its rows (E04).
 */
import type { Row } from '../../otel/row.ts';
import { microsOf } from '../../otel/text.ts';
import { noteRun, noteRunEnd, noteSubject, type RunCounts } from './notes.ts';
import type { CallIntent, CallLog, Clock, Intent, Journal, Micros, RunIntent, Spans, UndoIntent } from './ports.ts';

export interface InterruptedParts {
  readonly clock: Clock;
  readonly spans: Spans;
  readonly log: CallLog;
  readonly journal: Journal;
}

/** A call starts before its intent, by the time that its question was open and waited in line at the most. */
const STARTED_BEFORE_MS = 3600_000;
const MESSAGE = 'Model Hub ended while this was under way. What it did until then may stand: look at the note.';

export async function interrupted(parts: InterruptedParts): Promise<void> {
  const left = await parts.journal.leftBehind();
  // Runs last: what they came to is counted from the rows of their calls.
  for (const intent of [...left].sort((a, b) => Number(a.kind === 'run') - Number(b.kind === 'run'))) {
    if (intent.kind === 'run') await endRun(intent, parts);
    else await answer(intent, parts);
    parts.journal.end(intent.id);
  }
}

async function answer(intent: CallIntent | UndoIntent, { spans, log }: InterruptedParts): Promise<void> {
  const rows = await rowsOf(intent, log);
  if (rows.some((row) => row.id === intent.id)) return;
  const ids = { traceId: intent.trace, spanId: intent.id };
  const span = spans.resume(intent.kind === 'call' ? 'tool_call' : 'undo', intent.tool, intent.at, ids, { traceId: intent.trace, spanId: intent.runSpan });
  noteSubject(span, intent.tool, intent.run, intent.client);
  span.set('modelhub.tool.owner', intent.plugin);
  span.set('modelhub.call.code', 'interrupted');
  span.set('modelhub.local.message', MESSAGE);
  span.fail('interrupted');
  if (intent.kind === 'call') {
    if (intent.single) span.set('modelhub.run.kind', 'single_call');
    span.set('gen_ai.tool.call.id', intent.id);
    span.set('modelhub.tool.effect', 'write');
    if (intent.args !== undefined) span.set('modelhub.arguments.hash', intent.args);
    if (intent.policy) {
      span.set('modelhub.policy.effective', intent.policy.effective);
      span.set('modelhub.policy.source', intent.policy.source);
    }
    span.set('modelhub.call.outcome', 'interrupted');
  } else {
    span.link({ traceId: intent.trace, spanId: intent.of }, 'undoes');
    span.set('modelhub.undo.call_id', intent.of);
    span.set('modelhub.undo.trigger', intent.trigger);
    span.set('modelhub.undo.outcome', 'interrupted');
  }
  span.end(intent.at); // the last sign of life
  await log.written();
}

async function endRun(intent: RunIntent, { spans, log }: InterruptedParts): Promise<void> {
  if (await log.ended(intent.run)) return;
  const rows = await rowsOf(intent, log);
  const span = spans.resume('invoke_agent', intent.client.name, intent.at, { traceId: intent.trace, spanId: intent.id });
  noteRun(span, { id: intent.run, client: intent.client, kind: 'explicit' });
  noteRunEnd(span, 'interrupted', countsOf(rows));
  span.end(lastSign(rows, intent.at));
  await log.written();
}

function rowsOf(intent: Intent, log: CallLog): Promise<readonly Row[]> {
  return log.read({ run: intent.run, since: new Date(Math.floor(intent.at / 1000) - STARTED_BEFORE_MS).toISOString() });
}

/** As the run itself would have counted them. */
function countsOf(rows: readonly Row[]): RunCounts {
  const calls = rows.filter((row) => row.kind === 'call');
  const count = (...outcomes: readonly string[]): number => calls.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    calls: calls.length,
    refusals: count('refused', 'invalid'),
    failures: count('failed', 'timeout'),
    undos: rows.filter((row) => row.kind === 'undo' && row.outcome === 'done').length,
  };
}

function lastSign(rows: readonly Row[], began: Micros): Micros {
  return rows.reduce((last, row) => Math.max(last, microsOf(row.time) + row.us.end), began);
}
