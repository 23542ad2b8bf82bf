/**
 * Rows of one writer, sent as one request. Where the collector refuses it, for something in it, it is halved until what
 * is refused stands alone: one row that a collector will not have keeps no other from it.
 */
import type { RowBody } from '../row.ts';
import { deliver, type Delivery, type HttpPost } from './delivery.ts';
import { encode, type Origin } from './encode.ts';
import type { Target } from './exporter.ts';
import { isSampled } from './sampling.ts';
import { spansOf } from './spans.ts';

export interface BatchParts {
  readonly target: Target;
  readonly origin: Omit<Origin, 'serviceName'>;
  readonly post: HttpPost;
  readonly clock: { monotonic(): number };
  readonly stop: AbortSignal;
}

export type BatchResult =
  /** None of these has to be sent again. */
  | {
    readonly kind: 'done';
    /** Spans that the collector took; and that it threw away, or would not have. */
    readonly delivered: number;
    readonly rejected: number;
    readonly said: string;
    /** Milliseconds of our own work. */
    readonly spentMs: number;
  }
  | {
    readonly kind: 'failed';
    readonly why: string;
    readonly said: string;
    readonly waitMs: number;
    /** It may work by itself in a while; else somebody has to change something. */
    readonly passing: boolean;
  };

const NOTHING: BatchResult = { kind: 'done', delivered: 0, rejected: 0, said: '', spentMs: 0 };

export async function sendRows(writer: string, rows: readonly RowBody[], parts: BatchParts): Promise<BatchResult> {
  if (rows.length === 0) return NOTHING;
  const began = parts.clock.monotonic();
  const spans = rows.filter(({ trace }) => isSampled(trace, parts.target.sampleRate)).flatMap(spansOf);
  if (spans.length === 0) return NOTHING;
  const body = encode([{ writer, spans }], { ...parts.origin, serviceName: parts.target.serviceName });
  const spentMs = parts.clock.monotonic() - began;
  const delivery = await post(body, parts);
  switch (delivery.kind) {
    case 'delivered': {
      const rejected = Math.min(delivery.rejected, spans.length); // a collector may say anything
      return { kind: 'done', delivered: spans.length - rejected, rejected, said: delivery.said, spentMs };
    }
    case 'later':
      return { kind: 'failed', why: delivery.why, said: '', waitMs: delivery.waitMs ?? 0, passing: true };
    case 'misconfigured':
      return { kind: 'failed', why: delivery.why, said: delivery.said, waitMs: 0, passing: false };
    case 'refused':
      return rows.length === 1 ? refused(delivery, spans.length, parts) : sendHalves(writer, rows, parts);
  }
}

/** Is it this row, or does the collector refuse whatever comes? Then the row is not to blame, and waits. */
async function refused({ status, said }: Extract<Delivery, { kind: 'refused' }>, count: number, parts: BatchParts): Promise<BatchResult> {
  const empty = await post(encode([], { ...parts.origin, serviceName: parts.target.serviceName }), parts);
  return empty.kind === 'delivered' ? { kind: 'done', delivered: 0, rejected: count, said, spentMs: 0 } : { kind: 'failed', why: `status ${status}`, said, waitMs: 0, passing: false };
}

/** If the second half fails, both are sent again: that changes nothing at the collector. */
async function sendHalves(writer: string, rows: readonly RowBody[], parts: BatchParts): Promise<BatchResult> {
  const half = rows.length >> 1;
  const first = await sendRows(writer, rows.slice(0, half), parts);
  if (first.kind === 'failed') return first;
  const second = await sendRows(writer, rows.slice(half), parts);
  if (second.kind === 'failed') return second;
  return {
    kind: 'done', delivered: first.delivered + second.delivered, rejected: first.rejected + second.rejected,
    said: first.said || second.said, spentMs: first.spentMs + second.spentMs,
  };
}

function post(body: Uint8Array<ArrayBuffer>, { post: send, target: { url, headers }, stop }: BatchParts): Promise<Delivery> {
  return deliver(send, { url, headers, body }, stop);
}
