/**
 * What a crash left in flight: each write that had been allowed and not answered gets its span and its row, outcome
 * `interrupted`, with the ids that it had then; it is not run again and offers no undo (E04).
 */
import { noteSubject } from './notes.ts';
import type { CallLog, Clock, Intent, Journal, OpenSpan, Spans } from './ports.ts';

export interface InterruptedParts {
  readonly clock: Clock;
  readonly spans: Spans;
  readonly log: CallLog;
  readonly journal: Journal;
}

/** A call starts before its intent, by the time that its question was open and waited in line at the most. */
const STARTED_BEFORE_MS = 3600_000;
const MESSAGE = 'Model Hub ended while this was under way. What it did until then may stand: look at the note.';

export async function interrupted({ spans, log, journal }: InterruptedParts): Promise<void> {
  for (const intent of await journal.leftBehind()) {
    const rows = await log.read({ run: intent.run, since: new Date(Math.floor(intent.at / 1000) - STARTED_BEFORE_MS).toISOString() });
    if (!rows.some((row) => row.id === intent.id)) {
      const ids = { traceId: intent.trace, spanId: intent.id };
      const span = spans.resume(intent.kind === 'call' ? 'tool_call' : 'undo', intent.tool, intent.at, ids, { traceId: intent.trace, spanId: intent.runSpan });
      note(span, intent);
      span.end(intent.at); // the last sign of life
      await log.written();
    }
    journal.end(intent.id);
  }
}

function note(span: OpenSpan, intent: Intent): void {
  noteSubject(span, intent.tool, intent.run, intent.client);
  span.set('modelhub.tool.owner', intent.plugin);
  span.set('modelhub.call.code', 'interrupted');
  span.set('modelhub.local.message', MESSAGE);
  span.fail('interrupted');
  if (intent.kind === 'call') {
    span.set('gen_ai.tool.call.id', intent.id);
    span.set('modelhub.tool.effect', 'write');
    if (intent.args !== undefined) span.set('modelhub.arguments.hash', intent.args);
    if (intent.policy) {
      span.set('modelhub.policy.effective', intent.policy.effective);
      span.set('modelhub.policy.source', intent.policy.source);
    }
    span.set('modelhub.call.outcome', 'interrupted');
  } else {
    span.set('modelhub.undo.call_id', intent.of ?? '');
    span.set('modelhub.undo.trigger', intent.trigger ?? 'code');
    span.set('modelhub.undo.outcome', 'interrupted');
  }
}
