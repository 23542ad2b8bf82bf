/**
 * The sessions of clients that speak 2025-11-25 or older: each has a server of its own, and is one conversation. A session
 * that has ended, or that never was, is answered with 404, upon which clients begin a new one.
 */
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport, type Server } from '@modelcontextprotocol/server';
import { Conversation, endOneIdle, IDLE_MS, MOST_CONVERSATIONS } from './conversation.ts';
import { rpcError } from './rpc-error.ts';
import { createMcpServer, type McpParts } from './server.ts';

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly conversation: Conversation;
}

export class Sessions {
  readonly #parts: McpParts;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  /** `body` is the parsed body of a POST. */
  async fetch(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session) return rpcError(404, -32001, 'This session has ended or never was. Begin a new one with initialize.');
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
      return serve(session, request, body);
    }
    if (!isInitializeRequest(body)) return rpcError(400, -32000, 'The header Mcp-Session-Id is missing. Begin a session with initialize.');
    if (this.#sessions.size >= MOST_CONVERSATIONS && !endOneIdle([...this.#sessions.values()].map(({ conversation }) => conversation))) {
      return rpcError(503, -32000, `${MOST_CONVERSATIONS} sessions are in use, and more are not served. Close clients that you no longer need.`);
    }
    return this.#begin(request, body);
  }

  /** Tells every session that the list of tools is another one. */
  toolsChanged(): void {
    for (const { server } of this.#sessions.values()) {
      server.sendToolListChanged().catch(() => {
        // Nobody listens on this session; the client sees the list when it asks for it.
      });
    }
  }

  close(): void {
    for (const { conversation } of [...this.#sessions.values()]) conversation.end('shutdown');
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const id = crypto.randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void this.#sessions.set(id, session),
      onsessionclosed: () => conversation.end('session_closed'),
    });
    const conversation = new Conversation({
      hub: this.#parts.hub, clock: this.#parts.clock, transport: 'tcp', sessionId: id, idleMs: IDLE_MS,
      onEnd: () => {
        this.#sessions.delete(id);
        void transport.close();
      },
    });
    const server = createMcpServer(this.#parts, () => conversation);
    const session: Session = { server, transport, conversation };
    await server.connect(transport);
    const response = await serve(session, request, body);
    if (!this.#sessions.has(id)) conversation.end('session_closed'); // the greeting was refused
    return response;
  }
}

/** While a request of its is open, a call or the stream of events, a session is not idle. */
async function serve({ transport, conversation }: Session, request: Request, body: unknown): Promise<Response> {
  const release = conversation.hold();
  if (request.signal.aborted) release();
  else request.signal.addEventListener('abort', release, { once: true });
  const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  const cancelled = cancelledBy(body);
  if (cancelled !== undefined) forget(transport, cancelled);
  return response;
}

function cancelledBy(body: unknown): string | number | undefined {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: { readonly requestId?: unknown } | null };
  const id = method === 'notifications/cancelled' ? params?.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** A request that was cancelled is never answered, and the SDK would keep its stream open for as long as the client does. */
function forget(transport: WebStandardStreamableHTTPServerTransport, id: string | number): void {
  transport.closeSSEStream(id);
  // Goes nowhere, since its stream is closed: it only makes the transport let go of the id.
  transport.send({ jsonrpc: '2.0', id, error: { code: -32000, message: 'Cancelled.' } }).catch(() => {
    // The id is that of no request, or of one that was answered already.
  });
}
