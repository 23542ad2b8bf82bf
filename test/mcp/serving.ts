/**
 * The real front and the real endpoint on a free port, over a fake hub and a clock that the tests move; and the SDK's own
 * client, on either side of the protocol's turn.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';
import { startFront, type Front } from '../../src/node/front/http.ts';
import { createMcpHttp } from '../../src/node/front/mcp-http.ts';
import { ServedTools, type ServedToolsOptions } from '../../src/mcp/served-tools.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeMcpHub } from '../fakes/mcp-hub.ts';

export type Era = 'modern' | 'legacy';
export const ERAS: readonly Era[] = ['modern', 'legacy'];
export const TOKEN = 'a-token-of-this-vault';

export interface Serving {
  readonly hub: FakeMcpHub;
  readonly clock: FakeClock;
  readonly front: Front;
  readonly url: string;
  /** Headers that a client sends. */
  readonly headers: Readonly<Record<string, string>>;
  connect(era: Era, options?: { readonly name?: string; readonly fetch?: typeof fetch }): Promise<Connected>;
  /** Switches MCP off. */
  close(): Promise<void>;
  post(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
}

export interface Connected { readonly client: Client; readonly transport: StreamableHTTPClientTransport }

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end);
}

export async function serve(options: ServedToolsOptions & { readonly token?: string } = {}): Promise<Serving> {
  const hub = new FakeMcpHub();
  const clock = new FakeClock();
  const mcp = createMcpHttp({ hub, clock, version: '1.2.3', tools: new ServedTools(hub, options) });
  const token = options.token ?? TOKEN;
  const front = await startFront({ port: 0, exact: true, mcp: { token, handle: (req, res) => mcp.handle(req, res) } });
  atEnd(async () => {
    await mcp.close();
    await front.close();
  });
  const url = `${front.url}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    hub, clock, front, url, headers,
    close: () => mcp.close(),
    connect: async (era, { name = `${era} client`, fetch: fetchWith } = {}) => {
      const client = new Client({ name, version: '1' }, era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, ...(fetchWith ? { fetch: fetchWith } : {}) });
      await client.connect(transport);
      atEnd(() => client.close());
      return { client, transport };
    },
    post: (body, more = {}, signal) => fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    }),
  };
}

/** A session of an older client, by hand: its id, to be sent along. */
export async function greet({ post }: Serving, protocolVersion = '2025-06-18'): Promise<{ readonly 'Mcp-Session-Id': string }> {
  const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'by hand', version: '1' } } });
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${response.status} ${await response.text()}`);
  await response.text();
  return { 'Mcp-Session-Id': id };
}

/** A JSON-RPC message from the server, as far as the tests look. */
export interface Message {
  readonly id?: string | number | null;
  readonly result?: { readonly structuredContent?: unknown; readonly protocolVersion?: string };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The messages of a stream of events, or the one message of a plain answer. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return [JSON.parse(text) as Message];
  return text.split('\n').filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice('data: '.length)) as Message);
}

/** Waits until it holds, looking again and again; fails by name if it never does. */
export async function until(what: string, holds: () => boolean, mostMs = 5_000): Promise<void> {
  const end = Date.now() + mostMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`never came to be: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
