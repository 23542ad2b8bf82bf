/** The border that arguments cross: what is no JSON, and the canonical form, held against a library that writes it. */
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, SIZE_LIMIT } from '../../src/core/input.ts';
import { HubError } from '../../src/core/errors.ts';
import cases from '../cases/arguments.json' with { type: 'json' };

const canonical = (json: string): string => admit(JSON.parse(json)).canonical;

function refusal(value: unknown): HubError {
  try {
    admit(value);
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error('was admitted');
}

/** A value nested `levels` deep, the outermost object included. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const sparse: unknown[] = [];
sparse[1] = 1;

const throwing = (): never => { throw new Error('CANARY'); };

/** The list of `arguments.json`, each as the value it stands for. */
const NOT_JSON: readonly (readonly [name: string, value: unknown])[] = [
  ['NaN', { a: NaN }],
  ['Infinity', { a: -Infinity }],
  ['a cycle', cycle],
  ['1n', { a: 1n }],
  ['() => 1', { a: () => 1 }],
  ['Symbol()', { a: Symbol('x') }],
  ['new Date()', { a: new Date(0) }],
  ['new Map()', { a: new Map() }],
  ['[ , 1]', { a: sparse }],
  ['{ a: undefined } inside an array', { a: [{ a: undefined }] }],
  ['an own __proto__ key', JSON.parse('{"__proto__":{"effect":"read"}}')],
  ['\\ud800 alone', { a: '\ud800' }],
  ['depth 65', nested(65)],
  ['over 1 MB', { a: 'x'.repeat(SIZE_LIMIT) }],
];

const MORE_NOT_JSON: readonly (readonly [name: string, value: unknown])[] = [
  ['a lone surrogate in a key', { '\udc00': 1 }],
  ['an instance of a class', { a: new (class { x = 1; })() }],
  ['a boxed text', { a: Object('x') }],
  ['a property under a symbol', { [Symbol('hidden')]: 1 }],
  ['a property under a symbol, without a prototype', Object.assign(Object.create(null) as object, { [Symbol('hidden')]: 1 })],
  ['undefined as a property', { a: undefined }],
  ['a list with a property of its own', { a: Object.assign([1], { extra: 1 }) }],
  ['a regular expression', { a: /x/ }],
  ['a typed array', { a: new Uint8Array(1) }],
  ['a list nested 65 deep', { a: JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`) }],
  ['depth 5 000', nested(5_000)],
  ['over 1 MB in bytes though not in characters', { a: '€'.repeat(400_000) }],
  ['over 1 MB in keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`a-long-enough-key-${i}`, i]))],
  ['a small object whose shared parts unfold to 2^40', Array.from({ length: 40 }).reduce((inner) => ({ a: inner, b: inner }), {})],
];

describe('arguments at the border', () => {
  it.each(cases.equal)('F119 arguments.json %s and %s have one canonical form', (one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  it.each(cases.differ)('D11 arguments.json %s and %s differ', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  it('D11 arguments.json every input of the refuse list is covered here', () => {
    expect(NOT_JSON.map(([name]) => name)).toEqual(cases.refuse);
  });

  it.each([...NOT_JSON, ...MORE_NOT_JSON])('D11 %s is refused as tool-invalid-input', (_, value) => {
    expect(refusal(value).code).toBe('tool-invalid-input');
  });

  it('D22 64 levels and 1 MB pass', () => {
    expect(() => admit(nested(64))).not.toThrow();
    expect(() => admit({ a: 'x'.repeat(SIZE_LIMIT - 8) })).not.toThrow();
  });

  it('D11 what comes out is frozen through and through and shares nothing with what came in', () => {
    const value = { list: [{ a: 1 }], object: { b: 2 } };
    const { input } = admit(value);
    value.list[0]!.a = 9;
    value.object.b = 9;
    expect(input).toEqual({ list: [{ a: 1 }], object: { b: 2 } });
    const copy = input as unknown as typeof value;
    expect([copy, copy.list, copy.list[0], copy.object].every(Object.isFrozen)).toBe(true);
  });

  it('D11 a property that answers differently each time is read once', () => {
    let reads = 0;
    const shifty = { get amount() { return ++reads; } };
    const { input, canonical: text } = admit(shifty);
    expect([input, text, reads]).toEqual([{ amount: 1 }, '{"amount":1}', 1]);
  });

  it('B17 arguments named like parts of Object.prototype leave the prototype alone', () => {
    const { input } = admit(JSON.parse('{"constructor":{"prototype":{"effect":"read"}},"toString":1}'));
    expect(({} as { effect?: string }).effect).toBeUndefined();
    expect(Object.keys(input as object)).toEqual(['constructor', 'toString']);
  });

  it('D25 the canonical form is the one of RFC 8785, held against a library that writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        if (holdsProto(plain)) return;
        expect(admit(plain).canonical).toBe(canonicalize(plain));
      }),
      { numRuns: 2_000 },
    );
  });

  it('B10 equal calls and only equal calls have one canonical form, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        if (holdsProto(one) || holdsProto(other)) return;
        expect(admit(shuffled(one)).canonical).toBe(admit(one).canonical);
        expect(admit(one).canonical === admit(other).canonical).toBe(canonicalize(one) === canonicalize(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('RFC 8785 the numbers and texts of its examples come out to the letter', () => {
    const sample = { numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001], string: '€$\u000f\nA\'B"\\\\"/', literals: [null, true, false] };
    expect(admit(sample).canonical).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}');
    expect(admit({ '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😂': 5, '\u0080': 6, 'ö': 7 }).canonical).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😂":5,"\ufb33":3}');
  });
});

function holdsProto(value: unknown): boolean {
  return JSON.stringify(value).includes('"__proto__"');
}

/** The same value with the keys of every object in reverse order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, part]) => [key, shuffled(part)]));
}

it.each<[string, unknown]>([
  ['a getter', { get a() { return throwing(); } }], ['a proxy', new Proxy({}, { ownKeys: throwing })], ['a proxy in a list', [new Proxy({}, { getPrototypeOf: throwing })]],
])('F152 B40 %s that throws is a fault of the arguments, and what it threw is not repeated', (_, value) => {
  const error = refusal({ a: value });
  expect([error.code, error.message]).toEqual(['tool-invalid-input', 'The arguments could not be read: something in them throws.']);
});
