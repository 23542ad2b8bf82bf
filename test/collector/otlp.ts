/** Spans by plain OTLP in JSON, with nothing of the SDK: what any sender could send. */
import { randomBytes } from 'node:crypto';
import type { AttributeKey, AttributeValueOf, SpanKindName } from '../../otel/attributes.ts';

export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly name: `${SpanKindName} ${string}`;
  /** Milliseconds. */
  readonly lasts: number;
  /** Ends so many milliseconds before now. */
  readonly ago?: number;
  readonly attributes: { readonly [K in AttributeKey]?: AttributeValueOf<K> };
}

/** Random in both halves: Jaeger tells an id whose first half is zero with half its digits. */
export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** A span in a trace of its own. */
export function spanOf(name: PlainSpan['name'], attributes: PlainSpan['attributes'], lasts = 5): PlainSpan {
  return { traceId: newTraceId(), spanId: newSpanId(), name, attributes, lasts };
}

/** Sends them in one request; answers once they were taken. `url` is the base. */
export async function sendSpans(url: string, spans: readonly PlainSpan[]): Promise<void> {
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(requestOf(spans)) });
  const text = await answer.text();
  if (!answer.ok || text.includes('rejectedSpans')) throw new Error(`The collector answered ${answer.status}: ${text}`);
}

function requestOf(spans: readonly PlainSpan[]): object {
  const resource = { attributes: [keyValue('service.name', 'model-hub'), keyValue('service.version', '0.0.0'), keyValue('service.instance.id', 'test')] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'model-hub' }, spans: spans.map(spanJson) }] }] };
}

function spanJson({ traceId, spanId, parent, name, lasts, ago, attributes }: PlainSpan): object {
  const end = BigInt(Date.now() - (ago ?? 0)) * 1_000_000n;
  return {
    traceId, spanId, ...(parent === undefined ? {} : { parentSpanId: parent }), name, kind: 1,
    startTimeUnixNano: String(end - BigInt(Math.round(lasts * 1e6))), endTimeUnixNano: String(end),
    attributes: Object.entries(attributes).map(([key, value]) => keyValue(key, value)),
    status: 'error.type' in attributes ? { code: 2 } : {},
  };
}

function keyValue(key: string, value: string | number | boolean): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { boolValue: value } };
}
