/** Reading a call's fields from its bytes: what it takes, parsing takes too, and says the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallBytes } from '../../otel/call-bytes.ts';
import { isRow, lineObject, lineText } from '../../otel/row-in.ts';
import { openJson } from '../../otel/row-json.ts';
import type { CallRow } from '../../otel/row.ts';

const plain = fc.stringMatching(/^[\w .:/-]{1,20}$/);
const anyText = fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) });
const millis = fc.oneof(fc.nat(60_000), fc.nat(60_000_000).map((micros) => micros / 1000));
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

const calls = fc.record({
  time: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }).map((date) => date.toISOString().replace('Z', '123Z')),
  run: anyText, name: anyText, single: fc.boolean(), plugin: maybe(anyText), tool: anyText, effect: maybe(fc.constantFrom('read', 'write')),
  outcome: fc.constantFrom('ok', 'empty', 'refused', 'invalid', 'failed', 'timeout', 'aborted', 'interrupted'), message: maybe(anyText), waitMs: maybe(millis), ms: maybe(millis),
  approval: maybe(fc.record({ id: plain, decision: plain, by: plain, limitS: fc.nat(120) })), undo: maybe(anyText), chars: maybe(fc.nat(1_000_000)), cut: fc.boolean(),
  caller: maybe(fc.record({ trace: plain, span: plain })), us: fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 3 }), n: fc.integer({ min: 1, max: 2 ** 40 }), late: fc.boolean(),
}).map(({ name, single, cut, us, n, late, ...rest }) => {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const row = {
    v: 1, kind: 'call', id: '0123456789abcdef', trace: '0'.repeat(32), client: { kind: 'mcp', name }, ...(single ? { single: true } : {}), args: `hmac-sha256:${'5'.repeat(64)}`, size: 2,
    policy: { effective: 'allow', source: 'builtin' }, ...(cut ? { cut: true } : {}), spans: { run: 'a', wait: 'b' }, us: { wait: us, end: 7 }, ...present,
  };
  return `${openJson(row as unknown as CallRow)}${late ? ',"late":true' : ''},"w":"abc","n":${n},"prev":"def"}`;
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const ended = (line: Uint8Array): Uint8Array => Uint8Array.of(...line, 0x0a);

function agrees(line: Uint8Array): boolean {
  const call = new CallBytes();
  if (call.read(ended(line), 0) !== line.length) return false;
  const value = lineObject(lineText(line)!)!;
  if (!isRow(value) || value.kind !== 'call') throw new Error('it took what is no call');
  const at = ({ from, to }: { from: number; to: number }): string => new TextDecoder().decode(line.subarray(from, to));
  expect({ time: at(call.time), run: at(call.run), client: at(call.client), tool: at(call.tool), outcome: at(call.outcome), single: call.single, ms: call.ms, w: at(call.writer), n: call.n })
    .toEqual({ time: value.time, run: value.run, client: value.client.name, tool: value.tool, outcome: value.outcome, single: value.single ?? false, ms: value.ms ?? -1, w: value.w, n: value.n });
  return true;
}

describe('the fields of a call, from its bytes', () => {
  it('F131 are those that parsing finds, whatever the row holds', () => {
    let taken = 0;
    fc.assert(fc.property(calls, (line) => {
      if (agrees(bytesOf(line))) taken++;
    }), { numRuns: 3000 });
    expect(taken).toBeGreaterThan(300);
  });

  it('F131 and of a line with a byte changed, put in or taken out it takes none that parsing refuses', () => {
    fc.assert(fc.property(calls, fc.nat(), fc.nat(255), fc.constantFrom('change', 'insert', 'delete', 'cut'), (line, place, byte, how) => {
      const bytes = [...bytesOf(line)];
      const at = place % bytes.length;
      if (how === 'change') bytes[at] = byte;
      else if (how === 'insert') bytes.splice(at, 0, byte);
      else if (how === 'delete') bytes.splice(at, 1);
      else bytes.length = at;
      agrees(Uint8Array.from(bytes));
    }), { numRuns: 5000 });
  });

  it.each([
    ['a number with a zero before it', '"ms":07'], ['a number that ends in a dot', '"ms":7.'], ['a number with two dots', '"ms":1.2.3'], ['a sign', '"ms":-1'], ['a power', '"ms":1e3'], ['no number', '"ms":'],
  ])('F131 %s is left to parsing', (_, ms) => {
    const line = '{"v":1,"kind":"call","id":"a","trace":"b","time":"c","run":"d","client":{"kind":"mcp","name":"e"},"tool":"f","outcome":"ok","ms":5,"spans":{"run":"g"},"us":{"end":1},"w":"w","n":1}';
    expect(new CallBytes().read(bytesOf(`${line}\n`), 0)).toBe(line.length);
    expect(new CallBytes().read(bytesOf(line), 0)).toBe(-1);
    expect(new CallBytes().read(bytesOf(`${line.replace('"ms":5', ms)}\n`), 0)).toBe(-1);
  });
});
