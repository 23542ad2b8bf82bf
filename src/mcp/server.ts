/**
 * The hub as an MCP server: lists the tools and calls them, on the SDK's low-level server, so that schemas go out as they
 * are. Nothing in a message but tool and arguments has a say: fields such as `approved` or `_meta.approval` are not read.
 */
import { CLIENT_INFO_META_KEY, Server, type CallToolRequest, type CallToolResult, type ServerContext, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { oneLine } from '../../otel/text.ts';
import { readTraceParent } from '../../otel/traceparent.ts';
import type { Wire } from '../core/call.ts';
import type { Clock } from '../core/ports.ts';
import type { Conversation, McpHub } from './conversation.ts';
import { fullName } from './names.ts';
import { CallProgress } from './progress.ts';
import { answerResult, errorResult } from './result.ts';
import type { ServedTools } from './served-tools.ts';

/** What every server of a host shares. */
export interface McpParts {
  readonly hub: McpHub;
  readonly clock: Clock;
  readonly tools: ServedTools;
  /** The version of Model Hub. */
  readonly version: string;
}

const INSTRUCTIONS = 'Tools of the user\'s Obsidian vault, behind Model Hub. A call may wait up to two minutes for the user\'s yes: wait for it. '
  + 'A refusal says why in `code` and `reason`; do not repeat a call that the user declined.';
const ID_LIMIT = 100;
const NAME_LIMIT = 200;

/** The parameters as they came, whatever they are: the gate judges what was sent. */
const AS_SENT: StandardSchemaV1<unknown, CallToolRequest['params']> = {
  '~standard': { version: 1, vendor: 'model-hub', validate: (value) => ({ value: value as CallToolRequest['params'] }) },
};

/**
 * The SDK's server, but for one thing: it refuses a call whose parameters are none before anybody hears of it, and hands on
 * a copy of the others that lacks some keys. Here every call reaches the gate, which answers for it and leaves its row. (A
 * message that is no JSON-RPC request, one with a `_meta` that is no object for instance, is no call: the SDK answers it.)
 */
class GateServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>): ReturnType<Server['_wrapHandler']> {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler);
  }
}

/** A server that is not connected yet. `conversationOf` answers the conversation of a client by its name. */
export function createMcpServer(parts: McpParts, conversationOf: (clientName: string) => Conversation): Server {
  const server = new GateServer(
    { name: 'model-hub', title: 'Model Hub', version: parts.version },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: parts.tools.list() }));
  server.setRequestHandler('tools/call', { params: AS_SENT }, async (params, ctx) => {
    const client = clientNameOf(server, ctx);
    const conversation = conversationOf(client);
    const release = conversation.hold();
    try {
      return await call(parts, conversation, client, server.getNegotiatedProtocolVersion(), params, ctx);
    } finally {
      release();
    }
  });
  return server;
}

async function call(
  { hub, clock, tools }: McpParts, conversation: Conversation, client: string, protocolVersion: string | undefined, params: CallToolRequest['params'], ctx: ServerContext,
): Promise<CallToolResult> {
  const full = fullName(params.name);
  const progress = progressOf(clock, ctx);
  const gone = callerGone(ctx);
  try {
    return answerResult(await hub.call({
      owner: conversation.owner,
      client: { kind: 'mcp', name: client },
      // What is no served name is no tool's name either; the call still has its row.
      tool: full !== undefined && tools.serves(full) ? full : '',
      input: params.arguments === undefined ? {} : params.arguments,
      run: conversation.run(client, protocolVersion),
      signal: gone.signal,
      wire: wireOf(conversation, ctx),
      ...(progress ? { onWaiting: (state) => progress.waiting(state), onAnswered: () => progress.answered() } : {}),
    }));
  } catch (error) {
    return errorResult(error);
  } finally {
    gone.release();
    progress?.stop();
  }
}

/** The caller's trace becomes a link of the call's span, and decides nothing. */
function wireOf({ transport }: Conversation, { mcpReq }: ServerContext): Wire {
  const caller = readTraceParent(mcpReq._meta?.['traceparent']);
  return { requestId: oneLine(String(mcpReq.id)).slice(0, ID_LIMIT).toWellFormed(), transport, ...(caller ? { caller } : {}) };
}

/** Each request names its client on the newer revision, the greeting did on the older ones. */
function clientNameOf(server: Server, ctx: ServerContext): string {
  const envelope = ctx.mcpReq.envelope as { readonly [key: string]: { readonly name?: unknown } | undefined } | undefined;
  const name = envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
  return (typeof name === 'string' && oneLine(name).slice(0, NAME_LIMIT)) || 'an MCP client';
}

function progressOf(clock: Clock, { mcpReq }: ServerContext): CallProgress | undefined {
  const progressToken: unknown = mcpReq._meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  return new CallProgress(clock, (note) => {
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...note } }).catch(() => {
      // The caller is gone; the call hears of it by its signal.
    });
  });
}

/**
 * Fires when the caller cancels or leaves. The SDK's own signal fires at a cancel; that of the HTTP request when the
 * connection is lost, which on the older revisions the SDK tells nobody: yet the answer can no longer be delivered.
 */
function callerGone({ mcpReq, http }: ServerContext): { readonly signal: AbortSignal; release(): void } {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const signals = http?.req ? [mcpReq.signal, http.req.signal] : [mcpReq.signal];
  for (const signal of signals) {
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }
  return {
    signal: gone.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', leave);
    },
  };
}
