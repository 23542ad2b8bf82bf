/** The front door: who is let in by which address, origin and token. */
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AdvisedError } from '../../../src/node/advised-error.ts';
import { startFront, type FrontOptions } from '../../../src/node/front/http.ts';
import { atEnd, greet, messagesOf, serve, TOKEN } from '../../mcp/serving.ts';

interface Answer { readonly status: number; readonly headers: NodeJS.Dict<string | string[]>; readonly text: string }

/** A request with the very headers given: `fetch` would put some right. */
function ask(port: number, { path = '/mcp', method = 'POST', headers = {}, body = '', host = '127.0.0.1' }: { readonly path?: string; readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string; readonly host?: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ host, port, path, method, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      }).on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    });
    req.on('error', reject).end(body);
  });
}

async function front(options: Partial<FrontOptions> = {}) {
  const started = await startFront({ port: 0, exact: true, ...options });
  atEnd(() => started.close());
  return started;
}

function sentence({ text }: Answer): string {
  return (JSON.parse(text) as { error: { message: string } }).error.message;
}

const AUTH = { Authorization: `Bearer ${TOKEN}` };

describe('the front door', () => {
  it('says in different sentences that the token, the host, the origin or the path is wrong', async () => {
    const { front: { port } } = await serve();
    const token = await ask(port, { headers: { Authorization: 'Bearer guessed' } });
    const host = await ask(port, { headers: { ...AUTH, Host: `evil.example:${port}` } });
    const origin = await ask(port, { headers: { ...AUTH, Origin: 'https://evil.example' } });
    const path = await ask(port, { path: '/sse', headers: AUTH });
    expect([token, host, origin, path].map(({ status }) => status)).toEqual([401, 403, 403, 404]);
    expect(sentence(token)).toBe('The token is missing or wrong. Each vault has its own: copy it from the page of Model Hub, and send it as "Authorization: Bearer <token>".');
    expect(sentence(host)).toBe(`Model Hub answers only at http://127.0.0.1:${port}. This request named another host.`);
    expect(sentence(origin)).toBe('A web page of another origin may not use Model Hub.');
    expect(sentence(path)).toBe('There is nothing at this address. MCP is at /mcp, the page at /.');
    expect(token.headers['www-authenticate']).toBe('Bearer realm="Model Hub"');
  });

  it.each([
    ['none', {}],
    ['another scheme', { Authorization: `Basic ${TOKEN}` }],
    ['the scheme alone', { Authorization: 'Bearer ' }],
    ['a part of it', { Authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['more than it', { Authorization: `Bearer ${TOKEN}x` }],
    ['it, in the address', {}],
  ])('refuses a token that is %s', async (_what, headers) => {
    const { hub, front: { port } } = await serve();
    hub.tool('books.list_shelves');
    expect((await ask(port, { path: `/mcp?token=${TOKEN}`, headers })).status).toBe(401);
  });

  it.each(['null', 'http://localhost:1', 'https://127.0.0.1', 'http://127.0.0.1.evil.example', 'app://obsidian.md'])('refuses the origin %s', async (origin) => {
    const { front: { port } } = await serve();
    expect((await ask(port, { headers: { ...AUTH, Origin: origin } })).status).toBe(403);
  });

  it.each(['localhost', '127.0.0.1:1', 'evil.example', '127.0.0.1.evil.example:PORT', '0.0.0.0:PORT', '[::]:PORT'])('refuses the host "%s"', async (host) => {
    const { front: { port } } = await serve();
    expect((await ask(port, { headers: { ...AUTH, Host: host.replace('PORT', String(port)) } })).status).toBe(403);
  });

  it('M34 answers by its address in digits and as localhost, each also as origin; only 127.0.0.1 is listened on', async () => {
    const { front: { port, url } } = await serve();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      const { status } = await ask(port, { headers: { ...AUTH, Host: name, Origin: `http://${name.toLowerCase()}` } });
      expect([name, status]).toEqual([name, 400]); // past the door: there is no message in it
    }
    await expect(ask(port, { host: '::1' })).rejects.toBeInstanceOf(Error);
  });

  it('M33 the token of another vault is wrong here', async () => {
    const [one, two] = [await serve({ token: 'token-of-one' }), await serve({ token: 'token-of-two' })];
    const swapped = await ask(one.front.port, { headers: two.headers });
    expect(swapped.status).toBe(401);
    expect(sentence(swapped)).toContain('Each vault has its own');
  });

  it('F240 says that MCP is switched off where it is', async () => {
    const { port } = await front();
    const answer = await ask(port, { headers: AUTH });
    expect([answer.status, sentence(answer)]).toEqual([404, 'MCP is switched off in Model Hub.']);
  });

  it('hands everything else to the page, and not what comes by another name', async () => {
    const seen: string[] = [];
    const { port } = await front({ page: (req, res) => {
      seen.push(req.url ?? '');
      if (req.url === '/nothing') return Promise.resolve(false);
      res.end('the page');
      return Promise.resolve(true);
    } });
    expect((await ask(port, { path: '/', method: 'GET' })).text).toBe('the page');
    expect((await ask(port, { path: '/nothing', method: 'GET' })).status).toBe(404);
    for (const path of ['//', '//mcp', '//evil.example/api/events']) expect((await ask(port, { path, method: 'GET' })).status).toBe(404);
    expect((await ask(port, { path: '/', method: 'GET', headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await ask(port, { path: '/', method: 'GET', headers: { Origin: 'http://evil.example' } })).status).toBe(403);
    expect(seen).toEqual(['/', '/nothing']);
  });
});

describe('the port', () => {
  it('that was named and is taken is an error that says what to do', async () => {
    const { port } = await front();
    const failed = startFront({ port, exact: true });
    await expect(failed).rejects.toThrow(AdvisedError);
    await expect(failed).rejects.toMatchObject({ message: `Port ${port} is taken by another program.`, advice: 'Name another one with --port, or leave --port out to take the next free one.' });
  });

  it('that was not named gives way to the next free one', async () => {
    const first = await front();
    const second = await front({ port: first.port, exact: false });
    const third = await front({ port: first.port, exact: false });
    expect(second.port).not.toBe(first.port);
    expect(third.port).not.toBe(second.port);
    expect((await ask(third.port, { path: '/', method: 'GET' })).status).toBe(404);
  });

  it('at the end of the line gives way to any free one', async () => {
    const holder = createServer().listen(65_535, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve).once('error', resolve));
    atEnd(() => new Promise((resolve) => holder.close(resolve)));
    const { port } = await front({ port: 65_535, exact: false });
    expect(port).toBeGreaterThan(0);
    expect(port).not.toBe(65_535);
  });
});

describe('the end', () => {
  it('comes although streams are open and a client sends its request byte by byte', async () => {
    const started = await startFront({ port: 0, exact: true, page: (_req, res) => {
      res.writeHead(200).write('a stream');
      return Promise.resolve(true);
    } });
    const stream = await fetch(started.url);
    const slow = connect(started.port, '127.0.0.1').on('error', () => undefined);
    slow.write('POST /mcp HTTP/1.1\r\nHost: 127');
    await started.close();
    await expect(stream.text()).rejects.toBeInstanceOf(Error);
    await expect(fetch(started.url)).rejects.toBeInstanceOf(Error);
    slow.destroy();
  });
});

describe('a message', () => {
  it('M42 in a batch is refused, whoever sends it, and nothing in it runs', async () => {
    const serving = await serve();
    serving.hub.tool('books.burn', { effect: 'write' });
    const session = await greet(serving);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'books_burn', arguments: {} } };
    for (const headers of [session, {}, { 'MCP-Protocol-Version': '2026-07-28' }]) {
      for (const batch of [[call], [call, { ...call, id: 2 }], []]) {
        const answer = await serving.post(batch, headers);
        expect(answer.status).toBe(400);
        expect(await messagesOf(answer)).toEqual([{ jsonrpc: '2.0', error: { code: -32600, message: 'Batches are not served. Send each message by itself.' }, id: null }]);
      }
    }
    expect(serving.hub.requests).toEqual([]);
  });

  it.each([['', 400], ['{', 400], ['null', 400], ['7', 400], [Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 400]])('that is no message, %j, is refused', async (body, status) => {
    const { post } = await serve();
    expect((await post(body)).status).toBe(status);
  });

  it('that is not JSON in UTF-8 is told so', async () => {
    const { url, headers } = await serve();
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }, body: new Uint8Array([0x22, 0xff, 0x22]) });
    expect(await messagesOf(answer)).toEqual([{ jsonrpc: '2.0', error: { code: -32700, message: 'The message is not JSON in UTF-8.' }, id: null }]);
  });

  it('of more than 4 MB is refused before it is read, also if its length is not told', async () => {
    const { post, url, headers } = await serve();
    const answer = await post(JSON.stringify({ filler: 'x'.repeat(4 * 1024 * 1024) }));
    expect(answer.status).toBe(413);
    expect((await messagesOf(answer))[0]?.error?.message).toBe('The message is larger than 4 MB. Send less at a time.');
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
    let pieces = 0;
    const unknown = await fetch(url, {
      method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, duplex: 'half',
      body: new ReadableStream({ pull: (controller) => {
        if (pieces++ < 6) controller.enqueue(piece);
        else controller.close();
      } }),
    } as RequestInit);
    expect(unknown.status).toBe(413);
  });

  it('of 1 MB and more reaches the gate, whose limit it is to judge', async () => {
    const serving = await serve();
    serving.hub.tool('books.list_shelves');
    const session = await greet(serving);
    const answer = await serving.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'books_list_shelves', arguments: { text: 'x'.repeat(1_200_000) } } }, session);
    expect((await messagesOf(answer)).at(-1)?.result?.structuredContent).toEqual({ ok: true });
    expect((serving.hub.requests[0]?.input as { text: string }).text).toHaveLength(1_200_000);
  });

  it.each(['PUT', 'PATCH', 'TRACE', 'OPTIONS'])('with the method %s is told which there are', async (method) => {
    const { front: { port } } = await serve();
    const answer = await ask(port, { method, headers: AUTH });
    expect([answer.status, sentence(answer), answer.headers['allow']]).toEqual([405, 'MCP is spoken with POST, GET and DELETE.', 'POST, GET, DELETE']);
  });

  it('of another type is refused', async () => {
    const serving = await serve();
    const answer = await serving.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { ...(await greet(serving)), 'Content-Type': 'text/plain' });
    expect(answer.status).toBe(415);
  });
});
