/**
 * Spans as an OTLP request, in JSON. The encoding is OpenTelemetry's own; what goes into it is made here, and nothing else
 * can: no span of the SDK comes this way.
 */
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { SCOPE_NAME, TELEMETRY_SCHEMA, type ResourceAttributes } from '../attributes.ts';
import { cutBytes, hrTime } from '../text.ts';
import { VALUE_BYTES, type SentSpan } from './spans.ts';

/** What all spans of one writer say of where they come from. */
export interface Origin {
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Random, one per vault. */
  readonly vaultId: string;
}

/** Spans, and the writer of the log that they come from: random, one per start. */
export interface Sent {
  readonly writer: string;
  readonly spans: readonly SentSpan[];
}

type Encoded = NonNullable<Parameters<typeof JsonTraceSerializer.serializeRequest>[0]>[number];

/** The bytes of an `ExportTraceServiceRequest`. */
export function encode(sent: readonly Sent[], origin: Origin): Uint8Array<ArrayBuffer> {
  const resources = new Map<string, Resource>();
  const spans = sent.flatMap(({ writer, spans: each }) => {
    const resource = resources.get(writer) ?? resourceOf(writer, origin);
    resources.set(writer, resource);
    return each.map((span) => encoded(span, resource, origin.serviceVersion));
  });
  return new Uint8Array(JsonTraceSerializer.serializeRequest(spans)!);
}

function resourceOf(writer: string, { serviceName, serviceVersion, vaultId }: Origin): Resource {
  return resourceFromAttributes({
    'service.name': serviceName, 'service.version': serviceVersion, 'service.instance.id': cutBytes(writer.toWellFormed(), VALUE_BYTES),
    'modelhub.telemetry.schema': TELEMETRY_SCHEMA, 'modelhub.vault.id': vaultId,
  } satisfies ResourceAttributes);
}

function encoded(span: SentSpan, resource: Resource, version: string): Encoded {
  const { traceId, spanId, parentId, start, end } = span;
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name: span.name,
    kind: span.kind === 'chat' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context,
    ...(parentId === undefined ? {} : { parentSpanContext: { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED } }),
    startTime: hrTime(start), endTime: hrTime(end), duration: hrTime(end - start), ended: true,
    status: { code: span.error ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    events: span.events.map(({ name, at }) => ({ name, time: hrTime(at), attributes: {} })),
    links: span.links.map(({ attributes, ...place }) => ({ context: { ...place, traceFlags: TraceFlags.SAMPLED }, attributes })),
    resource, instrumentationScope: { name: SCOPE_NAME, version },
    droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0,
  };
}
