/** The host's traces, through a real collector into a real Jaeger: what Jaeger holds is what the log holds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTRIBUTES, specOf, type AttributeSpec, type SpanKindName } from '../../otel/attributes.ts';
import { spansOf, type SentSpan } from '../../otel/exporter/spans.ts';
import type { Row } from '../../otel/row.ts';
import { HostProcess, modelHub, TempPlace, type Person } from '../support/host-process.ts';
import { eventually } from './child.ts';
import { startCollector, type Collector } from './collector.ts';
import { startJaeger, type Jaeger, type JaegerSpan, type JaegerTrace } from './jaeger.ts';
import { without } from './parts.ts';

const CANARY = 'canary-7d1f';
/** What Jaeger writes to a span itself. */
const OF_JAEGER = new Set(['span.kind', 'error', 'otel.status_code', 'otel.scope.name', 'otel.scope.version']);

describe.skipIf(without('collector', 'jaeger'))('the traces of a host', () => {
  let jaeger: Jaeger;
  let collector: Collector;
  const place = new TempPlace();
  let host: HostProcess;
  let client: Client;
  let person: Person;

  const rows = (): Row[] => readFileSync(join(place.vault, '.obsidian/plugins/model-hub/tool-calls.jsonl'), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
  const pairs = (spans: readonly { readonly traceId: string; readonly spanId: string }[]): string[] => spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).toSorted();
  const inJaeger = async (): Promise<JaegerSpan[]> => {
    const traces = await Promise.all([...new Set(rows().map(({ trace }) => trace))].map((id) => jaeger.trace(id)));
    return traces.flatMap((trace) => trace?.spans ?? []);
  };
  const told = (spans: readonly JaegerSpan[]): string[] => pairs(spans.map(({ traceID, spanID }) => ({ traceId: traceID, spanId: spanID })));
  const inLog = (): SentSpan[] => rows().flatMap(spansOf);
  /** Jaeger has what the log has, each span once. */
  const same = (): Promise<true> => eventually(async () => (JSON.stringify(told(await inJaeger())) === JSON.stringify(pairs(inLog())) ? true : undefined), 'Jaeger has what the log has');
  const traces = (...args: string[]): ReturnType<typeof modelHub> => modelHub(place, 'traces', ...args);
  const open = async (): Promise<void> => {
    host = await HostProcess.start(place);
    client = await host.client();
    person = await host.person();
  };
  const close = async (): Promise<void> => {
    person.leave();
    await client.close();
    await host.stop();
  };

  beforeAll(async () => {
    jaeger = await startJaeger();
    collector = await startCollector({ jaeger });
  });
  afterAll(async () => {
    await host?.stop();
    await collector?.stop();
    await jaeger?.stop();
    place.remove();
  });

  it('D32 nothing is sent before the user has typed an endpoint and switched it on', async () => {
    await open();
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    expect(await traces()).toMatchObject({ code: 0, out: expect.stringMatching(/send +off\nendpoint +\(none\)/) as string });
    expect(await inJaeger()).toEqual([]);
    await close();
  });

  it('F140 D32 a test span shows what is sent, and what the collector said', async () => {
    expect((await traces('--set', `endpoint=${collector.url}`)).code).toBe(0);
    const { out, code } = await traces('--test');
    expect([code, out]).toEqual([0, expect.stringContaining(`POST ${collector.url}/v1/traces`)]);
    expect(out).toContain('The collector took the test span.');
    const trace = await jaeger.trace(/Trace ([0-9a-f]{32})/.exec(out)![1]!);
    expect(trace!.spans.map(({ operationName }) => operationName).toSorted()).toEqual(['execute_tool test.span', 'invoke_agent Model Hub', 'tool_call test.span']);
  });

  it('F141 F142 F143 a run is one trace: run, calls, wait, execution, and the undo with its link', async () => {
    await traces('--set', 'send=on');
    await open();
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    const adding = client.callTool({ name: 'books_add_to_shelf', arguments: { shelf: 'To read', book: CANARY } });
    await person.answer('allow_once');
    await adding;
    const refused = client.callTool({ name: 'books_add_to_shelf', arguments: { shelf: 'To read', book: CANARY } });
    await person.answer('deny');
    await refused;
    await client.callTool({ name: 'books_add_to_shelf', arguments: { shelf: CANARY, bok: CANARY } });
    const call = rows().find((row) => row.kind === 'call' && row.undo !== undefined)!;
    expect((await person.undo(call.id)).sentence).toBeDefined();
    await close();

    const trace = await eventually(async () => {
      const found = await jaeger.trace(call.trace);
      return found?.spans.some(({ operationName }) => operationName.startsWith('invoke_agent')) ? found : undefined;
    }, 'the run in Jaeger');
    expect(shapeOf(trace)).toEqual([
      'invoke_agent Claude Code',
      '  tool_call books.add_to_shelf', '  tool_call books.add_to_shelf', '  tool_call books.add_to_shelf', '  tool_call books.list_shelves',
      '    await_approval books.add_to_shelf', '    await_approval books.add_to_shelf', '    execute_tool books.add_to_shelf', '    execute_tool books.list_shelves',
      '  undo books.add_to_shelf',
    ].toSorted());
    for (const span of trace.spans) expect([span.duration >= 1, span.warnings ?? []]).toEqual([true, []]);
    const undo = trace.spans.find(({ operationName }) => operationName.startsWith('undo'))!;
    expect(undo.references).toContainEqual(expect.objectContaining({ refType: 'FOLLOWS_FROM', traceID: call.trace, spanID: call.id }));
  });

  it('E03 what Jaeger holds of what was sent is what the log holds, to the microsecond', async () => {
    const sent = rows().filter(({ w }) => w === rows().at(-1)!.w).flatMap(spansOf);
    const found = new Map((await inJaeger()).map((span) => [span.spanID, span]));
    expect(sent.map(({ spanId }) => [found.get(spanId)?.startTime, found.get(spanId)?.duration])).toEqual(sent.map(({ start, end }) => [start, end - start]));
  });

  it('F144 every attribute that arrived is in the published list, and none that a span needs is missing', async () => {
    for (const { operationName, tags } of await inJaeger()) {
      const kind = operationName.split(' ')[0] as SpanKindName;
      const here = new Set(tags.map(({ key }) => key).filter((key) => !OF_JAEGER.has(key)));
      for (const key of here) expect([key, specOf(key)?.required?.includes(kind) === true || specOf(key)?.optional?.includes(kind) === true, specOf(key)?.reach]).toEqual([key, true, undefined]);
      const isUnfit = tags.some(({ key, value }) => key === 'modelhub.call.code' && value === 'tool-invalid-input');
      const missing = Object.entries<AttributeSpec>(ATTRIBUTES).filter(([key, { required }]) => required?.includes(kind) && !here.has(key)).map(([key]) => key);
      expect([operationName, missing]).toEqual([operationName, isUnfit ? ['modelhub.policy.effective', 'modelhub.policy.source'] : []]);
    }
  });

  it('D31 no argument, message or handle is in anything that reached Jaeger', async () => {
    const text = JSON.stringify(await Promise.all([...new Set(rows().map(({ trace }) => trace))].map((id) => jaeger.trace(id))));
    expect(text.length).toBeGreaterThan(1_000);
    expect(text).not.toContain(CANARY);
    for (const row of rows()) {
      if (row.kind === 'run') continue;
      if (row.message !== undefined) expect(text).not.toContain(row.message);
      if (row.kind === 'call' && row.undo !== undefined) expect(text).not.toContain(row.undo);
    }
  });

  it('E03 rows from before it was switched on are sent when that is asked for, and none twice', async () => {
    const { out, code } = await modelHub(place, 'export', '--since', '2020-01-01T00:00:00Z');
    expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9]\d* spans sent to /)]);
    await same();
    expect((await modelHub(place, 'export', '--since', '2020-01-01T00:00:00Z')).out).toMatch(/^0 spans sent to /);
    await same();
  });

  it('E03 after an outage, and a crash of the host in the middle of it, what is missing is sent with the same ids', async () => {
    await collector.child.kill();
    await open();
    for (let i = 0; i < 20; i++) await client.callTool({ name: 'books_list_shelves', arguments: {} });
    host.child.kill('SIGKILL');
    await eventually(async () => (host.child.signalCode === null ? undefined : true), 'the host is gone');
    await collector.child.start();
    await open();
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    await close();
    expect(rows().some((row) => row.kind === 'run' && row.reason === 'interrupted')).toBe(true);
    await same();
  });

  it('E03 two hosts over one vault send each its own, and the next start what one of them could not', async () => {
    await open();
    const other = await HostProcess.start(place);
    const agent = await other.client('Codex');
    await Promise.all(Array.from({ length: 20 }, async () => {
      await client.callTool({ name: 'books_list_shelves', arguments: {} });
      await agent.callTool({ name: 'books_list_shelves', arguments: {} });
    }));
    other.child.kill('SIGKILL');
    await eventually(async () => (other.child.signalCode === null ? undefined : true), 'the other host is gone');
    await close();
    await open();
    await same();
    await close();
  });

  it('D32 what was not sent when it is switched off is not sent later', async () => {
    await collector.child.kill();
    await open();
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    const { trace } = rows().at(-1)!;
    await traces('--set', 'send=off');
    await eventually(async () => ((await traces()).out.includes('off') ? true : undefined), 'it is off');
    await collector.child.start();
    await traces('--set', 'send=on');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await close();
    const spans = (await jaeger.trace(trace))?.spans ?? [];
    expect(spans.map(({ operationName }) => operationName)).toEqual(['invoke_agent Claude Code']); // its end came after
  });
});

/** The names of a trace's spans, each as deep as it stands. */
function shapeOf({ spans }: JaegerTrace): string[] {
  const byId = new Map(spans.map((span) => [span.spanID, span]));
  const depth = ({ references }: JaegerSpan): number => {
    const parent = byId.get(references.find(({ refType }) => refType === 'CHILD_OF')?.spanID ?? '');
    return parent ? depth(parent) + 1 : 0;
  };
  return spans.map((span) => '  '.repeat(depth(span)) + span.operationName).toSorted();
}
