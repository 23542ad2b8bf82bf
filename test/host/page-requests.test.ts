/** What the page may send about traces, field by field. */
import { describe, expect, it } from 'vitest';
import { readSecret, readTraces } from '../../src/host/front/page-requests.ts';

const SETTINGS = { send: true, endpoint: 'http://localhost:4318', headers: { authorization: 'token' }, sampleRate: 0.5, serviceName: 'vault', traceUrl: 'http://localhost/{trace}' };

describe('the settings of traces as the page sends them', () => {
  it('D32 are read as they are, without the blanks around them', () => {
    expect(readTraces(SETTINGS)).toEqual(SETTINGS);
    expect(readTraces({ ...SETTINGS, endpoint: '  http://localhost:4318 ', serviceName: ' ' })).toEqual({ ...SETTINGS, serviceName: 'model-hub' });
  });

  it('are read where a header has a name that an object knows', () => {
    const { headers } = readTraces({ ...SETTINGS, headers: JSON.parse('{"__proto__":"token","constructor":"token"}') as object });
    expect(Object.entries(headers)).toEqual([['__proto__', 'token'], ['constructor', 'token']]);
  });

  it.each<[string, unknown]>([
    ['send', 'true'], ['send', undefined], ['endpoint', 5], ['endpoint', 'x'.repeat(4_001)], ['headers', []], ['headers', null], ['headers', { authorization: 5 }],
    ['headers', { ['x'.repeat(201)]: 'token' }], ['headers', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'token']))],
    ['sampleRate', 1.1], ['sampleRate', -0.1], ['sampleRate', null], ['sampleRate', '1'], ['serviceName', null], ['serviceName', 'x'.repeat(201)], ['traceUrl', {}],
  ])('D32 with a "%s" of %j they are refused', (name, value) => {
    expect(() => readTraces({ ...SETTINGS, [name]: value })).toThrow(`The field "${name}" is missing or not what it should be.`);
  });

  it('with a field more they are refused', () => {
    expect(() => readTraces({ ...SETTINGS, token: 'abc' })).toThrow('The body has a field that this request does not know.');
  });
});

describe('a secret as the page sends it', () => {
  it('is set with a value and an endpoint, and taken away without either', () => {
    expect(readSecret({ name: 'token', value: 'Bearer abc', endpoint: 'http://localhost:4318' })).toEqual({ name: 'token', value: 'Bearer abc', endpoint: 'http://localhost:4318' });
    expect(readSecret({ name: 'token' })).toEqual({ name: 'token' });
  });

  it.each([{}, { name: '' }, { name: 'token', value: '', endpoint: '' }, { name: 'token', value: 'abc' }, { name: 'token', endpoint: '' }, { name: 'token', value: 'x'.repeat(8_001), endpoint: '' }, { name: 'token', value: null }])('%j is refused', (body) => {
    expect(() => readSecret(body)).toThrow('is missing or not what it should be');
  });
});
