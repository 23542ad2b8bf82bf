/** Conversations over HTTP: each is one run, opened and closed with its session. */
import { describe, expect, it } from 'vitest';
import { ERAS, greet, messagesOf, serve, until, type Serving } from './serving.ts';

const MINUTE = 60_000;
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'books_list_shelves', arguments: {} } };

async function call({ post }: Serving, session: Readonly<Record<string, string>>): Promise<void> {
  const [answer] = await messagesOf(await post(CALL, session));
  expect(answer?.result?.structuredContent).toEqual({ ok: true });
}

describe('a session of an older client', () => {
  it('F243 is one run, opened at its first call with the session and the revision, and closed with the session', async () => {
    const serving = await serve();
    const { hub } = serving;
    hub.tool('books.list_shelves');
    const { client, transport } = await serving.connect('legacy', { name: 'Codex' });
    await client.callTool({ name: 'books_list_shelves' });
    await client.callTool({ name: 'books_list_shelves' });
    expect(hub.opened).toEqual([{
      id: 'run-1', owner: `mcp:${transport.sessionId}`, client: { kind: 'mcp', name: 'Codex' },
      options: { mcp: { sessionId: transport.sessionId, protocolVersion: '2025-11-25' } },
    }]);
    expect(hub.requests.map(({ run }) => run)).toEqual(['run-1', 'run-1']);
    await transport.terminateSession();
    expect(hub.closed).toEqual([{ owner: hub.opened[0]?.owner, id: 'run-1', reason: 'session_closed' }]);
  });

  it('speaks the revision that the client asks for', async () => {
    const serving = await serve();
    const answer = await serving.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
    expect((await messagesOf(answer))[0]?.result?.protocolVersion).toBe('2025-06-18');
  });

  it('F211 two sessions are two owners: neither can use the other\'s run', async () => {
    const serving = await serve();
    serving.hub.tool('books.list_shelves');
    await call(serving, await greet(serving));
    await call(serving, await greet(serving));
    const [first, second] = serving.hub.opened;
    expect(first?.owner).not.toBe(second?.owner);
    expect(serving.hub.requests.map(({ owner, run }) => ({ owner, run }))).toEqual([
      { owner: first?.owner, run: 'run-1' }, { owner: second?.owner, run: 'run-2' },
    ]);
  });

  it('ends what it waits for when it is closed', async () => {
    const serving = await serve();
    serving.hub.tool('books.list_shelves', { policy: { effective: 'ask', source: 'tool' } });
    const session = await greet(serving);
    const waiting = await serving.post(CALL, session);
    await until('the question', () => serving.hub.asked.length === 1);
    const closed = await fetch(serving.url, { method: 'DELETE', headers: { ...serving.headers, ...session } });
    expect(closed.status).toBe(200);
    expect(serving.hub.asked).toEqual([]);
    expect(await waiting.text()).toBe('');
  });

  it('M30 M31 one that is unknown, closed or three hours silent is answered with 404, so that the client begins anew', async () => {
    const serving = await serve();
    const { hub, clock } = serving;
    hub.tool('books.list_shelves');
    const unknown = await serving.post(CALL, { 'Mcp-Session-Id': 'never-was' });
    expect(unknown.status).toBe(404);
    expect((await messagesOf(unknown))[0]?.error).toEqual({ code: -32001, message: 'This session has ended or never was. Begin a new one with initialize.' });

    const session = await greet(serving);
    await call(serving, session);
    await clock.advance(3 * 60 * MINUTE);
    expect((await serving.post(CALL, session)).status).toBe(404);
    expect(hub.closed).toEqual([{ owner: hub.opened[0]?.owner, id: 'run-1', reason: 'idle' }]);

    const next = await greet(serving);
    await fetch(serving.url, { method: 'DELETE', headers: { ...serving.headers, ...next } });
    expect((await serving.post(CALL, next)).status).toBe(404);
  });

  it('lives on while it is used, or while the client listens', async () => {
    const serving = await serve();
    const { hub, clock } = serving;
    hub.tool('books.list_shelves');
    const used = await greet(serving);
    const listening = await greet(serving);
    const leave = new AbortController();
    const stream = await fetch(serving.url, { headers: { ...serving.headers, ...listening, Accept: 'text/event-stream' }, signal: leave.signal });
    expect(stream.status).toBe(200);
    for (let round = 0; round < 3; round++) {
      await call(serving, used);
      await until('only its silence is timed', () => clock.waiting === 1);
      await clock.advance(29 * MINUTE);
    }
    await call(serving, used);
    await call(serving, listening);
    leave.abort();
    await until('both are timed', () => clock.waiting === 2);
    await clock.advance(30 * MINUTE);
    expect((await serving.post(CALL, used)).status).toBe(404);
    expect((await serving.post(CALL, listening)).status).toBe(404);
  });

  it('a message without a session is told to begin one', async () => {
    const serving = await serve();
    const answer = await serving.post(CALL);
    expect(answer.status).toBe(400);
    expect((await messagesOf(answer))[0]?.error?.message).toBe('The header Mcp-Session-Id is missing. Begin a session with initialize.');
  });

  it('the two-hundredth-and-first takes the place of the one that was idle longest', async () => {
    const serving = await serve();
    serving.hub.tool('books.list_shelves');
    const sessions: Record<string, string>[] = [];
    for (let n = 0; n < 200; n++) sessions.push(await greet(serving));
    await call(serving, sessions[0]!);
    const next = await greet(serving);
    await call(serving, next);
    await call(serving, sessions[0]!);
    expect((await serving.post(CALL, sessions[1])).status).toBe(404);
    await call(serving, sessions[2]!);
  });
});

describe('a conversation on the newer revision', () => {
  it('F243 is what one client does without a long pause; another client has its own', async () => {
    const { hub, clock, connect } = await serve();
    hub.tool('books.list_shelves');
    const [one, two] = [(await connect('modern', { name: 'Codex' })).client, (await connect('modern', { name: 'Claude Code' })).client];
    expect(one.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    await one.callTool({ name: 'books_list_shelves' });
    await two.callTool({ name: 'books_list_shelves' });
    await clock.advance(29 * MINUTE);
    await one.callTool({ name: 'books_list_shelves' });
    await clock.advance(29 * MINUTE);
    await one.callTool({ name: 'books_list_shelves' });
    await two.callTool({ name: 'books_list_shelves' });
    expect(hub.requests.map(({ run }) => run)).toEqual(['run-1', 'run-2', 'run-1', 'run-1', 'run-3']);
    expect(hub.opened.map(({ client, options }) => [client.name, options])).toEqual([
      ['Codex', { mcp: { protocolVersion: '2026-07-28' } }], ['Claude Code', { mcp: { protocolVersion: '2026-07-28' } }], ['Claude Code', { mcp: { protocolVersion: '2026-07-28' } }],
    ]);
    expect(hub.closed).toEqual([{ owner: hub.opened[1]?.owner, id: 'run-2', reason: 'idle' }]);
  });

  it('does not fall idle while a call of its waits', async () => {
    const { hub, clock, connect } = await serve();
    hub.tool('books.list_shelves', { policy: { effective: 'ask', source: 'tool' } });
    const { client } = await connect('modern');
    const answer = client.callTool({ name: 'books_list_shelves' });
    await until('the question', () => hub.asked.length === 1);
    await clock.advance(60 * MINUTE);
    hub.asked[0]?.allow();
    expect((await answer).structuredContent).toEqual({ ok: true });
    expect(hub.closed).toEqual([]);
  });

  it('a client without a name is called so', async () => {
    const { hub, post } = await serve();
    hub.tool('books.list_shelves');
    const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: '\u0000\n', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} };
    await messagesOf(await post({ ...CALL, params: { ...CALL.params, _meta: envelope } }, { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'books_list_shelves' }));
    expect(hub.opened[0]?.client).toEqual({ kind: 'mcp', name: 'an MCP client' });
  });
});

it('F227 every run is closed when MCP is switched off, and every stream ends', async () => {
  const { hub, connect, close } = await serve();
  hub.tool('books.list_shelves');
  for (const era of ERAS) await (await connect(era)).client.callTool({ name: 'books_list_shelves' });
  const { client } = await connect('modern', { name: 'listens' });
  const subscription = await client.listen({ toolsListChanged: true });
  await close();
  await close();
  expect(await subscription.closed).toBe('graceful');
  expect(hub.closed.map(({ id, reason }) => [id, reason])).toEqual([['run-1', 'shutdown'], ['run-2', 'shutdown']]);
});
