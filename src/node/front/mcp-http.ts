/**
 * MCP's address on Node: reads the body, hands the request on in the web's terms, and writes the answer as it comes. Loaded
 * only when MCP is switched on; who may ask at all has been checked by the front.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import { createMcpEndpoint, METHODS } from '../../mcp/endpoint.ts';
import { rpcError, rpcErrorBody } from '../../mcp/rpc-error.ts';
import type { McpParts } from '../../mcp/server.ts';

/** Bytes of a request. The gate takes a megabyte of arguments; the rest is room for what stands around them. */
const BODY_LIMIT = 4 * 1024 * 1024;

export interface McpHttp {
  /** Answers one request. Never rejects. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Ends conversations and streams. */
  close(): Promise<void>;
}

export function createMcpHttp(parts: McpParts): McpHttp {
  const endpoint = createMcpEndpoint(parts);
  // A `Request` hears of its signal only as long as somebody holds the request itself: dropped, it would let a call of a
  // client that has left wait on.
  const open = new Set<Request>();

  return {
    handle: async (req, res) => {
      if (res.destroyed) return;
      try {
        // Here, because of some other methods no `Request` can be made.
        if (!METHODS.includes(req.method ?? '')) return await write(rpcError(405, -32000, 'MCP is spoken with POST, GET and DELETE.', { Allow: METHODS.join(', ') }), res);
        const left = new AbortController();
        const request = new Request('http://127.0.0.1/mcp', { method: req.method ?? 'GET', headers: headersOf(req), signal: left.signal });
        open.add(request);
        res.once('close', () => {
          left.abort();
          open.delete(request);
        });
        const body = req.method === 'POST' ? await readBody(req) : undefined;
        await write(await endpoint.fetch(request, body), res);
      } catch (error) {
        fail(res, error);
      }
    },
    close: () => endpoint.close(),
  };
}

/** A request that is refused before it is one: its status, and what is said. */
class BodyFault extends Error {
  readonly status: number;
  readonly rpcCode: number;

  constructor(status: number, rpcCode: number, message: string) {
    super(message);
    this.status = status;
    this.rpcCode = rpcCode;
  }
}

async function readBody(req: IncomingMessage): Promise<unknown> {
  const bytes = await bytesOf(req);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BodyFault(400, -32700, 'The message is not JSON in UTF-8.');
  }
}

/** By events, because leaving a `for await` early closes the connection, and the client would not hear why. */
function bytesOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0; // what else comes is read and dropped
      reject(new BodyFault(413, -32000, `The message is larger than ${BODY_LIMIT / 1024 / 1024} MB. Send less at a time.`));
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('close', () => reject(new Error('The client left before its message was complete.')));
  });
}

/** What the client sent, without what is for the front alone. */
function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || name === 'authorization' || name === 'cookie') continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

async function write(response: Response, res: ServerResponse): Promise<void> {
  if (res.destroyed) {
    await response.body?.cancel();
    return;
  }
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    res.end();
    return;
  }
  // A stream may have nothing to say for a long time; the client must know at once that it is open. An answer that is
  // there already goes out together with its head.
  setImmediate(() => {
    if (!res.writableEnded && !res.destroyed) res.flushHeaders();
  });
  // Node's own bridge between the two kinds of stream costs a tenth of a whole call.
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  res.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || res.destroyed) break;
    if (!res.write(value)) await drained(res);
  }
  res.end();
}

/** Resolves when more can be written, or when nobody reads any more. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      res.off('drain', go).off('close', go);
      resolve();
    };
    res.once('drain', go).once('close', go);
  });
}

function fail(res: ServerResponse, error: unknown): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // What went wrong inside may name files: it is not sent.
  const { status, rpcCode, message } = error instanceof BodyFault ? error : new BodyFault(500, -32603, 'Model Hub itself failed at this message. Please report it.');
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify(rpcErrorBody(rpcCode, message)));
}
