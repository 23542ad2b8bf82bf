/**
 * The real gate behind MCP, on a fake clock.
 */
import { StreamableHTTPClientTransport, Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { startFront } from '../../src/node/front/http.ts';
import { createMcpHttp } from '../../src/node/front/mcp-http.ts';
import { ServedTools } from '../../src/mcp/served-tools.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { atEnd, ERAS, until, type Era } from './serving.ts';

async function connect(rig: Rig, era: Era): Promise<Client> {
  const mcp = createMcpHttp({ hub: rig.hub, clock: rig.clock, version: '1', tools: new ServedTools(rig.hub) });
  const front = await startFront({ port: 0, exact: true, mcp: { token: 't', handle: (req, res) => mcp.handle(req, res) } });
  const client = new Client({ name: 'Claude Code', version: '1' }, era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(`${front.url}/mcp`), { requestInit: { headers: { Authorization: 'Bearer t' } } }));
  atEnd(async () => {
    await client.close();
    await rig.hub.close();
    await mcp.close();
    await front.close();
  });
  return client;
}

describe.each(ERAS)('the gate behind MCP, %s', (era) => {
  it('F028 F112 D24 a read runs, and its row says who asked, in which run, over which wire', async () => {
    const rig = startRig();
    rig.tool('books.list_shelves', { effect: 'read', handler: () => Promise.resolve({ shelves: ['To read'] }) });
    const client = await connect(rig, era);
    expect((await client.callTool({ name: 'books_list_shelves', arguments: {} })).structuredContent).toEqual({ shelves: ['To read'] });
    expect(rig.lastCall()).toMatchObject({ client: { kind: 'mcp', name: 'Claude Code' }, tool: 'books.list_shelves', outcome: 'ok' });
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    const [first, second] = rig.calls();
    expect(second?.run).toBe(first?.run);
    expect(rig.spans('tool_call')[0]?.attributes).toMatchObject({ 'mcp.method.name': 'tools/call', 'network.transport': 'tcp' });
  });

  it.each([['null', null], ['a list', [1]], ['a text', 'CANARY-7f3a'], ['a number', 7]])('F112 F152 D31 arguments that are %s are refused by the gate in its own words, and leave their row', async (_, junk) => {
    const rig = startRig();
    let ran = 0;
    rig.tool('books.list_shelves', { effect: 'read', handler: () => Promise.resolve(ran++) });
    const client = await connect(rig, era);
    const answer = await client.callTool({ name: 'books_list_shelves', arguments: junk as never });
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'tool-invalid-input', message: '"the input" must be of the type object.' } });
    expect([ran, rig.lastCall()]).toMatchObject([0, { tool: 'books.list_shelves', outcome: 'invalid', code: 'tool-invalid-input' }]);
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('E12 the caller\'s own span becomes a link, whatever its flags say, and decides nothing', async () => {
    const rig = startRig();
    rig.tool('books.list_shelves', { effect: 'read', handler: () => Promise.resolve(['To read']) });
    const client = await connect(rig, era);
    const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
    for (const flags of ['00', '01']) {
      await client.callTool({ name: 'books_list_shelves', arguments: {}, _meta: { traceparent: `00-${caller.trace}-${caller.span}-${flags}`, tracestate: 'rojo=00f067aa0ba902b7', baggage: 'userId=alice' } });
      expect(rig.lastCall()).toMatchObject({ outcome: 'ok', caller });
      expect(rig.lastCall().trace).not.toBe(caller.trace);
    }
    expect(rig.rebuilt().get(rig.lastCall().id)?.links).toEqual([{ traceId: caller.trace, spanId: caller.span, attributes: { 'modelhub.link.kind': 'mcp_caller' } }]);
    await client.callTool({ name: 'books_list_shelves', arguments: {}, _meta: { traceparent: `00-${'0'.repeat(32)}-${caller.span}-01` } });
    expect([rig.lastCall().outcome, rig.lastCall().caller]).toEqual(['ok', undefined]);
    expect(rig.bytes()).not.toContain('alice');
  });

  it('B23 D06 a write is refused at once where nobody can be asked', async () => {
    const rig = startRig();
    let ran = 0;
    rig.tool('books.add_to_shelf', { effect: 'write', handler: () => Promise.resolve(ran++) });
    const client = await connect(rig, era);
    expect((await client.callTool({ name: 'books_add_to_shelf', arguments: {} })).structuredContent).toMatchObject({ code: 'tool-denied', reason: 'no-surface' });
    expect(ran).toBe(0);
  });

  it('F056 a write asks each time, with the whole run not among the choices, and can be undone without the client hearing how', async () => {
    const rig = startRig();
    rig.tool('books.add_to_shelf', { effect: 'write', undo: { kind: 'handle' }, undoHandle: () => 'HANDLE-7f3a', handler: () => Promise.resolve({ added: true }) }, () => Promise.resolve('Taken off.'));
    const device = rig.device({ auto: 'allow_once' });
    const client = await connect(rig, era);
    for (let n = 0; n < 2; n++) {
      expect((await client.callTool({ name: 'books_add_to_shelf', arguments: {} })).structuredContent).toEqual({ added: true, undo: 'The user can take this back.' });
    }
    expect(device.shown.map(({ choices, client: who }) => [choices, who])).toEqual([
      [['deny', 'allow_once'], { kind: 'mcp', name: 'Claude Code' }], [['deny', 'allow_once'], { kind: 'mcp', name: 'Claude Code' }],
    ]);
    expect(rig.lastCall().undo).toBe('HANDLE-7f3a');
  });

  it('X2 F157 the client leaves while a person is asked: the question closes, a late yes runs nothing, one row says aborted', async () => {
    const rig = startRig();
    let ran = 0;
    rig.tool('books.add_to_shelf', { effect: 'write', handler: () => Promise.resolve(ran++) });
    const device = rig.device();
    const client = await connect(rig, era);
    const leave = new AbortController();
    const answer = client.callTool({ name: 'books_add_to_shelf', arguments: {} }, { signal: leave.signal });
    await until('the question', () => device.current !== undefined);
    const { id } = device.current!;
    leave.abort();
    await expect(answer).rejects.toBeInstanceOf(Error);
    await until('the question is closed', () => device.closed.length === 1);
    expect(device.answer('allow_once', id)).toMatchObject({ accepted: false, why: 'already_answered' });
    await until('its row', () => rig.calls().length === 1);
    expect(rig.lastCall()).toMatchObject({ outcome: 'aborted', code: 'aborted', approval: { by: 'caller_gone' } });
    expect(ran).toBe(0);
  });

  it('F054 F153 says that nobody answered when the two minutes are over, having counted them down', async () => {
    const rig = startRig();
    rig.tool('books.add_to_shelf', { effect: 'write', handler: () => Promise.resolve(1) });
    const device = rig.device();
    const client = await connect(rig, era);
    const notes: string[] = [];
    const answer = client.callTool({ name: 'books_add_to_shelf', arguments: {} }, { onprogress: ({ message }) => notes.push(message ?? '') });
    await until('the question', () => device.current !== undefined);
    for (let seconds = 0; seconds < 120; seconds += 10) await rig.clock.advance(10_000);
    expect((await answer).structuredContent).toMatchObject({ code: 'tool-denied', reason: 'no-answer' });
    expect(notes[0]).toBe("Waiting for the user's answer in Model Hub: 120 s left.");
    expect(notes.at(-1)).toBe("Waiting for the user's answer in Model Hub: 10 s left.");
  });

  it('M12 B17 F151 a name that nobody registered leaves a row, and none of the caller\'s words in it', async () => {
    const rig = startRig();
    const client = await connect(rig, era);
    expect((await client.callTool({ name: 'constructor', arguments: {} })).structuredContent).toMatchObject({ code: 'tool-unknown' });
    expect(rig.lastCall()).toMatchObject({ tool: '(no tool name)', outcome: 'refused', code: 'tool-unknown' });
  });
});
