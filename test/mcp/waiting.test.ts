/** A call that waits for a person: progress, cancelling, and clients that leave. */
import { describe, expect, it } from 'vitest';
import { ERAS, greet, messagesOf, serve, until, type Era, type Serving } from './serving.ts';

const ASKS = { effect: 'write', policy: { effective: 'ask', source: 'builtin' } } as const;

/** A call by hand, on either side of the protocol's turn; `signal` ends its connection. */
async function begin(serving: Serving, era: Era, signal?: AbortSignal, meta: object = {}): Promise<Response> {
  const params = { name: 'books_add_to_shelf', arguments: {} };
  if (era === 'legacy') return serving.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }, await greet(serving), signal);
  const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} };
  return serving.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: { ...envelope, ...meta } } },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'books_add_to_shelf' }, signal);
}

describe.each(ERAS)('a call that waits for a person, %s', (era) => {
  it('its stream is open before anybody has answered', async () => {
    const serving = await serve();
    serving.hub.tool('books.add_to_shelf', ASKS);
    const response = await begin(serving, era);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(serving.hub.asked).toHaveLength(1);
    expect(serving.hub.ran).toEqual([]);
    serving.hub.asked[0]?.allow();
    expect((await messagesOf(response)).at(-1)?.result?.structuredContent).toEqual({ ok: true });
  }, 10_000); // the SDK's sign of life after 15 seconds would open it too

  it('X2 M14 says at once and every ten seconds how long it may still wait, then that it runs', async () => {
    const { hub, clock, connect } = await serve();
    let finish = (): void => undefined;
    hub.tool('books.add_to_shelf', { ...ASKS, answer: () => new Promise((resolve) => {
      finish = () => resolve({ result: { ok: true }, truncated: false });
    }) });
    const { client } = await connect(era);
    const notes: object[] = [];
    const answer = client.callTool({ name: 'books_add_to_shelf' }, { onprogress: (note) => notes.push(note) });
    await until('the first note', () => notes.length === 1);
    await clock.advance(10_000);
    await clock.advance(10_000);
    await until('two more', () => notes.length === 3);
    hub.asked[0]?.allow();
    await until('the handler runs', () => hub.ran.length === 1);
    await clock.advance(10_000);
    await until('the last note', () => notes.length === 4);
    finish();
    expect((await answer).structuredContent).toEqual({ ok: true });
    expect(notes).toEqual([
      { progress: 0, total: 120, message: "Waiting for the user's answer in Model Hub: 120 s left." },
      { progress: 10, total: 120, message: "Waiting for the user's answer in Model Hub: 110 s left." },
      { progress: 20, total: 120, message: "Waiting for the user's answer in Model Hub: 100 s left." },
      { progress: 30, message: 'The tool is running.' },
    ]);
  });

  it('says how many questions stand before its own', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.add_to_shelf', ASKS);
    hub.position = 2;
    const { client } = await connect(era);
    const notes: object[] = [];
    const answer = client.callTool({ name: 'books_add_to_shelf' }, { onprogress: (note) => notes.push(note) });
    await until('the first note', () => notes.length === 1);
    hub.asked[0]?.deny();
    expect((await answer).structuredContent).toMatchObject({ code: 'tool-denied', reason: 'user' });
    expect(notes).toEqual([{ progress: 0, message: "Waiting for the user's answer in Model Hub, behind 2 other questions." }]);
  });

  it('no timer is left when it is over', async () => {
    const { hub, clock, connect } = await serve();
    hub.tool('books.add_to_shelf', ASKS);
    const { client } = await connect(era);
    const answer = client.callTool({ name: 'books_add_to_shelf' }, { onprogress: () => undefined });
    await until('the question', () => hub.asked.length === 1);
    hub.asked[0]?.allow();
    await answer;
    // A session listens, and so does not fall idle; without one, it is the conversation's silence that is timed.
    const left = era === 'modern' ? 1 : 0;
    await until('its timers are gone', () => clock.waiting === left);
    expect(clock.waiting).toBe(left);
  });

  it('F157 X2 a client that cancels ends the question, and a yes that comes later runs nothing', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.add_to_shelf', ASKS);
    const { client } = await connect(era);
    const cancel = new AbortController();
    const answer = client.callTool({ name: 'books_add_to_shelf' }, { signal: cancel.signal });
    await until('the question', () => hub.asked.length === 1);
    const [question] = hub.asked;
    cancel.abort();
    await expect(answer).rejects.toBeInstanceOf(Error);
    await until('the question is closed', () => hub.asked.length === 0);
    question?.allow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(hub.ran).toEqual([]);
  });

  it('F157 X2 a client that loses its connection ends the question', async () => {
    const serving = await serve();
    serving.hub.tool('books.add_to_shelf', ASKS);
    const leave = new AbortController();
    const response = await begin(serving, era, leave.signal);
    await until('the question', () => serving.hub.asked.length === 1);
    const [question] = serving.hub.asked;
    leave.abort();
    await expect(response.text()).rejects.toBeInstanceOf(Error);
    await until('the question is closed', () => serving.hub.asked.length === 0);
    question?.allow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(serving.hub.ran).toEqual([]);
  });

  it('F157 a client that leaves stops the tool that runs for it, even after the garbage collector has been by', async () => {
    const serving = await serve();
    let stopped = false;
    serving.hub.tool('books.add_to_shelf', { answer: (_input, signal) => new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        stopped = true;
        reject(signal.reason as Error);
      });
    }) });
    const leave = new AbortController();
    const response = await begin(serving, era, leave.signal);
    await until('the handler runs', () => serving.hub.ran.length === 1);
    await collectGarbage();
    leave.abort();
    await expect(response.text()).rejects.toBeInstanceOf(Error);
    await until('the handler is stopped', () => stopped);
  });

  it('M18 M21 a cancel stops the call that it names, not the one with the same id of another client', async () => {
    const { hub, connect } = await serve();
    const stopped: string[] = [];
    hub.tool('books.slow', { answer: (input, signal) => new Promise((resolve, reject) => {
      const { who } = input as { who: string };
      signal?.addEventListener('abort', () => {
        stopped.push(who);
        reject(signal.reason as Error);
      });
      if (who === 'second') setTimeout(() => resolve({ result: { who }, truncated: false }), 100);
    }) });
    const [first, second] = [await connect(era, { name: 'one' }), await connect(era, { name: 'two' })];
    const cancel = new AbortController();
    const a = first.client.callTool({ name: 'books_slow', arguments: { who: 'first' } }, { signal: cancel.signal });
    const b = second.client.callTool({ name: 'books_slow', arguments: { who: 'second' } });
    await until('both run', () => hub.ran.length === 2);
    expect(hub.requests[0]?.wire?.requestId).toBe(hub.requests[1]?.wire?.requestId);
    cancel.abort();
    await expect(a).rejects.toBeInstanceOf(Error);
    expect((await b).structuredContent).toEqual({ who: 'second' });
    await until('the first is stopped', () => stopped.length > 0);
    expect(stopped).toEqual(['first']);
  });
});

describe('a session of an older client', () => {
  it('M18 its cancelled call leaves no stream behind, and a cancel of nothing does nothing', async () => {
    const serving = await serve();
    serving.hub.tool('books.add_to_shelf', ASKS);
    const session = await greet(serving);
    const waiting = await serving.post({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'books_add_to_shelf', arguments: {} } }, session);
    await until('the question', () => serving.hub.asked.length === 1);
    for (const requestId of ['b', 7, 'a', 'a']) {
      expect((await serving.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session)).status).toBe(202);
    }
    expect(await waiting.text()).toBe('');
    await until('the question is closed', () => serving.hub.asked.length === 0);
    await until('the session is silent', () => serving.clock.waiting === 1);
    const [answer] = await messagesOf(await serving.post({ jsonrpc: '2.0', id: 'a', method: 'ping' }, session));
    expect(answer).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
  });
});

async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 5; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
