/**
 * The W3C `traceparent` of a caller, which becomes a link: one waterfall then shows the agent and the vault (E12). Only its ids
 * are taken. Its flags say whether the caller records: they have no say in whether we do.
 */

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** A version that is to come may write more behind it; none needs this much. */
const LIMIT = 256;
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** `undefined` for whatever is none, as the recommendation has it: lower-case hex, no zero ids, nothing behind version 00. */
export function readTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || value.length > LIMIT) return undefined;
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId };
}
