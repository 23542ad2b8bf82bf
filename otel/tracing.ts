/**
 * The spans of the hub: the one file that imports the SDK, so that its next major version is one file's work.
 *
 * A private provider and explicit parents: nothing global is registered, and no environment variable changes what is
 * recorded. Spans are kept whole; every span is recorded, whatever an export later leaves out.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { SCOPE_NAME, TELEMETRY_SCHEMA } from './attributes.ts';
import type { AttributeKey, AttributeValueOf, EventName, ResourceAttributes, SpanKindName } from './attributes.ts';
import { SpanIds } from './span-ids.ts';
import { hrTime } from './text.ts';

/** The place of a span: lower-case hex of 32 and of 16 digits. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

export interface TracingOptions {
  /** In the order in which they see a span. The log's stands first. One that throws cannot hurt a call. */
  readonly processors: readonly SpanProcessor[];
  readonly serviceVersion: string;
  /** Random, one per start. */
  readonly instanceId: string;
  /** Random, one per vault; says nothing about its path. */
  readonly vaultId: string;
}

export interface Tracing {
  readonly spans: HubSpans;
  shutdown(): Promise<void>;
}

export function createTracing(options: TracingOptions): Tracing {
  const ids = new SpanIds();
  // Every setting is given: what is left out would be read from OTEL_* variables.
  const provider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: options.processors.map((processor) => new Contained(processor)),
    resource: resourceFromAttributes({
      'service.name': SCOPE_NAME,
      'service.version': options.serviceVersion,
      'service.instance.id': options.instanceId,
      'modelhub.telemetry.schema': TELEMETRY_SCHEMA,
      'modelhub.vault.id': options.vaultId,
    } satisfies ResourceAttributes),
    generalLimits: { attributeValueLengthLimit: Infinity, attributeCountLimit: Infinity },
    spanLimits: {
      attributeValueLengthLimit: Infinity,
      attributeCountLimit: Infinity,
      eventCountLimit: Infinity,
      linkCountLimit: Infinity,
      attributePerEventCountLimit: Infinity,
      attributePerLinkCountLimit: Infinity,
    },
  });
  const tracer = provider.getTracer(SCOPE_NAME, options.serviceVersion);
  return {
    spans: new HubSpans((name, kind, at, parent) => tracer.startSpan(name, { kind, startTime: hrTime(at) }, parent), ids),
    shutdown: () => provider.shutdown(),
  };
}

type StartSpan = (name: string, kind: SpanKind, at: number, parent: Context) => Span;

/** Starts spans, named `<kind> <subject>`. Times are microseconds since 1970; parents are given by hand. */
export class HubSpans {
  readonly #start: StartSpan;
  readonly #ids: SpanIds;

  constructor(start: StartSpan, ids: SpanIds) {
    this.#start = start;
    this.#ids = ids;
  }

  /** Without a parent it is the root of a new trace. */
  start(kind: SpanKindName, subject: string, at: number, parent?: SpanPlace): HubSpan {
    const span = this.#start(`${kind} ${subject}`, kind === 'chat' ? SpanKind.CLIENT : SpanKind.INTERNAL, at, parent ? contextOf(parent) : ROOT_CONTEXT);
    return new HubSpan(span, at);
  }

  /** A span that an earlier process began and could not end, with the ids that it had then (E04). */
  resume(kind: SpanKindName, subject: string, at: number, ids: SpanPlace, parent?: SpanPlace): HubSpan {
    return this.#ids.withIds(ids, () => this.start(kind, subject, at, parent));
  }
}

/** A span that is open. Only listed keys with their listed types can be set. */
export class HubSpan implements SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly #span: Span;
  readonly #startedAt: number;
  #context: Context | undefined;

  constructor(span: Span, startedAt: number) {
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.#span = span;
    this.#startedAt = startedAt;
  }

  /** What a child is started in. */
  get context(): Context {
    return (this.#context ??= trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  set<K extends AttributeKey>(key: K, value: AttributeValueOf<K>): void {
    // NaN, infinities and inexact integers make exporters drop whole batches.
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return;
    this.#span.setAttribute(key, value as string | number | boolean | string[]);
  }

  event(name: EventName, at: number): void {
    this.#span.addEvent(name, undefined, hrTime(at));
  }

  /** `requestId`: on a link to the approval that let the call through, the id of the question. */
  link(to: SpanPlace, kind: AttributeValueOf<'modelhub.link.kind'>, requestId?: string): void {
    const attributes: { 'modelhub.link.kind': string; 'modelhub.approval.request_id'?: string } = { 'modelhub.link.kind': kind };
    if (requestId !== undefined) attributes['modelhub.approval.request_id'] = requestId;
    this.#span.addLink({ context: { traceId: to.traceId, spanId: to.spanId, traceFlags: TraceFlags.SAMPLED }, attributes });
  }

  /** Status error with this `error.type`, and no message: messages are for the log alone (D31). */
  fail(type: AttributeValueOf<'error.type'>): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** At least a microsecond after the start, even if the clock was set back meanwhile. A second call does nothing. */
  end(at: number): void {
    if (!this.#span.isRecording()) return;
    this.#span.end(hrTime(Math.max(at, this.#startedAt + 1)));
  }
}

function contextOf(parent: SpanPlace): Context {
  if (parent instanceof HubSpan) return parent.context;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: parent.traceId, spanId: parent.spanId, traceFlags: TraceFlags.SAMPLED });
}

/** A processor whose faults end here. */
class Contained implements SpanProcessor {
  readonly #processor: SpanProcessor;

  constructor(processor: SpanProcessor) {
    this.#processor = processor;
  }

  onStart(span: Parameters<SpanProcessor['onStart']>[0], context: Context): void {
    try {
      this.#processor.onStart(span, context);
    } catch {
      // The call goes on; the processor counts its own losses.
    }
  }

  onEnd(span: ReadableSpan): void {
    try {
      this.#processor.onEnd(span);
    } catch {
      // As above.
    }
  }

  forceFlush(): Promise<void> {
    return this.#processor.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#processor.shutdown();
  }
}
