/**
 * MCP over HTTP, in web-standard requests: revision 2026-07-28, where each request stands alone, and the older ones with
 * sessions, on one address. The SDK says which of the two a message belongs to.
 *
 * On the newer revision a conversation is what one client, by its name, does without a pause of 30 minutes.
 */
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { Conversation, endOneIdle, IDLE_MS, MOST_CONVERSATIONS } from './conversation.ts';
import { NO_BATCHES, rpcError } from './rpc-error.ts';
import { createMcpServer, type McpParts } from './server.ts';
import { Sessions } from './sessions.ts';

/** The methods of MCP over HTTP. */
export const METHODS: readonly string[] = ['POST', 'GET', 'DELETE'];

export interface McpEndpoint {
  /**
   * Answers one request, with one of {@link METHODS}. `body` is the parsed body of a POST; the request itself needs none. The request's signal must
   * fire when the exchange is over or the client has left: that is how a waiting call hears of it.
   */
  fetch(request: Request, body: unknown): Promise<Response>;
  /** Ends conversations and streams. */
  close(): Promise<void>;
}

export function createMcpEndpoint(parts: McpParts): McpEndpoint {
  const sessions = new Sessions(parts);
  /** By the client's name, in the order of their last use. */
  const conversations = new Map<string, Conversation>();

  const conversationOf = (client: string): Conversation => {
    const known = conversations.get(client);
    conversations.delete(client);
    if (!known && conversations.size >= MOST_CONVERSATIONS) endOneIdle(conversations.values());
    const conversation = known ?? new Conversation({
      hub: parts.hub, clock: parts.clock, transport: 'tcp', idleMs: IDLE_MS,
      onEnd: () => conversations.delete(client),
    });
    conversations.set(client, conversation);
    return conversation;
  };
  // Always a stream, because any call may come to wait for a person: it opens before the tool is looked at.
  const modern = createMcpHandler(() => createMcpServer(parts, conversationOf), { legacy: 'reject', responseMode: 'sse' });

  const stopWatching = parts.tools.onChange(() => {
    modern.notify.toolsChanged();
    sessions.toolsChanged();
  });

  return {
    fetch: async (request, body) => {
      if (Array.isArray(body)) return rpcError(400, -32600, NO_BATCHES);
      if (await isLegacyRequest(request, body)) return sessions.fetch(request, body);
      return modern.fetch(request, { parsedBody: body });
    },
    close: async () => {
      stopWatching();
      for (const conversation of [...conversations.values()]) conversation.end('shutdown');
      sessions.close();
      await modern.close();
    },
  };
}
