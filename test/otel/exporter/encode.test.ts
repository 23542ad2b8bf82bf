/** Spans as a request: what a collector reads in it is what the row says, to the nanosecond. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode } from '../../../otel/exporter/encode.ts';
import { spansOf } from '../../../otel/exporter/spans.ts';
import { isoMicros, microsOf } from '../../../otel/text.ts';
import { callRow, fullRow, hex } from './rows.ts';

interface Value { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean }
interface Attribute { readonly key: string; readonly value: Value }
interface Encoded {
  readonly traceId: string; readonly spanId: string; readonly parentSpanId?: string; readonly name: string; readonly kind: number;
  readonly startTimeUnixNano: string; readonly endTimeUnixNano: string; readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: readonly Attribute[] }[];
  readonly status: { readonly code?: number; readonly message?: string };
}
interface Request { readonly resourceSpans: readonly { readonly resource: { readonly attributes: readonly Attribute[] }; readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly Encoded[] }[] }[] }

const ORIGIN = { serviceName: 'model-hub', serviceVersion: '1.2.3', vaultId: 'v1' };
const read = (bytes: Uint8Array): Request => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Request;
const spansIn = (request: Request): Encoded[] => request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
const valueOf = ({ stringValue, intValue, boolValue }: Value): unknown => stringValue ?? boolValue ?? Number(intValue);
const attributesOf = (attributes: readonly Attribute[]): object => Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const id = (digits: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits }).filter((text) => /[^0]/.test(text));
const rows = fc.record({
  trace: id(32), id: id(16), run: id(16), exec: id(16), wait: id(16), time: fc.integer({ min: 0, max: 4_000_000_000_000_000 }), us: fc.array(fc.nat(3_600_000_000), { minLength: 6, maxLength: 6 }),
  name: fc.string({ unit: 'binary', maxLength: 60 }), tool: fc.string({ maxLength: 40 }),
}).map(({ trace, id: call, run, exec, wait, time, us, name, tool }) => {
  const [a, b, c, d, e, end] = us.toSorted((x, y) => x - y) as [number, number, number, number, number, number];
  return fullRow(1, { trace, id: call, spans: { run, wait, exec }, time: isoMicros(time), us: { wait: [a, b, c], exec: [d, e], end }, client: { kind: 'mcp', name }, tool });
});

describe('a request to a collector', () => {
  it('E03 D30 holds ids and attributes to the letter, and times to the nanosecond', () => {
    fc.assert(fc.property(rows, (row) => {
      const spans = spansOf(row);
      const found = spansIn(read(encode([{ writer: 'w1', spans }], ORIGIN)));
      expect(found.map((span) => [span.traceId, span.spanId, span.parentSpanId, span.name, span.startTimeUnixNano, span.endTimeUnixNano])).toEqual(
        spans.map(({ traceId, spanId, parentId, name, start, end }) => [traceId, spanId, parentId, name, String(BigInt(start) * 1_000n), String(BigInt(end) * 1_000n)]),
      );
      expect(found.map(({ attributes }) => attributesOf(attributes))).toEqual(spans.map(({ attributes }) => attributes));
      expect(found.map(({ events }) => events.map(({ name, timeUnixNano }) => [name, timeUnixNano]))).toEqual(spans.map(({ events }) => events.map(({ name, at }) => [name, String(BigInt(at) * 1_000n)])));
      expect(found.map(({ links }) => links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes: attributesOf(attributes) })))).toEqual(spans.map(({ links }) => links));
      const [call, wait, exec] = spans.map(({ start }) => start);
      expect([call, wait! - call!, exec! - call!]).toEqual([microsOf(row.time), row.us.wait![0], row.us.exec![0]]);
    }), { numRuns: 150 });
  });

  it('E03 is the same to the byte each time, so that sending again changes nothing', () => {
    fc.assert(fc.property(rows, (row) => {
      const bytes = (): string => Buffer.from(encode([{ writer: 'w1', spans: spansOf(JSON.parse(JSON.stringify(row)) as typeof row) }], ORIGIN)).toString('hex');
      expect(bytes()).toBe(bytes());
    }), { numRuns: 50 });
  });

  it('says where its spans come from, by random ids alone', () => {
    const request = read(encode([{ writer: 'w1', spans: spansOf(callRow(1)) }, { writer: 'w2', spans: spansOf(callRow(2)) }, { writer: 'w1', spans: spansOf(callRow(3)) }], ORIGIN));
    expect(request.resourceSpans.map(({ resource }) => attributesOf(resource.attributes))).toEqual(['w1', 'w2'].map((writer) => (
      { 'service.name': 'model-hub', 'service.version': '1.2.3', 'service.instance.id': writer, 'modelhub.telemetry.schema': '1.0.0', 'modelhub.vault.id': 'v1' })));
    expect(request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.map(({ scope }) => scope.name))).toEqual(['model-hub', 'model-hub']);
  });

  it('D31 has no message in a status, and an error only where the tool did not do its job', () => {
    const statusOf = (outcome: 'ok' | 'failed' | 'refused' | 'timeout'): unknown => spansIn(read(encode([{ writer: 'w1', spans: spansOf(callRow(1, { outcome, message: 'My diary' })) }], ORIGIN))).map(({ status }) => status);
    expect(statusOf('failed')).toEqual([{ code: 2 }, { code: 2 }, { code: 0 }]);
    expect(statusOf('timeout')).toEqual([{ code: 2 }, { code: 2 }, { code: 0 }]);
    for (const outcome of ['ok', 'refused'] as const) expect(statusOf(outcome)).toEqual([{ code: 0 }, { code: 0 }, { code: 0 }]);
  });

  it('D31 a writer that somebody made up is cut like any other text', () => {
    const request = read(encode([{ writer: `\ud800${'é'.repeat(5_000)}`, spans: spansOf(callRow(1)) }], ORIGIN));
    const { 'service.instance.id': writer } = attributesOf(request.resourceSpans[0]!.resource.attributes) as { 'service.instance.id': string };
    expect([writer.isWellFormed(), new TextEncoder().encode(writer).length <= 1_024]).toEqual([true, true]);
  });

  it('that is empty is one that a collector takes', () => {
    expect(read(encode([], ORIGIN))).toEqual({ resourceSpans: [] });
  });

  it('telemetry 36 needs nobody to say on what machine it is: no host, no process, no user', () => {
    const text = new TextDecoder().decode(encode([{ writer: 'w1', spans: spansOf(fullRow(1)) }], ORIGIN));
    expect(text).not.toMatch(/host\.|process\.|telemetry\.sdk|os\./);
    expect(text).toContain(hex(17, 16));
  });
});
