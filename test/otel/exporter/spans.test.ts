/** Row → spans, over rows that anybody may have edited. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fits, specOf } from '../../../otel/attributes.ts';
import { spansOf, type SentSpan } from '../../../otel/exporter/spans.ts';
import type { Row } from '../../../otel/row.ts';
import { callRow, fullRow, hex, START } from './rows.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;
/** A row with something else in it, as a hand or a program may leave it. */
const edited = (change: object, row: Row = fullRow(1)): Row => ({ ...row, ...change });
const only = (change: object, kind: SentSpan['kind'] = 'tool_call'): SentSpan => spansOf(edited(change)).find((span) => span.kind === kind)!;

/** What every span that leaves this computer keeps, whatever its row says. */
function isFitToTravel({ traceId, spanId, parentId, name, start, end, attributes, events, links }: SentSpan): void {
  for (const [id, digits] of [[traceId, 32], [spanId, 16], [parentId ?? spanId, 16], ...links.flatMap((link) => [[link.traceId, 32], [link.spanId, 16]])] as const) {
    expect(typeof id).toBe('string');
    expect(id).toMatch(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
  }
  for (const time of [start, end, ...events.map(({ at }) => at)]) expect(Number.isSafeInteger(time) && time >= 0).toBe(true);
  expect(end).toBeGreaterThan(start);
  expect(name.isWellFormed()).toBe(true);
  expect(bytes(name)).toBeLessThanOrEqual(256);
  for (const [key, value] of [attributes, ...links.map((link) => link.attributes)].flatMap((each) => Object.entries(each))) {
    const spec = specOf(key);
    expect(spec && spec.reach !== 'local' && fits(spec, value), key).toBe(true);
    expect(['string', 'number', 'boolean']).toContain(typeof value);
    if (typeof value !== 'string') continue;
    expect(value.isWellFormed()).toBe(true);
    expect(bytes(value)).toBeLessThanOrEqual(1_024);
  }
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, -0, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 60, Number.NaN, Infinity, -Infinity, '', '0', 'ok', 'x'.repeat(2_000),
    'é'.repeat(2_000), '\ud800', `a\udc00${'😀'.repeat(300)}`, '0'.repeat(32), '0'.repeat(16), hex(1, 32), hex(1, 16), hex(0xabc, 16).toUpperCase(), [hex(1, 16)], [hex(1, 32)], [], {}, [[]], [1, 2, 3], [-5, 1e300, null]),
  fc.string({ unit: 'binary', maxLength: 50 }), fc.double(), fc.integer(), fc.array(fc.oneof(fc.integer(), fc.double(), fc.constant(null))), fc.object({ maxDepth: 1 }),
);
const KEYS = Object.keys({ ...fullRow(1), kind: 0, of: 0, trigger: 0, code: 0, reason: 0, calls: 0, refusals: 0, failures: 0, undos: 0, costUsdMicros: 0, tools: 0, parent: 0, session: 0, head: 0, toString: 0, constructor: 0 });
const INNER = { client: ['kind', 'name'], policy: ['effective', 'source'], approval: ['id', 'decision', 'by', 'granularity', 'limitS', 'position', 'preview'], granted: ['trace', 'span'], caller: ['trace', 'span'], wire: ['id', 'transport'], spans: ['run', 'wait', 'exec'], us: ['wait', 'exec', 'end'] };

const editedRow = fc.record({
  kind: fc.constantFrom('call', 'undo', 'run'), outer: fc.dictionary(fc.constantFrom(...KEYS), anything, { maxKeys: 3 }),
  inner: fc.constantFrom(...Object.keys(INNER) as (keyof typeof INNER)[]).chain((part) => fc.record({ part: fc.constant(part), change: fc.dictionary(fc.constantFrom(...INNER[part]), anything, { maxKeys: 2 }) })),
}).map(({ kind, outer, inner: { part, change } }) => ({ ...fullRow(1), kind, of: hex(9, 16), trigger: 'view', reason: 'ended', calls: 1, [part]: { ...fullRow(1)[part], ...change }, ...outer }) as unknown as Row);

describe('a row that somebody edited', () => {
  it('D31 E03 makes spans that are fit to travel, or none, and never throws', () => {
    fc.assert(fc.property(editedRow, (row) => spansOf(row).forEach(isFitToTravel)), { numRuns: 4_000 });
  });

  it('D31 E03 makes the same spans each time', () => {
    fc.assert(fc.property(editedRow, (row) => { expect(spansOf(row)).toEqual(spansOf(row)); }), { numRuns: 200 });
  });

  it('D31 E03 that is anything at all makes none, or some that are fit to travel', () => {
    fc.assert(fc.property(anything, (row) => spansOf(row as Row).forEach(isFitToTravel)), { numRuns: 500 });
  });

  it.each<[string, unknown]>([['no time', 'soon'], ['an empty time', ''], ['a time before 1970', '1960-01-01T00:00:00.000000Z'], ['a time that no clock shows', '+275760-09-13T00:00:00.000001Z'], ['a number', 7], ['null', null], ['half a microsecond', '2026-11-30T12:00:00.0001.5Z']])('E03 with %s in place of its time makes none', (_, time) => {
    expect(spansOf(edited({ time }))).toEqual([]);
  });

  it.each<[string, unknown]>([['zeros', '0'.repeat(32)], ['upper case', 'A'.repeat(32)], ['31 digits', 'a'.repeat(31)], ['a line break behind it', `${'a'.repeat(32)}\n`], ['a list', ['a'.repeat(32)]], ['nothing', undefined]])('E03 with %s in place of its trace makes none', (_, trace) => {
    expect(spansOf(edited({ trace }))).toEqual([]);
  });

  it.each<[string, unknown]>([['zeros', '0'.repeat(16)], ['a list', [hex(5, 16)]], ['a number', 1_234_567_890_123_456], ['an object', {}]])('E03 with %s in place of the ids of its parts keeps the call, and leaves the parts out', (_, id) => {
    const spans = spansOf(edited({ spans: { run: id, wait: id, exec: id } }));
    expect(spans.map(({ kind, parentId }) => [kind, parentId])).toEqual([['tool_call', undefined]]);
  });

  it('E12 with a list in place of a caller\'s ids has no link to it', () => {
    expect(only({ caller: { trace: [hex(8, 32)], span: [hex(8, 16)] }, granted: { trace: 'x', span: null } }).links).toEqual([]);
    expect(only({ caller: 'somebody', granted: 7 }).links).toEqual([]);
  });

  it.each<[string, number, number]>([['nothing', 0, 1], ['less than nothing', -5, 1], ['half a microsecond', 0.5, 1], ['no number', Number.NaN, 1], ['for ever', Infinity, 1], ['longer than a time can be told', Number.MAX_SAFE_INTEGER, 1], ['an hour', 3_600_000_000, 3_600_000_000]])('E03 that took %s has a span of a length that backends show', (_, end, length) => {
    const span = only({ us: { end } });
    expect(span.end - span.start).toBe(length);
  });

  it('E03 whose parts lie where no time is has them at its beginning', () => {
    const { start, end } = only({ us: { wait: [Number.MAX_SAFE_INTEGER, 1, 2], exec: [2 ** 53 - 1, 2 ** 53 - 1], end: 300 } }, 'execute_tool');
    expect([start, end]).toEqual([START + 1_000, START + 1_001]);
  });

  it('telemetry 6 telemetry 8 D31 is cut in bytes of UTF-8, never inside a character', () => {
    const name = only({ client: { kind: 'mcp', name: `a${'é'.repeat(2_048)}` } }).attributes['gen_ai.agent.name'] as string;
    expect(name).toBe(`a${'é'.repeat(511)}`);
    const family = '👨‍👩‍👧‍👦';
    const cut = only({ run: family.repeat(100) }).attributes['gen_ai.conversation.id'] as string;
    expect([cut.isWellFormed(), family.repeat(100).startsWith(cut), bytes(cut) > 1_020]).toEqual([true, true, true]);
    expect(only({ tool: '😀'.repeat(100) }).name).toBe(`tool_call ${'😀'.repeat(61)}`);
  });

  it('D31 with half a character in it has a whole one in its place, in names too', () => {
    const span = only({ tool: 'books.\ud800', run: '\udc00' });
    expect([span.name, span.attributes['gen_ai.tool.name'], span.attributes['gen_ai.conversation.id']]).toEqual(['tool_call books.\ufffd', 'books.\ufffd', '\ufffd']);
  });

  it('D31 with ten megabytes in it takes no more than a moment', () => {
    const huge = 'x'.repeat(10 << 20);
    const began = performance.now();
    spansOf(edited({ tool: huge, run: huge, plugin: huge, grant: huge, client: { kind: 'mcp', name: huge } })).forEach(isFitToTravel);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('telemetry 1 telemetry 2 telemetry 4 D31 sends no number that is none, no fraction, and none that loses its last digit', () => {
    const { attributes } = only({ size: Number.NaN, chars: Infinity, approval: { limitS: 0.5, position: 9007199254740993 } }, 'tool_call');
    expect([attributes['modelhub.arguments.size'], attributes['modelhub.result.size']]).toEqual([undefined, undefined]);
    expect(only({ approval: { limitS: 0.5, position: 2 ** 53 } }, 'await_approval').attributes).not.toHaveProperty('modelhub.approval.queue_position');
  });

  it.each([['outcome', 'modelhub.call.outcome'], ['code', 'modelhub.call.code'], ['reason', 'modelhub.refusal.reason'], ['effect', 'modelhub.tool.effect'], ['replay', 'modelhub.tool.replay']])('telemetry 44 D31 with a word of its own as %s is sent without it: a note could stand there', (key, attribute) => {
    const span = only({ [key]: 'My diary' });
    expect(Object.keys(span.attributes)).not.toContain(attribute);
    expect(JSON.stringify(spansOf(edited({ [key]: 'My diary' })))).not.toContain('diary');
  });

  it('telemetry 44 F143 D31 sends no key that the registry does not list, no message and no handle', () => {
    const text = JSON.stringify(spansOf(edited({ ...JSON.parse('{"__proto__":{"secret":"canary"}}') as object, note: 'canary', message: 'canary', undo: 'canary', args: { text: 'canary' }, policy: { note: 'canary' } })));
    expect(text).toContain('tool_call');
    expect(text).not.toContain('canary');
  });
});

describe('a row as it is written', () => {
  it('F141 F143 is call, wait, execution and root, in the order in which a backend can show them', () => {
    const spans = spansOf(fullRow(1));
    const root = hex(18, 16);
    const call = hex(17, 16);
    expect(spans.map(({ kind, parentId }) => [kind, parentId])).toEqual([['tool_call', root], ['await_approval', call], ['execute_tool', call], ['invoke_agent', undefined]]);
    expect(spans[0]!.attributes['modelhub.arguments.hash']).toBe(`hmac-sha256:${'5'.repeat(64)}`);
    spans.forEach(isFitToTravel);
  });

  it('telemetry 38 D30 a call that was refused is one call span, no execution, and no error', () => {
    const spans = spansOf(callRow(1, { single: undefined, outcome: 'refused', code: 'tool-denied', reason: 'user', spans: { run: hex(2, 16), wait: hex(4, 16) }, us: { wait: [1, 2, 3], end: 4 } } as object));
    expect(spans.map(({ kind, error }) => [kind, error])).toEqual([['tool_call', false], ['await_approval', false]]);
  });
});
