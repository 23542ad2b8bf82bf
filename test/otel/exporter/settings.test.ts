/** Where traces go, from what a person typed or a sync brought: an address, or a sentence. */
import { describe, expect, it } from 'vitest';
import { readEndpoint } from '../../../otel/exporter/endpoint.ts';
import { headerFault, NO_TRACES, readTraceSettings, targetOf } from '../../../otel/exporter/settings.ts';
import { TRACE_URLS, traceUrl, traceUrlFault } from '../../../otel/trace-url.ts';

describe('an endpoint', () => {
  it.each([
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['  http://localhost:4318/  ', 'http://localhost:4318/v1/traces'],
    ['http://localhost:4318///', 'http://localhost:4318/v1/traces'],
    ['http://localhost:4318/v1/traces', 'http://localhost:4318/v1/traces'],
    ['http://localhost:4318/v1/traces/', 'http://localhost:4318/v1/traces'],
    ['HTTP://LOCALHOST:4318', 'http://localhost:4318/v1/traces'],
    ['https://collector.example/otlp', 'https://collector.example/otlp/v1/traces'],
    ['https://collector.example:443/otlp/', 'https://collector.example/otlp/v1/traces'],
    ['https://collector.example/v1/traces?tenant=a', 'https://collector.example/v1/traces?tenant=a'],
    ['https://collector.example?tenant=a', 'https://collector.example/v1/traces?tenant=a'],
    ['http://[::1]:4318', 'http://[::1]:4318/v1/traces'],
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example/v1/traces'],
    ['https://collector.example/v1/metrics/v1/traces', 'https://collector.example/v1/metrics/v1/traces'],
    ['http://localhost:4318/#', 'http://localhost:4318/v1/traces'],
  ])('F140 %j is %s', (text, url) => {
    expect(readEndpoint(text)).toEqual({ url });
    expect(readEndpoint(url)).toEqual({ url });
  });

  it.each([
    ['', 'There is no endpoint.'], ['   ', 'There is no endpoint.'],
    ['localhost:4318', 'is no address'], ['localhost', 'is no address'], ['http://', 'is no address'], ['http://:4318', 'is no address'], ['http://a b', 'is no address'], ['http://localhost:99999', 'is no address'],
    ['javascript:alert(1)', 'is no address'], ['file:///etc/passwd', 'is no address'], ['data:text/plain,a', 'is no address'],
    ['ftp://localhost', 'must begin with http'], ['grpc://localhost:4317', 'must begin with http'], ['ws://localhost:4318', 'must begin with http'],
    ['http://me@localhost:4318', 'holds a name or a password'], ['https://me:canary@localhost', 'holds a name or a password'], ['https://:canary@localhost', 'holds a name or a password'],
    ['http://localhost:4318/#canary', 'a part behind #'],
    ['http://localhost:4317', 'Port 4317 is for OTLP over gRPC'], ['https://collector.example:4317/v1/traces', 'Port 4317'],
    ['http://localhost:4318/v1/metrics', 'metrics or logs'], ['http://localhost:4318/v1/logs/', 'metrics or logs'],
  ])('D32 F140 %j is none, and a sentence says why, without what was typed', (text, sentence) => {
    const { fault, url } = readEndpoint(text);
    expect([fault, url]).toEqual([expect.stringContaining(sentence), undefined]);
    expect(fault).not.toContain('canary');
  });

  it.each(['http://localhost:4318', 'http://127.0.0.1:4318', 'http://127.1:4318', 'http://[::1]:4318', 'https://collector.example'])('D32 a secret may go to %s', (text) => {
    expect(readEndpoint(text, true).fault).toBeUndefined();
  });

  it.each(['http://collector.example', 'http://192.168.1.2:4318', 'http://localhost.example:4318', 'http://127.0.0.1.example', 'http://0.0.0.0:4318', 'http://[::2]:4318', 'http://notlocalhost'])('D32 a secret never goes to %s, where others can read it on its way', (text) => {
    expect(readEndpoint(text, true).fault).toContain('over https alone');
    expect(readEndpoint(text).fault).toBeUndefined();
  });
});

describe('the settings of traces', () => {
  it.each<[string, unknown]>([['nothing', undefined], ['null', null], ['a list', [{ send: true }]], ['a text', 'send'], ['words of other types', { send: 'true', endpoint: 7, headers: 'a', sampleRate: '1', serviceName: {}, traceUrl: [] }], ['numbers for words', { send: 1, sampleRate: Number.NaN }]])('D32 from %s are off, and have no endpoint', (_, value) => {
    expect(readTraceSettings(value)).toEqual(NO_TRACES);
  });

  it('D32 have no endpoint of their own', () => {
    expect([NO_TRACES.send, NO_TRACES.endpoint, targetOf({ ...NO_TRACES, send: true }, () => 'x')]).toEqual([false, '', { fault: expect.stringContaining('There is no endpoint.') as string }]);
  });

  it.each([[-0.1, 1], [1.1, 1], [0, 0], [0.3, 0.3], [Infinity, 1]])('D30 a share of %d counts as %d', (rate, counts) => {
    expect(readTraceSettings({ sampleRate: rate }).sampleRate).toBe(counts);
  });

  it('F140 a name of the service is a text without half characters, of a length that backends take', () => {
    expect(readTraceSettings({ serviceName: `${'a'.repeat(99)}😀` }).serviceName.isWellFormed()).toBe(true);
    expect(readTraceSettings({ serviceName: 'a'.repeat(10_000) }).serviceName).toHaveLength(100);
    expect(readTraceSettings({ serviceName: '  ' }).serviceName).toBe('model-hub');
  });
});

describe('a header with a secret', () => {
  const settings = { ...NO_TRACES, send: true, endpoint: 'https://collector.example:8443/otlp', headers: { Authorization: 'token' } };

  it('F140 is filled for the origin that the secret was given for', () => {
    const asked: string[] = [];
    const target = targetOf(settings, (name, origin) => { asked.push(`${name} ${origin}`); return 'Bearer abc'; });
    expect(target).toEqual({ url: 'https://collector.example:8443/otlp/v1/traces', headers: { authorization: 'Bearer abc' }, sampleRate: 1, serviceName: 'model-hub' });
    expect(asked).toEqual(['token https://collector.example:8443']);
  });

  it('telemetry 41 D32 is not filled, and nothing is sent, where the secret is for another origin', () => {
    expect(targetOf(settings, () => undefined)).toEqual({ fault: 'There is no secret called token for https://collector.example:8443, which the header Authorization needs. Set it, or take the header out.' });
  });

  it.each(['line\nbreak', 'a\r\nx: y', 'ü', '\0', ''])('D32 with %j as its value is a fault that does not say it', (value) => {
    const target = targetOf(settings, () => value);
    expect(target).toEqual({ fault: 'The secret token cannot stand in a header: it may hold plain letters, digits and signs only. Set it again.' });
  });

  it.each(['', 'a b', 'a:b', 'a\nb', 'ü', 'x'.repeat(101), '__proto__\0'])('F140 called %j is none', (name) => {
    expect(headerFault(name, 'token')).toContain('a name that HTTP does not take');
  });

  it.each(['Content-Type', 'HOST', 'content-length', 'Connection', 'Transfer-Encoding', 'traceparent', 'tracestate', 'baggage', 'content-encoding', 'Keep-Alive', 'Upgrade', 'Expect'])('telemetry 37 F140 called %s is not the user\'s to set', (name) => {
    expect(headerFault(name, 'token')).toContain('is set by Model Hub itself');
  });

  it.each(['', 'a b', 'Bearer abc', '../x', 'a/b', 'x'.repeat(101), 'a\n'])('D32 whose secret is called %j is a fault that does not say it: it may be the secret itself', (name) => {
    const fault = headerFault('authorization', name);
    expect(fault).toContain('by a name that is none');
    if (name !== '') expect(fault).not.toContain(name);
  });

  it('telemetry 41 a header called __proto__ is a header', () => {
    const target = targetOf({ ...settings, headers: JSON.parse('{"__proto__":"token"}') as { [name: string]: string } }, () => 'abc');
    expect('headers' in target && Object.entries(target.headers)).toEqual([['__proto__', 'abc']]);
  });
});

describe('the address of a trace', () => {
  const row = { trace: 'a'.repeat(32), id: 'b'.repeat(16) };

  it.each(Object.entries(TRACE_URLS))('of %s is one that a browser opens', (_, template) => {
    expect(traceUrlFault(template)).toBeUndefined();
    const url = traceUrl(template, row)!;
    expect([URL.canParse(url), url.includes(row.trace), /[{}]/.test(url)]).toEqual([true, true, false]);
  });

  it('holds the trace, and the span where it takes one', () => {
    expect(traceUrl('https://t.example/{trace}/{trace}#{span}', row)).toBe(`https://t.example/${row.trace}/${row.trace}#${row.id}`);
  });

  it.each(['javascript:alert({trace})', 'data:text/html,{trace}', ' https://t.example/{trace}', 'https:///{trace', 'http://', '//t.example/{trace}', 'file:///{trace}', 'https://t.example/', 'https://t.example/{TRACE}'])('%j opens nothing', (template) => {
    expect(traceUrlFault(template)).toMatch(/^The address of a trace must/);
    expect(traceUrl(template, row)).toBeUndefined();
  });

  it.each([{ trace: 'A'.repeat(32), id: row.id }, { trace: `${row.trace}"`, id: row.id }, { trace: row.trace, id: '/..' }, { trace: '', id: '' }])('of a row whose ids are none is none: %j', (edited) => {
    expect(traceUrl(TRACE_URLS.Jaeger, edited)).toBeUndefined();
  });

  it('is none where there is no template', () => {
    expect([traceUrlFault(''), traceUrl('', row)]).toEqual([undefined, undefined]);
  });
});
