/** Calls over MCP: what reaches the hub, and what the client hears. */
import { describe, expect, it } from 'vitest';
import { HubError } from '../../src/core/errors.ts';
import { ERAS, greet, messagesOf, serve } from './serving.ts';

describe.each(ERAS)('a call over MCP, %s', (era) => {
  it('F003 D26 reaches the hub with the full name, the arguments, who asks and how it came', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    const { client } = await connect(era, { name: 'Claude Code' });
    await client.callTool({ name: 'books_list_shelves', arguments: { a: [1, { b: 'c' }] } });
    expect(hub.requests).toHaveLength(1);
    const { owner, client: who, tool, input, run, signal, wire } = hub.requests[0]!;
    expect({ who, tool, input, run }).toEqual({ who: { kind: 'mcp', name: 'Claude Code' }, tool: 'books.list_shelves', input: { a: [1, { b: 'c' }] }, run: 'run-1' });
    expect(owner).toBe(hub.opened[0]?.owner);
    expect(signal?.aborted).toBe(false);
    expect(wire).toEqual({ requestId: expect.stringMatching(/^\d+$/), transport: 'tcp' });
  });

  it('takes a call without arguments for one with none', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    const { client } = await connect(era);
    await client.callTool({ name: 'books_list_shelves' });
    expect(hub.requests[0]?.input).toEqual({});
  });

  it.each([
    [{ shelves: ['To read'] }, { shelves: ['To read'] }],
    [['To read'], { result: ['To read'] }],
    ['To read', { result: 'To read' }],
    [7, { result: 7 }],
    [null, { result: null }],
    [{ empty: true, message: 'No shelf yet.' }, { empty: true, message: 'No shelf yet.' }],
    [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [{ note: 'a\u2028b\u2029c\r\nd\u0000\ud83d\ude00' }, { note: 'a\u2028b\u2029c\r\nd\u0000\ud83d\ude00' }],
  ])('M22 M24 M37 answers %j alike as text and as structured content', async (result, content) => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves', { answer: () => ({ result, truncated: false }) });
    const { client } = await connect(era);
    const answer = await client.callTool({ name: 'books_list_shelves' });
    expect(answer.structuredContent).toEqual(content);
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(content) }]);
    expect(answer.isError).toBeUndefined();
  });

  it('M25 F150 F154 gives code, message and reason of a refusal on both sides', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.burn', { effect: 'write', policy: { effective: 'deny', source: 'tool' } });
    const { client } = await connect(era);
    const answer = await client.callTool({ name: 'books_burn', arguments: { all: true } });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toEqual({ code: 'tool-denied', message: 'Not allowed. You set this tool to Deny.', reason: 'policy' });
    expect(answer.content).toEqual([{ type: 'text', text: 'tool-denied: Not allowed. You set this tool to Deny.' }]);
  });

  it('F155 says what failed in the tool, and nothing of what failed in the hub', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.fails', { answer: () => Promise.reject(new HubError('tool-failed', 'The shelf is locked.')) });
    hub.tool('books.breaks', { answer: () => Promise.reject(new Error('ENOENT /home/me/secret.md')) });
    const { client } = await connect(era);
    expect((await client.callTool({ name: 'books_fails' })).structuredContent).toEqual({ code: 'tool-failed', message: 'The shelf is locked.' });
    const broken = await client.callTool({ name: 'books_breaks' });
    expect(broken.structuredContent).toEqual({ code: 'tool-failed', message: 'Model Hub itself failed at this call. Please report it.' });
    expect(JSON.stringify(broken)).not.toContain('secret');
  });

  it('M12 D07 a tool that is gone is unknown, one that was revoked is denied', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    hub.tool('books.add_to_shelf');
    const { client } = await connect(era);
    await client.listTools();
    hub.remove('books.list_shelves');
    hub.set('books.add_to_shelf', 'deny');
    expect((await client.callTool({ name: 'books_list_shelves' })).structuredContent).toMatchObject({ code: 'tool-unknown' });
    expect((await client.callTool({ name: 'books_add_to_shelf' })).structuredContent).toMatchObject({ code: 'tool-denied', reason: 'policy' });
    expect(hub.ran).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'toString', 'books.list_shelves', 'books__list_shelves', 'nothing', ''])('B17 F151 answers the name %j with tool-unknown, and the hub hears of it', async (name) => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    const { client } = await connect(era);
    expect((await client.callTool({ name })).structuredContent).toMatchObject({ code: 'tool-unknown' });
    expect(hub.requests).toHaveLength(1);
    expect(hub.ran).toEqual([]);
  });

  it('D28 says that a write can be taken back, and never sends its handle', async () => {
    const { hub, connect } = await serve();
    let sent = '';
    hub.tool('books.add_to_shelf', { effect: 'write', answer: () => ({ result: { added: true }, truncated: false, undo: 'HANDLE-7f3a' }) });
    hub.tool('books.move', { effect: 'write', answer: () => ({ result: { undo: 'mine' }, truncated: false, undo: 'HANDLE-7f3a' }) });
    hub.tool('books.lend', { effect: 'write', answer: () => ({ result: 'done', truncated: false, undo: 'HANDLE-7f3a' }) });
    const { client } = await connect(era, { fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'POST') sent += await response.clone().text();
      return response;
    } });
    expect((await client.callTool({ name: 'books_add_to_shelf' })).structuredContent).toEqual({ added: true, undo: 'The user can take this back.' });
    expect((await client.callTool({ name: 'books_move' })).structuredContent).toEqual({ result: { undo: 'mine' }, undo: 'The user can take this back.' });
    expect((await client.callTool({ name: 'books_lend' })).structuredContent).toEqual({ result: 'done', undo: 'The user can take this back.' });
    expect(sent).toContain('The user can take this back.');
    expect(sent).not.toContain('HANDLE-7f3a');
  });

  it('F096 F097 a result that was cut comes as it was cut', async () => {
    const { hub, connect } = await serve();
    const cut = { truncated: true, result: `["${'x"'.repeat(49_999)}`, originalChars: 250_000, cut: '150000 of 250000 characters are missing.' };
    hub.tool('books.all', { answer: () => ({ result: cut, truncated: true }) });
    const { client } = await connect(era);
    expect((await client.callTool({ name: 'books_all' })).structuredContent).toEqual(cut);
  });
});

describe('what a message says besides', () => {
  it('B16 approves nothing: approved, _meta.approval, the retry fields of the protocol, an answer to a question that was never sent', async () => {
    const serving = await serve();
    const { hub, post } = serving;
    hub.tool('books.burn', { effect: 'write', policy: { effective: 'deny', source: 'tool' } });
    hub.tool('books.list_shelves');
    const session = await greet(serving);
    const refused = await messagesOf(await post({
      jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: { name: 'books_burn', arguments: {}, approved: true, _meta: { approval: 'allow', approved: true, run: 'run-9', owner: 'books' }, inputResponses: { ok: { action: 'accept' } }, requestState: 'allowed' },
    }, session));
    expect(refused[0]?.result?.structuredContent).toMatchObject({ code: 'tool-denied' });
    const reply = await post({ jsonrpc: '2.0', id: 'never-asked', result: { action: 'accept', content: { approved: true } } }, session);
    expect(reply.status).toBe(202);
    const strange = await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', approved: true, params: { name: 'books_burn', arguments: {} } }, session);
    expect(strange.status).toBe(400);
    expect(hub.requests.map(({ owner, run, input }) => ({ owner, run, input }))).toEqual([{ owner: hub.opened[0]?.owner, run: 'run-1', input: {} }]);
    expect(hub.ran).toEqual([]);
  });

  it('D11 hands the arguments to the gate as they were sent, __proto__ and all', async () => {
    const serving = await serve();
    serving.hub.tool('books.list_shelves');
    const session = await greet(serving);
    await messagesOf(await serving.post('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"books_list_shelves","arguments":{"__proto__":{"effect":"read"},"n":1}}}', session));
    const { input } = serving.hub.requests[0]!;
    expect(Object.keys(input as object)).toEqual(['__proto__', 'n']);
    expect(({} as { effect?: string }).effect).toBeUndefined();
  });

  it.each<[object, string, unknown]>([
    [{ name: 7 }, '', {}], [{}, '', {}], [{ name: 'books_list_shelves', arguments: 'all' }, 'books.list_shelves', 'all'], [{ name: 'books_list_shelves', arguments: [1] }, 'books.list_shelves', [1]],
    [{ name: 'books_list_shelves', arguments: null }, 'books.list_shelves', null],
  ])('F112 a call that is none, %j, reaches the gate all the same, which leaves its row', async (params, tool, input) => {
    const serving = await serve();
    const session = await greet(serving);
    await messagesOf(await serving.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session));
    expect(serving.hub.requests).toMatchObject([{ tool, input }]);
  });
});
