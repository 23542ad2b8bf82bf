/** The list of tools that MCP clients see. */
import { describe, expect, it } from 'vitest';
import type { Effect, UndoDeclaration } from '../../src/core/types.ts';
import { ServedTools } from '../../src/mcp/served-tools.ts';
import { FakeMcpHub } from '../fakes/mcp-hub.ts';
import { ERAS, greet, serve, until } from './serving.ts';

describe.each(ERAS)('the list of tools, %s', (era) => {
  it('M01 M08 D22 is what clients can take: plain names, closed objects, nothing but an object at the top', async () => {
    const serving = await serve();
    serving.hub.tool('books.add_to_shelf', {
      description: 'Puts a book on a shelf.', effect: 'write', replay: 'unsafe', undo: { kind: 'handle' },
      input: { type: 'object', properties: { shelf: { type: 'string', description: 'Its name.' }, where: { type: 'object', properties: { at: { type: 'integer', minimum: 0 } } } }, required: ['shelf'] },
    });
    const { client } = await serving.connect(era);
    const { tools } = await client.listTools();
    expect(tools).toEqual([{
      name: 'books_add_to_shelf',
      title: 'Books: add to shelf',
      description: 'Puts a book on a shelf.',
      inputSchema: {
        type: 'object',
        properties: {
          shelf: { type: 'string', description: 'Its name.' },
          where: { type: 'object', properties: { at: { type: 'integer', minimum: 0 } }, additionalProperties: false },
        },
        required: ['shelf'],
        additionalProperties: false,
      },
      annotations: { title: 'Books: add to shelf', readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      _meta: { 'anthropic/maxResultSizeChars': 250_000 },
    }]);
  });

  it('D07 hides a tool that is set to Deny, and shows one that asks', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    hub.tool('books.add_to_shelf', { effect: 'write', policy: { effective: 'ask', source: 'builtin' } });
    hub.tool('books.burn', { effect: 'write', policy: { effective: 'deny', source: 'tool' } });
    const { client } = await connect(era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['books_add_to_shelf', 'books_list_shelves']);
  });

  it('F214 tells the client when the list is another one, and only then', async () => {
    const { hub, connect } = await serve();
    hub.tool('books.list_shelves');
    let told = 0;
    let listens = false;
    const { client } = await connect(era, { fetch: async (url, init) => {
      const response = await fetch(url, init);
      listens ||= init?.method === 'GET';
      return response;
    } });
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    client.setNotificationHandler('notifications/tools/list_changed', () => void told++);
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    else await until('the client listens', () => listens);
    hub.set('books.list_shelves', 'ask'); // the list stays the same
    hub.tool('books.add_to_shelf', { effect: 'write' });
    hub.tool('books.remove_from_shelf', { effect: 'write' });
    await until('the client is told', () => told > 0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['books_add_to_shelf', 'books_list_shelves', 'books_remove_from_shelf']);
    hub.set('books.list_shelves', 'deny');
    await until('the client is told again', () => told > 1);
    expect(told).toBe(2);
  });
});

describe('the tools that are served', () => {
  it.each<[Effect, 'safe' | 'unsafe' | undefined, UndoDeclaration | undefined, object]>([
    ['read', undefined, undefined, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['read', 'safe', undefined, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['read', 'unsafe', undefined, { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
    ['write', undefined, undefined, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
    ['write', 'safe', { kind: 'handle' }, { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['write', 'unsafe', { kind: 'none', reason: 'It is a letter.' }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
  ])('M43 gives all four hints of a %s with replay %s and undo %j', (effect, replay, undo, hints) => {
    const hub = new FakeMcpHub();
    hub.tool('books.x', { effect, ...(replay ? { replay } : {}), ...(undo ? { undo } : {}) });
    expect(new ServedTools(hub).list()[0]?.annotations).toEqual({ title: 'Books: x', ...hints });
  });

  it('D26 leaves out a name that clients cannot take, and says so once', () => {
    const hub = new FakeMcpHub();
    const notices: string[] = [];
    hub.tool(`books.${'a'.repeat(43)}`);
    hub.tool('books.a__b');
    hub.tool('books.fine');
    const tools = new ServedTools(hub, { notice: (text) => notices.push(text) });
    expect(tools.list().map(({ name }) => name)).toEqual(['books_fine']);
    tools.list();
    expect(notices).toEqual([
      `The tool books.${'a'.repeat(43)} is not served over MCP: its name has more than 48 characters.`,
      'The tool books.a__b is not served over MCP: its name has two underscores in a row, which some clients cannot take.',
    ]);
  });

  it('F242 keeps the readers of notes from MCP: not in the list, and unknown if called all the same', async () => {
    const serving = await serve({ served: ({ name }) => name !== 'vault.read' });
    serving.hub.tool('vault.read');
    serving.hub.tool('vault.edit_note', { effect: 'write' });
    const { client } = await serving.connect('modern');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['vault_edit_note']);
    expect((await client.callTool({ name: 'vault_read' })).structuredContent).toMatchObject({ code: 'tool-unknown' });
    expect(serving.hub.ran).toEqual([]);
  });

  it('F240 nothing is asked of the hub before a client comes but the list', async () => {
    const serving = await serve();
    await greet(serving);
    expect(serving.hub.opened).toEqual([]);
  });
});
