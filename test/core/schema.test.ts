/** The schema of a tool's input: the subset that is taken, and faults that name the place and no value. */
import { describe, expect, it } from 'vitest';
import { admit } from '../../src/core/input.ts';
import { HubError } from '../../src/core/errors.ts';
import { InputCheck, readSchema } from '../../src/core/schema.ts';

const BOOK = {
  type: 'object',
  properties: {
    shelf: { type: 'string', description: 'Which shelf.' },
    copies: { type: 'integer', minimum: 1 },
    state: { type: 'string', enum: ['new', 'used'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { row: { type: 'number' } }, required: ['row'] },
    'a/b~c': { type: 'boolean' },
  },
  required: ['shelf'],
} as const;

function fault(schema: unknown, input: unknown): HubError {
  try {
    new InputCheck(readSchema(schema, 'books.add')).check(admit(input).input);
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error('fits');
}

describe('the schema of a tool\'s input', () => {
  it.each([
    [{}, '"shelf" is missing.'],
    [{ shelf: 1 }, '"shelf" must be of the type string.'],
    [{ shelf: 's', copies: 0 }, '"copies" must be at least 1.'],
    [{ shelf: 's', copies: 1.5 }, '"copies" must be of the type integer.'],
    [{ shelf: 's', state: 'lost' }, '"state" must be one of: "new", "used".'],
    [{ shelf: 's', tags: ['a', 2] }, '"tags.1" must be of the type string.'],
    [{ shelf: 's', place: {} }, '"place.row" is missing.'],
    [{ shelf: 's', 'a/b~c': 1 }, '"a/b~c" must be of the type boolean.'],
    [{ shelf: 's', place: { row: 1, seat: 2 } }, '"place.seat" is not a property of this input. It takes: row.'],
    [{ shelf: 's', shlef: 's' }, '"shlef" is not a property of this input. It takes: shelf, copies, state, tags, place, a/b~c.'],
    [[], '"the input" must be of the type object.'],
    [null, '"the input" must be of the type object.'],
  ])('F091 %j is refused with the fault by name', (input, message) => {
    const error = fault(BOOK, input);
    expect([error.code, error.message]).toEqual(['tool-invalid-input', message]);
  });

  it('F090 F092 what fits passes', () => {
    const check = new InputCheck(readSchema(BOOK, 'books.add'));
    expect(() => check.check(admit({ shelf: 's', copies: 2, state: 'new', tags: [], place: { row: 1.5 } }).input)).not.toThrow();
  });

  it('D22 an empty object schema takes no property', () => {
    expect(fault({ type: 'object' }, { a: 1 }).message).toBe('"a" is not a property of this input. It takes no properties.');
  });

  it('B40 the name of an unknown property is the caller\'s own word: the caller hears it, the log does not', () => {
    const error = fault(BOOK, { shelf: 's', 'CANARY-7f3a': 1 });
    expect(error.message).toContain('CANARY-7f3a');
    expect(error.logged).not.toContain('CANARY');
  });

  it.each([[{ shelf: 'CANARY-7f3a', state: 'CANARY-7f3a' }], [{ shelf: 's', tags: ['CANARY-7f3a', 1] }], [{ shelf: 's', copies: 'CANARY-7f3a' }]])('B40 no fault repeats a value: %j', (input) => {
    const error = fault(BOOK, input);
    expect(`${error.message} ${error.logged}`).not.toContain('CANARY');
  });

  it('B17 a property called toString is required and not inherited', () => {
    const schema = { type: 'object', properties: { toString: { type: 'string' }, constructor: { type: 'string' } }, required: ['toString'] };
    expect(fault(schema, {}).message).toBe('"toString" is missing.');
    expect(fault(schema, { toString: 'x', valueOf: 'x' }).message).toBe('"valueOf" is not a property of this input. It takes: toString, constructor.');
  });

  it.each([
    ['a keyword outside the subset', { type: 'object', additionalProperties: true }],
    ['anyOf at the top (M08)', { type: 'object', anyOf: [{ type: 'object' }] }],
    ['a pattern', { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }],
    ['a reference', { type: 'object', properties: { a: { $ref: '#' } } }],
    ['no type', { properties: {} }],
    ['a type that is none', { type: 'object', properties: { a: { type: 'date' } } }],
    ['a list of types', { type: ['object', 'null'] }],
    ['a text at the top', { type: 'string' }],
    ['required without a property of that name', { type: 'object', properties: {}, required: ['toString'] }],
    ['items on an object', { type: 'object', items: { type: 'string' } }],
    ['a minimum on a text', { type: 'object', properties: { a: { type: 'string', minimum: 1 } } }],
    ['an enum of objects', { type: 'object', properties: { a: { type: 'string', enum: [{}] } } }],
    ['properties on a text', { type: 'object', properties: { a: { type: 'string', properties: {} } } }],
    ['required on a text', { type: 'object', properties: { a: { type: 'string', required: [] } } }],
    ['properties that are a list', { type: 'object', properties: ['a'] }],
    ['a property called __proto__', { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') }],
    ['required that is a text', { type: 'object', properties: { a: { type: 'string' } }, required: 'a' }],
    ['a description that is a number', { type: 'object', description: 7 }],
    ['an empty enum', { type: 'object', properties: { a: { type: 'string', enum: [] } } }],
    ['a minimum that is no number', { type: 'object', properties: { a: { type: 'number', minimum: NaN } } }],
    ['17 levels', { type: 'object', properties: { a: Array.from({ length: 15 }).reduce<object>((items) => ({ type: 'array', items }), { type: 'string' }) } }],
    ['null', null],
    ['a list', []],
  ])('F181 a schema with %s is refused when the tool is registered', (_, schema) => {
    expect(() => readSchema(schema, 'books.add')).toThrow(expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining('books.add') as string }) as Error);
  });

  it('F181 the schema is copied and frozen: changing it later changes nothing', () => {
    const properties: Record<string, { type: string }> = { a: { type: 'string' } };
    const read = readSchema({ type: 'object', properties }, 'books.add');
    properties['b'] = { type: 'string' };
    properties['a']!.type = 'number';
    expect(read).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(Object.isFrozen(read.properties)).toBe(true);
  });
});
