/** Spans through the real collector, to the real Jaeger and into its numbers for Prometheus. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './child.ts';
import { startCollector, type Collector } from './collector.ts';
import { startJaeger, type Jaeger, type JaegerSpan } from './jaeger.ts';
import { newSpanId, newTraceId, sendSpans, spanOf, type PlainSpan } from './otlp.ts';
import { without } from './parts.ts';

describe.skipIf(without('collector', 'jaeger'))('the real collector', () => {
  let jaeger: Jaeger;
  let collector: Collector;
  beforeAll(async () => {
    jaeger = await startJaeger();
    collector = await startCollector({ jaeger });
  });
  afterAll(async () => {
    await collector?.stop();
    await jaeger?.stop();
  });

  const call = (outcome: 'ok' | 'refused', traceId = newTraceId()): PlainSpan => ({
    traceId, spanId: newSpanId(), name: 'tool_call books.list', lasts: 12,
    attributes: { 'gen_ai.tool.name': 'books.list', 'modelhub.call.outcome': outcome, 'modelhub.client.kind': 'mcp', 'gen_ai.agent.name': 'Claude Code' },
  });
  const tag = (span: JaegerSpan, key: string): unknown => span.tags.find((each) => each.key === key)?.value;

  it('E13 hands a span to Jaeger, whole, before it answers', async () => {
    const run: PlainSpan = { traceId: newTraceId(), spanId: newSpanId(), name: 'invoke_agent Claude Code', lasts: 20, attributes: { 'modelhub.run.calls': 1 } };
    const child = { ...call('ok', run.traceId), parent: run.spanId };
    await sendSpans(collector.url, [run, child]);

    const trace = await jaeger.trace(run.traceId);
    const told = trace!.spans.find(({ spanID }) => spanID === child.spanId)!;
    expect(trace!.spans.map(({ spanID }) => spanID).toSorted()).toEqual([run.spanId, child.spanId].toSorted());
    expect(told).toMatchObject({ operationName: 'tool_call books.list', duration: 12_000, warnings: null });
    expect(told.references).toEqual([expect.objectContaining({ refType: 'CHILD_OF', spanID: run.spanId })]);
    expect([tag(told, 'modelhub.call.outcome'), tag(told, 'gen_ai.tool.name')]).toEqual(['ok', 'books.list']);
    expect(Object.values(trace!.processes)[0]).toMatchObject({ serviceName: 'model-hub' });
  });

  it('E13 counts calls by tool, client and outcome', async () => {
    await sendSpans(collector.url, [call('refused'), call('refused'), call('refused')]);
    const line = await eventually(async () => /^traces_span_metrics_calls_total\{[^}]*modelhub_call_outcome="refused"[^}]*\} 3$/m.exec(await collector.metrics())?.[0], 'three refused calls in the numbers');
    for (const label of ['gen_ai_tool_name="books.list"', 'gen_ai_agent_name="Claude Code"', 'modelhub_client_kind="mcp"']) expect(line).toContain(label);
  });

  it('E13 adds up what models cost, request by request', async () => {
    const chat = (usd: number): PlainSpan => spanOf('chat small-1', { 'gen_ai.request.model': 'small-1', 'modelhub.cost_usd_micros': usd });
    const sum = (micros: number): Promise<string> => eventually(
      async () => new RegExp(`^modelhub_cost_usd_micros_total\\{[^}]*gen_ai_request_model="small-1"[^}]*\\} ${micros}$`, 'm').exec(await collector.metrics())?.[0], `a sum of ${micros}`,
    );
    await sendSpans(collector.url, [chat(1500), chat(2500)]);
    await sum(4000);
    await sendSpans(collector.url, [chat(1000)]);
    await sum(5000);
  });

  it('E13 has nothing to say about old settings, and reports no fault', () => {
    expect(collector.child.log.split('\n').filter((line) => /\t(warn|error)\t|deprecated/i.test(line))).toEqual([]);
  });

  it('E13 lets Obsidian\'s window send, and no other page', async () => {
    const ask = async (origin: string): Promise<string | null> => {
      const answer = await fetch(`${collector.url}/v1/traces`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' } });
      return answer.headers.get('access-control-allow-origin');
    };
    expect([await ask('app://obsidian.md'), await ask('https://example.com')]).toEqual(['app://obsidian.md', null]);
  });

  it('E13 takes no span while Jaeger is away, and says so', async () => {
    const away = await startCollector({ jaeger: { otlpGrpc: '127.0.0.1:9' } });
    try {
      await expect(sendSpans(away.url, [call('ok')])).rejects.toThrow(/answered 503/);
    } finally {
      await away.stop();
    }
  });

  it('E13 goes on with the same addresses after a crash, and what it had answered is in Jaeger', async () => {
    const before = call('ok');
    await sendSpans(collector.url, [before]);
    await collector.child.kill();
    await expect(sendSpans(collector.url, [call('ok')])).rejects.toThrow();
    await collector.child.start();
    const after = call('ok');
    await sendSpans(collector.url, [after]);
    expect([(await jaeger.trace(before.traceId))?.spans.length, (await jaeger.trace(after.traceId))?.spans.length]).toEqual([1, 1]);
  });

  it('E13 can be held, so that it takes connections and never answers', async () => {
    await collector.child.hold();
    try {
      await expect(fetch(`${collector.url}/v1/traces`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(500) })).rejects.toThrow(/time/i);
    } finally {
      collector.child.resume();
    }
    await sendSpans(collector.url, [call('ok')]);
  });
});
