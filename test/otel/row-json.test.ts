/** The writer of a row's JSON, held against JSON.stringify. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTRIBUTES } from '../../otel/attributes.ts';
import { openJson } from '../../otel/row-json.ts';
import type { CallRow, RowBody } from '../../otel/row.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 40 }));
const hex = (length: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const millis = fc.nat(10_000_000).map((micros) => micros / 1000);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const callRow = fc.record({
  v: fc.constant(1), kind: fc.constant('call'), id: hex(16), trace: hex(32), time: fc.constant('2026-11-30T12:00:00.000001Z'), run: text,
  client: fc.record({ kind: fc.constantFrom('plugin', 'panel', 'mcp', 'agent'), name: text }), plugin: maybe(text), tool: text, effect: maybe(fc.constantFrom('read', 'write')),
  args: maybe(hex(64).map((digest) => `hmac-sha256:${digest}`)),
  policy: maybe(fc.record({ effective: fc.constantFrom(...ATTRIBUTES['modelhub.policy.effective'].values), source: fc.constantFrom(...ATTRIBUTES['modelhub.policy.source'].values) })),
  outcome: fc.constantFrom(...ATTRIBUTES['modelhub.call.outcome'].values), code: maybe(fc.constantFrom(...ATTRIBUTES['modelhub.call.code'].values)),
  reason: maybe(fc.constantFrom(...ATTRIBUTES['modelhub.refusal.reason'].values)), message: maybe(text), waitMs: maybe(millis), ms: maybe(millis),
  approval: maybe(fc.record({ id: text, decision: text, by: text })), grant: maybe(text), chars: maybe(fc.nat()), cut: maybe(fc.constant(true)), undo: maybe(text),
  spans: fc.record({ run: hex(16), wait: maybe(hex(16)), exec: maybe(hex(16)) }),
  us: fc.record({ wait: maybe(fc.array(fc.nat(), { minLength: 2, maxLength: 3 })), exec: maybe(fc.tuple(fc.nat(), fc.nat())), end: fc.nat() }),
}).map((row) => JSON.parse(JSON.stringify(row)) as CallRow); // absent rather than undefined, as rows are

describe('a row as text', () => {
  it('D31 log-faults 15 is what JSON.stringify gives, to the letter, whatever its texts hold', () => {
    fc.assert(fc.property(callRow, (row) => {
      expect(`${openJson(row)}}`).toBe(JSON.stringify(row));
      expect(JSON.parse(`${openJson(row)}}`)).toEqual(row);
    }), { numRuns: 3_000 });
  });

  it('F115 an undo and a run are written the same way', () => {
    const row: RowBody = { v: 1, kind: 'run', id: 'a', trace: 'b', time: 't', run: 'r', client: { kind: 'mcp', name: '"\u2028' }, reason: 'ended', calls: 1, refusals: 0, failures: 0, undos: 0, us: { end: 1 } };
    expect(`${openJson(row)}}`).toBe(JSON.stringify(row));
  });
});
