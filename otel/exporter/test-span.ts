/** A test span: shows exactly what would be sent, and what the collector said to it. */
import type { RowBody } from '../row.ts';
import { isoMicros } from '../text.ts';
import { deliver, type Delivery, type HttpPost } from './delivery.ts';
import { encode, type Origin } from './encode.ts';
import type { Target } from './exporter.ts';
import { spansOf } from './spans.ts';

export interface TestSpanResult {
  readonly url: string;
  /** Names only: values are secrets. */
  readonly headers: readonly string[];
  /** The request's JSON, as it was sent. */
  readonly body: string;
  readonly arrived: boolean;
  readonly sentence: string;
  readonly trace: string;
  /** The id of its outermost span. */
  readonly span: string;
}

export interface TestSpanParts {
  readonly origin: Omit<Origin, 'serviceName'>;
  readonly post: HttpPost;
  /** Microseconds since 1970. */
  readonly now: number;
  /** Random ids of 32 and 16 digits: of a trace and of three spans. */
  readonly ids: { readonly trace: string; readonly spans: readonly [string, string, string] };
}

/** Sends the spans of a call that never was, through the code that sends those that were. */
export async function sendTestSpan(target: Target, { origin, post, now, ids }: TestSpanParts): Promise<TestSpanResult> {
  const body = encode([{ writer: 'test', spans: spansOf(testRow(now, ids)) }], { ...origin, serviceName: target.serviceName });
  const delivery = await deliver(post, { url: target.url, headers: target.headers, body }, new AbortController().signal);
  return {
    url: target.url,
    headers: [...Object.keys(target.headers), 'content-type'],
    body: JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, 2),
    arrived: delivery.kind === 'delivered' && delivery.rejected === 0,
    sentence: sentenceOf(delivery),
    trace: ids.trace,
    span: ids.spans[0],
  };
}

function testRow(now: number, { trace, spans: [call, run, exec] }: TestSpanParts['ids']): RowBody {
  return {
    v: 1, kind: 'call', id: call, trace, time: isoMicros(now - 1_000), run: 'test', client: { kind: 'panel', name: 'Model Hub' }, single: true,
    plugin: 'model-hub', tool: 'test.span', effect: 'read', replay: 'safe', size: 2, policy: { effective: 'allow', source: 'builtin' }, outcome: 'ok', chars: 2,
    spans: { run, exec }, us: { exec: [100, 900], end: 1_000 },
  };
}

function sentenceOf(delivery: Delivery): string {
  const quoted = (said: string): string => (said === '' ? '' : ` It said: "${said}"`);
  switch (delivery.kind) {
    case 'delivered':
      return delivery.rejected === 0 ? 'The collector took the test span.' : `The collector took the request and threw away ${delivery.rejected} of its spans.${quoted(delivery.said)}`;
    case 'later':
      return `The test span did not arrive: ${delivery.why}. Is the collector running at this address?`;
    case 'refused':
      return `The collector refused the test span (status ${delivery.status}).${quoted(delivery.said)}`;
    case 'misconfigured':
      return `The test span did not arrive: ${delivery.why}.${quoted(delivery.said)}`;
  }
}
