/**
 * The log as a processor of spans: sees every span start and end, and hands a row of each call, undo and explicit run to
 * the writer the moment it ends. Never throws, never waits.
 */
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { rowOf } from './row-of.ts';
import { RowWriter } from './row-writer.ts';

export type { LineSink, LogState, RowWriterOptions } from './row-writer.ts';

/** The children of a call that is in flight. */
interface Open {
  wait: ReadableSpan | undefined;
  exec: ReadableSpan | undefined;
}

/** Stands first among the processors: the row is on its way before anybody else sees the span. */
export class LogProcessor extends RowWriter implements SpanProcessor {
  readonly #open = new Map<string, Open>();

  onStart(span: ReadableSpan): void {
    const { name } = span;
    if (name.startsWith('tool_call ') || name.startsWith('undo ')) this.#open.set(span.spanContext().spanId, { wait: undefined, exec: undefined });
  }

  onEnd(span: ReadableSpan): void {
    const { name } = span;
    if (name.startsWith('execute_tool ') || name.startsWith('await_approval ')) {
      const call = this.#open.get(span.parentSpanContext?.spanId ?? '');
      if (call) call[name.startsWith('execute_tool ') ? 'exec' : 'wait'] = span;
      return;
    }
    const { spanId } = span.spanContext();
    const children = this.#open.get(spanId);
    const row = rowOf(span, children);
    if (children) {
      // Emptied before it goes: a map that has grown leaves its old table behind, and what that still names is not young garbage any more.
      children.wait = undefined;
      children.exec = undefined;
      this.#open.delete(spanId);
    }
    if (row) this.push(row);
  }

  /** How many calls and undos have started and not ended. */
  inFlight(): number {
    return this.#open.size;
  }

  forceFlush(): Promise<void> {
    return this.flush();
  }

  shutdown(): Promise<void> {
    return this.flush();
  }
}
