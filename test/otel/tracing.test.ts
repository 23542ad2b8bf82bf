/** The spans themselves: private, whole, exact in time, and deaf to the environment. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import { createTracing, type Tracing } from '../../otel/tracing.ts';
import type { Spans } from '../../src/core/ports.ts';

const AT = 1_796_000_000_123_457;

function tracing(extra: readonly SpanProcessor[] = []): Tracing & { readonly exporter: InMemorySpanExporter } {
  const exporter = new InMemorySpanExporter();
  const made = createTracing({ processors: [...extra, new SimpleSpanProcessor(exporter)], serviceVersion: '0.9.0', instanceId: 'instance', vaultId: 'vault' });
  return { ...made, exporter };
}

describe('spans', () => {
  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  it('D30 times are exact to the microsecond', () => {
    const { spans, exporter } = tracing();
    const span = spans.start('await_approval', 'books.list', AT);
    span.event('presented', AT + 1);
    span.end(AT + 1_000_001);
    const [made] = exporter.getFinishedSpans();
    expect(made?.startTime).toEqual([1_796_000_000, 123_457_000]);
    expect(made?.events[0]?.time).toEqual([1_796_000_000, 123_458_000]);
    expect(made?.endTime).toEqual([1_796_000_001, 123_458_000]);
  });

  it('telemetry 24 a span whose clock was set back ends a microsecond after its start', () => {
    const { spans, exporter } = tracing();
    spans.start('tool_call', 'books.list', AT).end(AT - 5_000_000);
    expect(exporter.getFinishedSpans()[0]?.endTime).toEqual([1_796_000_000, 123_458_000]);
  });

  it('telemetry 28 a span ends once', () => {
    const { spans, exporter } = tracing();
    const span = spans.start('tool_call', 'books.list', AT);
    span.end(AT + 5);
    span.end(AT + 9);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  it('D30 parents are given by hand, by span or by its ids', () => {
    const { spans, exporter } = tracing();
    const run = spans.start('invoke_agent', 'Claude Code', AT);
    const call = spans.start('tool_call', 'books.list', AT, run);
    const wait = spans.start('await_approval', 'books.list', AT, { traceId: call.traceId, spanId: call.spanId });
    for (const span of [wait, call, run]) span.end(AT + 5);
    expect(exporter.getFinishedSpans().map((span) => [span.name, span.spanContext().traceId === run.traceId, span.parentSpanContext?.spanId])).toEqual([
      ['await_approval books.list', true, call.spanId],
      ['tool_call books.list', true, run.spanId],
      ['invoke_agent Claude Code', true, undefined],
    ]);
  });

  it('E04 a span of an earlier start is taken up again with its ids, and the next has ids of its own', () => {
    const { spans, exporter } = tracing();
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    spans.resume('tool_call', 'books.add', AT, ids, { traceId: ids.traceId, spanId: 'c'.repeat(16) }).end(AT);
    spans.resume('invoke_agent', 'Claude Code', AT, ids).end(AT);
    spans.start('invoke_agent', 'Claude Code', AT).end(AT);
    const [call, run, next] = exporter.getFinishedSpans().map((span) => span.spanContext());
    expect(call).toMatchObject(ids);
    expect(run).toMatchObject(ids);
    expect([next?.traceId === ids.traceId, next?.spanId === ids.spanId]).toEqual([false, false]);
  });

  it('formats ids are random lower-case hex, no two alike', () => {
    const { spans } = tracing();
    const ids = Array.from({ length: 3000 }, () => spans.start('invoke_agent', 'x', AT));
    expect(ids.every(({ traceId, spanId }) => /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId))).toBe(true);
    expect(new Set(ids.flatMap(({ traceId, spanId }) => [traceId, spanId])).size).toBe(6000);
  });

  it('formats all spans are internal but the call of a model', () => {
    const { spans, exporter } = tracing();
    spans.start('tool_call', 'x', AT).end(AT);
    spans.start('chat', 'x', AT).end(AT);
    expect(exporter.getFinishedSpans().map(({ kind }) => kind)).toEqual([SpanKind.INTERNAL, SpanKind.CLIENT]);
  });

  it('formats a failure is a status without a message, and the type of the error', () => {
    const { spans, exporter } = tracing();
    const span = spans.start('tool_call', 'x', AT);
    span.fail('tool-timeout');
    span.end(AT);
    expect(exporter.getFinishedSpans()[0]).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'tool-timeout' }, events: [] });
    expect(exporter.getFinishedSpans()[0]?.status).not.toHaveProperty('message');
  });

  it('a link says what it means and which question it goes back to', () => {
    const { spans, exporter } = tracing();
    const asked = spans.start('await_approval', 'x', AT);
    const span = spans.start('tool_call', 'x', AT);
    span.link(asked, 'granted_by', 'question-1');
    span.end(AT);
    expect(exporter.getFinishedSpans()[0]?.links).toMatchObject([
      { context: { traceId: asked.traceId, spanId: asked.spanId }, attributes: { 'modelhub.link.kind': 'granted_by', 'modelhub.approval.request_id': 'question-1' } },
    ]);
  });

  it('telemetry 1 a number that is none is left out', () => {
    const { spans, exporter } = tracing();
    const span = spans.start('tool_call', 'x', AT);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, 0.5]) span.set('modelhub.result.size', value);
    span.set('modelhub.arguments.size', 5);
    span.end(AT);
    expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({ 'modelhub.arguments.size': 5 });
  });

  it('D30 nothing is dropped, however much there is', () => {
    const { spans, exporter } = tracing();
    const span = spans.start('tool_call', 'x', AT);
    for (let i = 0; i < 1000; i++) {
      span.event('presented', AT + i);
      span.link(span, 'mcp_caller');
      span.set(`modelhub.test.${i}` as 'modelhub.local.message', 'x');
    }
    span.set('modelhub.local.message', 'x'.repeat(100_000));
    span.end(AT);
    const [made] = exporter.getFinishedSpans();
    expect([made?.droppedAttributesCount, made?.droppedEventsCount, made?.droppedLinksCount]).toEqual([0, 0, 0]);
    expect([Object.keys(made?.attributes ?? {}).length, made?.events.length, made?.links.length]).toEqual([1001, 1000, 1000]);
    expect((made?.attributes['modelhub.local.message'] as string).length).toBe(100_000);
  });

  it('D30 no variable of the environment changes what is recorded', () => {
    Object.assign(process.env, {
      OTEL_TRACES_SAMPLER: 'always_off', OTEL_SDK_DISABLED: 'true', OTEL_SERVICE_NAME: 'other', OTEL_RESOURCE_ATTRIBUTES: 'a=b,service.name=other',
      OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3', OTEL_ATTRIBUTE_COUNT_LIMIT: '1', OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3', OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '1',
      OTEL_SPAN_EVENT_COUNT_LIMIT: '0', OTEL_SPAN_LINK_COUNT_LIMIT: '0', OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT: '0', OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT: '0',
    });
    const { spans, exporter } = tracing();
    const span = spans.start('tool_call', 'x', AT);
    span.set('gen_ai.tool.name', 'books.list');
    span.set('modelhub.tool.owner', 'books');
    span.event('presented', AT);
    span.link(span, 'mcp_caller');
    span.end(AT);
    const [made] = exporter.getFinishedSpans();
    expect(made?.attributes).toEqual({ 'gen_ai.tool.name': 'books.list', 'modelhub.tool.owner': 'books' });
    expect([made?.events.length, made?.links[0]?.attributes]).toEqual([1, { 'modelhub.link.kind': 'mcp_caller' }]);
    expect(made?.resource.attributes).toEqual({
      'service.name': 'model-hub', 'service.version': '0.9.0', 'service.instance.id': 'instance', 'modelhub.telemetry.schema': '1.0.0', 'modelhub.vault.id': 'vault',
    });
    expect(made?.instrumentationScope).toMatchObject({ name: 'model-hub', version: '0.9.0' });
  });

  it('telemetry 32 nothing global is registered', () => {
    const { spans } = tracing();
    spans.start('tool_call', 'x', AT).end(AT);
    const span = trace.getTracer('other').startSpan('other');
    expect(span.isRecording()).toBe(false);
  });

  it('telemetry 13 a processor that throws hurts neither the call nor the other processors', () => {
    const fault = (): never => {
      throw new Error('broken');
    };
    const { spans, exporter } = tracing([{ onStart: fault, onEnd: fault, forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() }]);
    spans.start('tool_call', 'x', AT).end(AT);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  it('D30 it is what the gate asks for', () => {
    const port: Spans = tracing().spans;
    expect(port).toBeDefined();
  });
});
