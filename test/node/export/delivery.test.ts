/** One request to a collector, over real sockets: what each answer comes to, and what never leaves this computer. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, DELIVERY_MS, LONGEST_WAIT_MS, type Delivery, type HttpAnswer } from '../../../otel/exporter/delivery.ts';
import { httpPost } from '../../../src/node/export/http-post.ts';
import { answering, JSON_TYPE, startCollector, startSocket, TAKES } from './collector.ts';

const BODY = new TextEncoder().encode('{"resourceSpans":[]}');
const NEVER = new AbortController().signal;

function post(url: string, { headers = {}, stop = NEVER, body = BODY }: { readonly headers?: { readonly [name: string]: string }; readonly stop?: AbortSignal; readonly body?: Uint8Array<ArrayBuffer> } = {}): Promise<Delivery> {
  return deliver(httpPost, { url, headers, body }, stop);
}

/** What an answer comes to, once it is here. */
function meaning(answer: Partial<HttpAnswer>): Promise<Delivery> {
  return deliver(() => Promise.resolve({ status: 200, contentType: 'application/json', retryAfter: '', text: '{}', ...answer }), { url: 'http://localhost/', headers: {}, body: BODY }, NEVER);
}

const unhandled: unknown[] = [];
const hear = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => { process.on('unhandledRejection', hear); });
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', hear);
  expect(unhandled.splice(0), 'telemetry 15: a rejection that nobody handled').toEqual([]);
});

describe('a collector that takes what is sent', () => {
  it.each<[string, Parameters<typeof answering>]>([
    ['an empty object', [200, JSON_TYPE, '{}']], ['nothing', [200]], ['202 and nothing', [202]], ['204', [204]], ['white space', [200, { 'content-type': 'text/html' }, ' \n']],
    ['JSON of a type with a charset', [200, { 'content-type': 'Application/JSON; charset=utf-8' }, '{}']], ['protobuf', [200, { 'content-type': 'application/x-protobuf' }, new Uint8Array([0x0a, 0x00, 0xff])]],
    ['OK in words', [200, { 'content-type': 'text/plain' }, 'OK']], ['an object of no type', [200, {}, '{}']], ['a partial success of none', [200, JSON_TYPE, '{"partialSuccess":{}}']],
    ['JSON that is null', [200, JSON_TYPE, 'null']], ['JSON of another kind', [200, JSON_TYPE, '[{"partialSuccess":5}]']], ['no JSON at all', [200, JSON_TYPE, '{"partialSuc']],
    ['a foolish count', [200, JSON_TYPE, '{"partialSuccess":{"rejectedSpans":"-5"}}']], ['a count that is none', [200, JSON_TYPE, '{"partialSuccess":{"rejectedSpans":{"a":1}}}']], ['a count that is a part', [200, JSON_TYPE, '{"partialSuccess":{"rejectedSpans":0.5}}']],
  ])('F140 may answer with %s', async (_, args) => {
    const { url } = await startCollector(answering(...args));
    expect(await post(url)).toEqual({ kind: 'delivered', rejected: 0, said: '' });
  });

  it.each([['a number', 3], ['a text, as protobuf has it', '3']])('telemetry 5 F140 says with %s how many it threw away', async (_, rejectedSpans) => {
    const { url } = await startCollector(answering(200, JSON_TYPE, JSON.stringify({ partialSuccess: { rejectedSpans, errorMessage: 'too\n\told' } })));
    expect(await post(url)).toEqual({ kind: 'delivered', rejected: 3, said: 'too old' });
  });

  it('F140 gets the bytes as they are, by POST, as JSON', async () => {
    const { url, heard } = await startCollector();
    const text = JSON.stringify({ resourceSpans: ['é😀', 'x'.repeat(100_000)] });
    await post(url, { body: new TextEncoder().encode(text) });
    expect(heard).toMatchObject([{ method: 'POST', path: '/v1/traces', body: text, headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) } }]);
  });

  it('telemetry 35 gets a second request like the first', async () => {
    const { url, heard } = await startCollector();
    for (let i = 0; i < 3; i++) expect((await post(url)).kind).toBe('delivered');
    expect(heard).toHaveLength(3);
  });

  it('telemetry 31 telemetry 33 telemetry 37 gets no header that belongs to a trace or a browser\'s rules', async () => {
    const { url, heard } = await startCollector();
    await post(url, { headers: { authorization: 'Bearer canary', 'x-tenant': 'a' } });
    const { headers } = heard[0]!;
    expect(headers).toMatchObject({ authorization: 'Bearer canary', 'x-tenant': 'a' });
    for (const name of ['traceparent', 'tracestate', 'baggage', 'b3', 'cookie', 'origin', 'referer']) expect(headers).not.toHaveProperty(name);
  });

  it('F140 is asked with the type that the bytes have, whatever header stands in the settings', async () => {
    const { url, heard } = await startCollector();
    await post(url, { headers: { 'content-type': 'text/plain' } });
    expect(heard[0]!.headers['content-type']).toBe('application/json');
  });
});

describe('something that is no collector', () => {
  it('D32 a page of a hotel\'s network says 200 too: nothing is taken for delivered', async () => {
    const { url } = await startCollector(answering(200, { 'content-type': 'text/html; charset=utf-8' }, '<html>\n<body>Please   log in'));
    expect(await post(url)).toEqual({ kind: 'misconfigured', why: 'something answered that is no collector', said: '<html> <body>Please log in' });
  });

  it.each(['text/plain', '', 'application/json'])('D32 a page that says its type is %j is a page', async (type) => {
    expect(await meaning({ contentType: type, text: '\ufeff <!DOCTYPE html><p>' })).toMatchObject({ kind: 'misconfigured' });
  });

  it.each([[301, 'it sends us elsewhere'], [302, 'it sends us elsewhere'], [303, 'it sends us elsewhere'], [307, 'it sends us elsewhere'], [308, 'it sends us elsewhere']])('telemetry 41 D32 a redirect (%d) is not followed, and the other server hears nothing', async (status, why) => {
    const other = await startCollector();
    const { url, heard } = await startCollector(answering(status, { location: other.url }));
    expect(await post(url, { headers: { authorization: 'Bearer canary' } })).toEqual({ kind: 'misconfigured', why: `${why} (status ${status})`, said: '' });
    expect([heard.length, other.heard]).toEqual([1, []]);
  });

  it.each([[401, 'other credentials'], [403, 'other credentials'], [404, 'no traces at this address'], [405, 'no traces at this address'], [300, 'status 300'], [304, 'status 304'], [402, 'status 402'], [418, 'status 418'], [451, 'status 451']])('F140 status %d is a matter of the settings', async (status, why) => {
    const { url } = await startCollector(answering(status, {}, ''));
    expect(await post(url)).toMatchObject({ kind: 'misconfigured', why: expect.stringContaining(why) as string });
  });

  it('telemetry 41 something that asks for a password, and for another one, gets nothing more', async () => {
    const { url, heard } = await startCollector(answering(401, { 'www-authenticate': 'Basic realm="a"' }));
    expect((await post(url)).kind).toBe('misconfigured');
    expect(heard).toHaveLength(1);
  });
});

describe('a request that a collector refuses', () => {
  it.each([400, 413, 415, 422])('F140 with status %d is told from one that can come again', async (status) => {
    const { url } = await startCollector(answering(status, JSON_TYPE, '{"code":3,"message":"bad"}'));
    expect(await post(url)).toEqual({ kind: 'refused', status, said: '{"code":3,"message":"bad"}' });
  });

  it('F140 with megabytes of reasons: no more of it is read than is looked at', async () => {
    let written = 0;
    const { url } = await startCollector((response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && written < 256 << 20 && response.write(Buffer.alloc(1 << 16, '😀'))) written += 1 << 16;
        if (!response.destroyed && written < 256 << 20) response.once('drain', more);
      };
      more();
    });
    const { said } = (await post(url)) as { said: string };
    expect([said.endsWith('…'), said.isWellFormed(), said.length <= 500]).toEqual([true, true, true]);
    expect(written).toBeLessThan(64 << 20);
  });

  it('F140 in bytes that are no text: what is said is text', async () => {
    const { url } = await startCollector(answering(400, { 'content-type': 'text/plain' }, new Uint8Array([0x61, 0xff, 0xed, 0xa0, 0x80, 0xf0, 0x9f])));
    const { said } = (await post(url)) as { said: string };
    expect([said[0], said.isWellFormed()]).toEqual(['a', true]);
  });

  it('F140 in signs that would rule the terminal: they are not repeated to it', async () => {
    const { said } = (await meaning({ status: 400, text: '\u001b[2Jhello\u0007\u202e\u0000 you' })) as { said: string };
    expect(said).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(said).toContain('hello');
  });
});

describe('a collector that is away, or busy', () => {
  it.each([408, 429, 500, 502, 503, 504, 599])('telemetry 12 status %d: it is sent again later', async (status) => {
    const { url } = await startCollector(answering(status, { 'retry-after': '7' }, 'wait'));
    expect(await post(url)).toEqual({ kind: 'later', why: `status ${status}`, waitMs: 7_000 });
  });

  it.each<[string, number | undefined]>([
    ['', undefined], ['0', undefined], ['-1', undefined], ['-99999', undefined], ['NaN', undefined], ['Infinity', undefined], ['1e3', undefined], ['soon', undefined], ['null', undefined], ['2000-01-01', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined], ['31536000', LONGEST_WAIT_MS], ['9'.repeat(400), undefined], ['9'.repeat(40), LONGEST_WAIT_MS], ['Fri, 31 Dec 9999 23:59:59 GMT', LONGEST_WAIT_MS], [' 5 ', 5_000],
  ])('telemetry 12 that says to wait for %j is waited for %s ms at the most', async (retryAfter, waitMs) => {
    expect(await meaning({ status: 429, retryAfter })).toEqual({ kind: 'later', why: 'status 429', waitMs });
  });

  it('telemetry 12 that names a time a little away is waited for until then', async () => {
    const { waitMs } = (await meaning({ status: 503, retryAfter: new Date(Date.now() + 20_000).toUTCString() })) as { waitMs: number };
    expect(waitMs).toBeGreaterThan(15_000);
    expect(waitMs).toBeLessThanOrEqual(20_000);
  });

  it('telemetry 17 at a port where nobody listens: it is told at once', async () => {
    const url = await startSocket((socket) => socket.destroy());
    expect(await post(url.replace(/:\d+/, ':1'))).toMatchObject({ kind: 'later', why: 'nobody answered' });
  });

  it('telemetry 13 telemetry 20 that hangs up before it reads, after it has read, or in the middle of its answer', async () => {
    const before = await startSocket((socket) => socket.resetAndDestroy());
    const after = await startSocket((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const amid = await startSocket((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{', () => socket.resetAndDestroy())));
    const garbage = await startSocket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    for (const url of [before, after, amid, garbage]) expect(await post(url)).toEqual({ kind: 'later', why: 'nobody answered', waitMs: undefined });
  });

  it('telemetry 16 that never answers, or by the drop: a stop ends it at once', async () => {
    const silent = await startSocket(() => undefined);
    const dripping = await startSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    for (const url of [silent, dripping]) {
      const stop = new AbortController();
      const began = performance.now();
      const delivery = post(url, { stop: stop.signal });
      setTimeout(() => stop.abort(), 50);
      expect(await delivery).toEqual({ kind: 'later', why: 'nobody answered', waitMs: undefined });
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });

  it('telemetry 16 telemetry 40 that never answers is waited for ten seconds, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let asked: AbortSignal | undefined;
      const delivery = deliver(({ signal }) => new Promise((_, reject) => {
        asked = signal;
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }), { url: 'http://localhost/', headers: {}, body: BODY }, NEVER);
      vi.advanceTimersByTime(DELIVERY_MS - 1);
      expect(asked!.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await delivery).toEqual({ kind: 'later', why: 'no answer within 10 seconds', waitMs: undefined });
    } finally {
      vi.useRealTimers();
    }
  });

  it('telemetry 40 a stop that came before asks nobody', async () => {
    const { url, heard } = await startCollector();
    expect((await post(url, { stop: AbortSignal.abort() })).kind).toBe('later');
    expect(heard).toEqual([]);
  });

  it('telemetry 13 a way of sending that throws is one that did not arrive', async () => {
    expect(await deliver(() => { throw new TypeError('boom'); }, { url: 'x', headers: {}, body: BODY }, NEVER)).toMatchObject({ kind: 'later' });
    expect(await post('http://')).toMatchObject({ kind: 'later' });
  });

  it('telemetry 23 leaves nothing behind at the stop, however often it is tried', async () => {
    const stop = new AbortController();
    const { url } = await startCollector(TAKES);
    for (let i = 0; i < 50; i++) await post(url, { stop: stop.signal });
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(5);
  });
});
