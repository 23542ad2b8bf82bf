/** The page's side of HTTP: its key, its headers, its bodies. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_TRACES } from '../../otel/exporter/settings.ts';
import { KEY, servePage, type PageHost } from './host.ts';

interface Answer { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

describe('the page over HTTP', () => {
  let host: PageHost;
  let cookie: string;
  beforeEach(async () => {
    host = await servePage();
    cookie = (await get(`/login?key=${KEY}`)).headers['set-cookie']![0]!.split(';')[0]!;
  });
  afterEach(() => host.stop());

  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> => new Promise((resolve, reject) => {
    const req = request(`${host.origin}${path}`, { method, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (res.headers['content-type']?.startsWith('text/event-stream') && text.includes('\n\n')) res.destroy();
      }).on('close', () => resolve({ status: res.statusCode!, headers: res.headers, body: text }));
    });
    req.on('error', reject).end(body);
  });
  const get = (path: string, headers?: Record<string, string>): Promise<Answer> => ask('GET', path, headers);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    ask('POST', path, { cookie, origin: host.origin, 'content-type': 'application/json', ...headers }, typeof body === 'string' ? body : JSON.stringify(body));
  const codeOf = ({ status, body }: Answer): string => `${status} ${(JSON.parse(body) as { code: string }).code}`;

  it('hands a cookie to whoever brings the key, kept from scripts and other sites, and named for the port', async () => {
    const { status, headers } = await get(`/login?key=${KEY}`);
    expect(status).toBe(303);
    expect(headers.location).toBe('/');
    expect(headers['set-cookie']![0]).toMatch(new RegExp(`^model-hub-${new URL(host.origin).port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`));
    expect(headers['set-cookie']![0]).not.toContain(KEY);
  });

  it('says in words what to do without the key, and without the cookie', async () => {
    for (const [path, expected] of [['/login?key=wrong', 403], ['/login', 403], ['/', 401]] as const) {
      const { status, body, headers } = await get(path);
      expect(status).toBe(expected);
      expect(body).toContain('Open the address that the terminal printed');
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await get('/', { cookie: cookie.replace(/=.*/, '=guess') })).status).toBe(401);
    expect((await get('/', { cookie: `other=1; ${cookie}` })).status).toBe(200);
  });

  it('sends nothing that could load, frame, cache or run what is not the page\'s', async () => {
    const answers = await Promise.all(['/', '/page.js', '/page.css', '/login', '/api/events', '/api/none'].map((path) => get(path, { cookie })));
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('names no address outside in the page, its script or its style', async () => {
    for (const path of ['/', '/page.js', '/page.css']) {
      const { body } = await get(path, { cookie });
      expect([...body.matchAll(/https?:\/\/[^\s'"`)\\]+/g)].map(([address]) => address).filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
    }
  });

  it('leaves other paths to others', async () => {
    expect((await get('/mcp')).status).toBe(404);
    expect((await ask('POST', '/')).status).toBe(404);
  });

  it('lets nobody ask without the cookie, or from another origin, even another port of this computer', async () => {
    expect(codeOf(await post('/api/settings', { mcpRunGrants: true }, { cookie: '' }))).toBe('401 unauthorized');
    expect(codeOf(await get('/api/events'))).toBe('401 unauthorized');
    for (const headers of [{ origin: 'http://127.0.0.1:1' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(codeOf(await post('/api/settings', { mcpRunGrants: true }, headers))).toBe('403 forbidden');
    }
    expect(codeOf(await ask('POST', '/api/settings', { cookie, 'content-type': 'application/json' }, '{"mcpRunGrants":true}'))).toBe('403 forbidden');
    expect(codeOf(await get('/api/events', { cookie, 'sec-fetch-site': 'same-site' }))).toBe('403 forbidden');
    expect(host.rig.settings.saved.mcpRunGrants).toBe(false);
  });

  it.each([
    ['/api/settings', 'mcpRunGrants=true', '415 invalid-request', { 'content-type': 'text/plain' }],
    ['/api/settings', '{', '400 invalid-request', {}],
    ['/api/settings', '[]', '400 invalid-request', {}],
    ['/api/settings', '{"mcpRunGrants":"yes"}', '400 invalid-request', {}],
    ['/api/settings', '{"plugin":"books","setting":"maybe"}', '400 invalid-request', {}],
    ['/api/settings', '{"plugin":"books","setting":"allow","more":1}', '400 invalid-request', {}],
    ['/api/settings', '{"plugin":"nobody","setting":"allow"}', '404 tool-unknown', {}],
    ['/api/settings', '{"plugin":"books","tool":"constructor","setting":"allow"}', '404 tool-unknown', {}],
    ['/api/answer', '{"page":"p","id":"q","decision":"always","shownWhole":true}', '400 invalid-request', {}],
    ['/api/answer', '{"page":"p","id":"q","decision":"deny","shownWhole":1}', '400 invalid-request', {}],
    ['/api/answer', '{"page":"p","id":"q","decision":"deny","shownWhole":true}', '409 not-connected', {}],
    ['/api/undo', '{"call":"x","from":"code"}', '400 invalid-request', {}],
    ['/api/undo', '{"call":"x","from":"view"}', '422 invalid-request', {}],
    ['/api/traces', '{"send":true}', '400 invalid-request', {}],
    ['/api/traces/check', '{}', '400 invalid-request', {}],
    ['/api/traces/test', JSON.stringify(NO_TRACES), '422 invalid-request', {}],
    ['/api/traces/secret', '{"name":"token"}', '422 invalid-request', {}],
    ['/api/traces/secret', '{"name":"token","value":"abc","endpoint":"http://collector.example"}', '422 invalid-request', {}],
    ['/api/none', '{}', '404 not-found', {}],
    ['/api/settings', `{"plugin":"${'x'.repeat(70_000)}"}`, '413 invalid-request', {}],
  ])('refuses POST %s of %.40s with %s', async (path, body, expected, headers) => {
    expect(codeOf(await post(path, body, headers))).toBe(expected);
  });

  it('says nothing of what went wrong inside', async () => {
    host.rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
    host.rig.settings.save = () => {
      throw new Error('EACCES /home/somebody/vault/data.json');
    };
    const answer = await post('/api/settings', { plugin: 'books', setting: 'allow' });
    expect(codeOf(answer)).toBe('500 failed');
    expect(answer.body).not.toContain('somebody');
  });

  it('D32 keeps no settings with which traces could not be sent, while they are meant to be', async () => {
    const answer = await post('/api/traces', { ...NO_TRACES, send: true, endpoint: 'ftp://collector.example' });
    expect([answer.status, (JSON.parse(answer.body) as { message: string }).message]).toEqual([422, 'The endpoint must begin with http:// or https://. Traces are sent as OTLP over HTTP.']);
    for (const more of [{ headers: { authorization: 'token' }, send: true }, { headers: { host: 'token' } }, { traceUrl: 'javascript:alert(1)//{trace}' }]) {
      expect(codeOf(await post('/api/traces', { ...NO_TRACES, endpoint: 'http://localhost:4318', ...more }))).toBe('422 invalid-request');
    }
    expect(host.traces.settings()).toEqual(NO_TRACES);
    expect((await post('/api/traces', { ...NO_TRACES, endpoint: 'ftp://half-typed' })).status).toBe(200);
    expect(host.traces.settings().endpoint).toBe('ftp://half-typed');
  });

  it('D32 says of settings as they are typed what is wrong with each field, and keeps nothing', async () => {
    const check = async (more: object): Promise<unknown> => JSON.parse((await post('/api/traces/check', { ...NO_TRACES, ...more })).body) as unknown;
    expect(await check({})).toEqual({});
    expect(await check({ send: true })).toEqual({ endpoint: 'There is no endpoint. Type the address of a collector, such as http://localhost:4318.' });
    expect(await check({ endpoint: 'http://collector.example', headers: { authorization: 'token' }, traceUrl: 'http://jaeger.example' })).toEqual({
      endpoint: 'A header with a secret goes to another computer over https alone. Begin the endpoint with https://.', traceUrl: 'The address of a trace must hold {trace}, where its id is to stand.',
    });
    expect(await check({ endpoint: 'https://collector.example', headers: { authorization: 'token' } })).toEqual({
      headers: 'There is no secret called token for https://collector.example, which the header authorization needs. Set it, or take the header out.',
    });
    expect(await check({ headers: { 'a b': 'token' } })).toEqual({ headers: 'A header has a name that HTTP does not take. It may hold letters, digits and hyphens.' });
    expect(host.traces.settings()).toEqual(NO_TRACES);
  });

  it('D32 takes a secret for the origin of an endpoint, and sends none back: a name, and whom it is for', async () => {
    const settings = { ...NO_TRACES, endpoint: 'https://collector.example/v1/traces', headers: { authorization: 'token' } };
    const answers = [
      await post('/api/traces/secret', { name: 'token', value: 'CANARY-secret', endpoint: settings.endpoint }),
      await post('/api/traces', settings), await post('/api/traces/check', settings), await get('/api/events', { cookie }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.includes('CANARY'))).toEqual([]);
    expect(answers[3]!.body).toContain('"secrets":[{"name":"token","origin":"https://collector.example"}]');
    expect(host.traces.secrets.get('token', 'https://collector.example')).toBe('CANARY-secret');
    await post('/api/traces/secret', { name: 'token' });
    expect((await get('/api/events', { cookie })).body).toContain('"secrets":[]');
  });

  it('D32 a secret that is taken away holds sending up at once, and one that is set lets it go on', async () => {
    const secret = { name: 'token', value: 'Bearer abc', endpoint: 'http://localhost:1' };
    await post('/api/traces/secret', secret);
    expect((await post('/api/traces', { ...NO_TRACES, send: true, endpoint: secret.endpoint, headers: { authorization: 'token' } })).status).toBe(200);
    expect(host.traces.state().on).toBe(true);
    await post('/api/traces/secret', { name: 'token' });
    expect(host.traces.state()).toMatchObject({ problem: 'There is no secret called token for http://localhost:1, which the header authorization needs. Set it, or take the header out.' });
    await post('/api/traces/secret', secret);
    expect(host.traces.state()).toEqual({ on: true, delivered: 0, rejected: 0 });
  });

  it('D28 sends no undo handle to the page', async () => {
    host.rig.tool('books.add', { effect: 'write', undoHandle: () => 'CANARY-handle', handler: () => Promise.resolve(1) }, () => Promise.resolve('Undone.'));
    host.rig.hub.settings.setPlugin('books', 'allow');
    await host.rig.call('books.add', {});
    const { body } = await get('/api/events', { cookie });
    expect(body).toContain('"canUndo":true');
    expect(body).not.toContain('CANARY');
  });
});
