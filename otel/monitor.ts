/**
 * Watches the life of every call over its spans (E05): nothing runs without a live yes to the very arguments that run, a
 * call settles once, nothing happens after its end or its run's, and a write is taken back at most once. The same monitor
 * runs over the tests and in production; over the tests it also reads every attribute.
 */
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ATTRIBUTES, fits, specOf, type AttributeKey, type AttributeSpec, type SpanKindName } from './attributes.ts';

export type Rule =
  | 'executed-without-allow'
  | 'outside-its-call'
  | 'call-after-run-end'
  | 'undone-twice'
  | 'call-without-outcome'
  | 'attribute-missing'
  | 'attribute-not-listed';

/** A rule that was broken, and where. Holds ids and attribute names, no values. */
export interface Violation {
  readonly rule: Rule;
  readonly span: SpanKindName;
  readonly spanId: string;
  readonly traceId: string;
  readonly attribute?: string;
}

export interface MonitorOptions {
  readonly onViolation: (violation: Violation) => void;
  /** Also checks the attributes against the registry: those that a span needs are there, and each is listed for its span, of its type and of its values. For tests: it costs more than the rest. */
  readonly strict?: boolean;
}

/** A call that has started and not ended. */
interface Life {
  span: ReadableSpan | undefined;
  /** The arguments that a person said yes to. */
  allowedHash: unknown;
}

/** How far back ended runs and undone calls are remembered. */
const REMEMBERED = 10_000;
/** Calls that ended before the gate knew all about them. */
const EARLY_CODES: ReadonlySet<unknown> = new Set(['tool-unknown', 'tool-invalid-input', 'invalid-request', 'aborted', 'hub-gone', 'interrupted']);
/** What such a call may leave out. */
const NOT_KNOWN_YET: readonly AttributeKey[] = ['modelhub.tool.owner', 'modelhub.tool.effect', 'modelhub.arguments.hash', 'modelhub.arguments.size', 'modelhub.policy.effective', 'modelhub.policy.source'];
/** Calls and executions first: most spans are. */
const KINDS: readonly SpanKindName[] = ['tool_call', 'execute_tool', 'await_approval', 'invoke_agent', 'undo', 'chat'];
const YES: ReadonlySet<unknown> = new Set(['allow_once', 'allow_run', 'always_allow']);

const REQUIRED = new Map<string, readonly AttributeKey[]>();
for (const [key, { required }] of Object.entries<AttributeSpec>(ATTRIBUTES)) for (const kind of required ?? []) REQUIRED.set(kind, [...(REQUIRED.get(kind) ?? []), key as AttributeKey]);

export class Monitor implements SpanProcessor {
  readonly #report: (violation: Violation) => void;
  readonly #strict: boolean;
  readonly #calls = new Map<string, Life>();
  readonly #endedRuns = new Recent();
  readonly #undone = new Recent();

  constructor({ onViolation, strict = false }: MonitorOptions) {
    this.#report = onViolation;
    this.#strict = strict;
  }

  onStart(span: ReadableSpan): void {
    const kind = kindOf(span);
    const parent = span.parentSpanContext?.spanId ?? '';
    if (kind === 'tool_call') {
      if (this.#endedRuns.has(parent)) this.#violated('call-after-run-end', span);
      this.#calls.set(span.spanContext().spanId, { span, allowedHash: undefined });
    } else if (kind === 'await_approval' || kind === 'execute_tool') {
      const call = this.#calls.get(parent);
      if (!call) this.#violated('outside-its-call', span);
      else if (kind === 'execute_tool' && !isAllowed(call)) this.#violated('executed-without-allow', span);
    }
  }

  onEnd(span: ReadableSpan): void {
    const kind = kindOf(span);
    const id = span.spanContext().spanId;
    switch (kind) {
      case 'tool_call':
        this.#forget(id);
        if (span.attributes['modelhub.call.outcome'] === undefined) this.#violated('call-without-outcome', span);
        break;
      case 'await_approval':
      case 'execute_tool': {
        const call = this.#calls.get(span.parentSpanContext?.spanId ?? '');
        if (!call) this.#violated('outside-its-call', span);
        else if (YES.has(span.attributes['modelhub.approval.decision'])) call.allowedHash = span.attributes['modelhub.approval.shown_hash'];
        break;
      }
      case 'undo':
        if (span.attributes['modelhub.undo.outcome'] === 'done' && !this.#undone.add(String(span.attributes['modelhub.undo.call_id']))) this.#violated('undone-twice', span);
        break;
      case 'invoke_agent':
        this.#endedRuns.add(id);
        break;
      case 'chat':
        break;
    }
    if (!this.#strict) return;
    this.#checkRequired(span, kind);
    this.#checkListed(span, kind);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }

  /** Emptied before it goes, as in the log's processor: else the map's old tables keep spans from being young garbage. */
  #forget(id: string): void {
    const life = this.#calls.get(id);
    if (!life) return;
    life.span = undefined;
    this.#calls.delete(id);
  }

  #checkRequired(span: ReadableSpan, kind: SpanKindName): void {
    const { attributes } = span;
    for (const key of REQUIRED.get(kind) ?? []) {
      if (attributes[key] !== undefined) continue;
      if (key === 'modelhub.call.outcome') continue; // has a rule of its own
      if (kind === 'tool_call' && NOT_KNOWN_YET.includes(key) && EARLY_CODES.has(attributes['modelhub.call.code'])) continue;
      this.#violated('attribute-missing', span, key);
    }
  }

  #checkListed(span: ReadableSpan, kind: SpanKindName): void {
    for (const [key, value] of Object.entries(span.attributes)) {
      const spec = specOf(key);
      const isHere = spec?.required?.includes(kind) || spec?.optional?.includes(kind);
      if (!spec || !isHere || !fits(spec, value)) this.#violated('attribute-not-listed', span, key);
    }
  }

  #violated(rule: Rule, span: ReadableSpan, attribute?: string): void {
    const { spanId, traceId } = span.spanContext();
    this.#report({ rule, span: kindOf(span), spanId, traceId, ...(attribute === undefined ? {} : { attribute }) });
  }
}

/** By the policy in force, or by a person who was shown these very arguments. */
function isAllowed({ span, allowedHash }: Life): boolean {
  if (span?.attributes['modelhub.policy.effective'] === 'allow') return true;
  return allowedHash !== undefined && allowedHash === span?.attributes['modelhub.arguments.hash'];
}

/** By what the name begins with: cutting the word out would make a string for each look. */
function kindOf({ name }: ReadableSpan): SpanKindName {
  return KINDS.find((kind) => name.startsWith(kind)) ?? 'chat';
}

/** The newest of many ids. */
class Recent {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** False if it was there. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const oldest = this.#ids.values().next();
    if (this.#ids.size > REMEMBERED && !oldest.done) this.#ids.delete(oldest.value);
    return true;
  }
}
