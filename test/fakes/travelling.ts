/** An ended span of the SDK, as one that travels: what stays on this machine is left out. */
import { SpanStatusCode, type HrTime } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { specOf, type EventName, type SpanKindName } from '../../otel/attributes.ts';
import type { SentAttributes, SentSpan } from '../../otel/exporter/spans.ts';

export function travelling(span: ReadableSpan): SentSpan {
  const { traceId, spanId } = span.spanContext();
  const parentId = span.parentSpanContext?.spanId;
  return {
    traceId, spanId, ...(parentId === undefined ? {} : { parentId }),
    name: span.name, kind: span.name.split(' ')[0] as SpanKindName, start: micros(span.startTime), end: micros(span.endTime),
    error: span.status.code === SpanStatusCode.ERROR,
    attributes: Object.fromEntries(Object.entries(span.attributes).filter(([key]) => specOf(key)?.reach !== 'local')) as SentAttributes,
    events: span.events.map(({ name, time }) => ({ name: name as EventName, at: micros(time) })),
    links: span.links.map(({ context, attributes }) => ({ traceId: context.traceId, spanId: context.spanId, attributes: attributes as SentAttributes })),
  };
}

function micros([seconds, nanos]: HrTime): number {
  return seconds * 1e6 + Math.round(nanos / 1000);
}
