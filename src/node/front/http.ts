/**
 * The front door on 127.0.0.1: whoever comes by another name, from another origin or without the token is told so in a
 * sentence and goes no further. There is no way to switch that off: every program and every web page on this computer
 * can reach the port.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdvisedError } from '../advised-error.ts';

export const MCP_PATH = '/mcp';

/** Only this address is listened on: `localhost` may mean `::1` elsewhere, so addresses are printed in digits. */
const ADDRESS = '127.0.0.1';
/** How many ports are tried after the wanted one, before any free one is taken. */
const PORTS_TRIED = 20;
/** For a client that sends its request byte by byte. Says nothing of how long an answer may take. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/** Between two requests on one connection. */
const KEEP_ALIVE_MS = 60_000;
const MOST_CONNECTIONS = 1_000;
/** How long open answers may take to end when the front closes. */
const GOODBYE_MS = 300;

export interface McpRoute {
  readonly token: string;
  /** Answers a request that brought the token. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

export interface FrontOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** True if a person named this port: then it must be free. Otherwise the next free one is taken. */
  readonly exact: boolean;
  /** Absent while MCP is switched off. */
  readonly mcp?: McpRoute;
  /** Answers what is not MCP; false if it does not know the path. */
  readonly page?: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;
}

export interface Front {
  readonly port: number;
  /** `http://127.0.0.1:4820` */
  readonly url: string;
  /** Stops listening and ends what is open, within 2 seconds. */
  close(): Promise<void>;
}

/** Listens. Throws a {@link AdvisedError} if the port that was named is taken. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const token = options.mcp && digest(options.mcp.token);
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: 5_000 }, (req, res) => {
    answer(req, res, { ...options, digest: token, port: (server.address() as AddressInfo | null)?.port ?? 0 }).catch(() => res.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  const port = await listen(server, options);
  return { port, url: `http://${ADDRESS}:${port}`, close: () => close(server) };
}

interface Door extends FrontOptions {
  readonly digest: Buffer | undefined;
}

async function answer(req: IncomingMessage, res: ServerResponse, { port, mcp, digest: expected, page }: Door): Promise<void> {
  const names = [`${ADDRESS}:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const path = (req.url ?? '').split('?', 1)[0] ?? '';
  if (!names.includes((req.headers.host ?? '').toLowerCase())) {
    refuse(res, 403, `Model Hub answers only at http://${ADDRESS}:${port}. This request named another host.`);
  } else if (req.headers.origin !== undefined && !names.some((name) => req.headers.origin === `http://${name}`)) {
    refuse(res, 403, 'A web page of another origin may not use Model Hub.');
  } else if (path === MCP_PATH && mcp) {
    if (brings(req, expected)) await mcp.handle(req, res);
    else refuse(res, 401, 'The token is missing or wrong. Each vault has its own: copy it from the page of Model Hub, and send it as "Authorization: Bearer <token>".', { 'WWW-Authenticate': 'Bearer realm="Model Hub"' });
  } else if (path === MCP_PATH) {
    refuse(res, 404, 'MCP is switched off in Model Hub.');
  } else if (path.startsWith('//') || !(await page?.(req, res))) {
    refuse(res, 404, `There is nothing at this address. MCP is at ${MCP_PATH}, the page at /.`);
  }
}

/** Takes the same time however much of the token is right. */
function brings(req: IncomingMessage, expected: Buffer | undefined): boolean {
  const given = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  return given !== undefined && expected !== undefined && timingSafeEqual(digest(given), expected);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** As JSON-RPC, because those who are refused are clients mostly; people read the sentence all the same. */
function refuse(res: ServerResponse, status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...headers });
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

async function listen(server: Server, { port, exact }: FrontOptions): Promise<number> {
  const ports = port === 0 || exact ? [port] : [...Array.from({ length: PORTS_TRIED }, (_, more) => port + more).filter((tried) => tried <= 65_535), 0];
  for (const tried of ports) {
    try {
      return await listenOn(server, tried);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EACCES') throw new AdvisedError(`Port ${tried} may not be used by this user.`, 'Name one over 1023 with --port.');
      if (code !== 'EADDRINUSE') throw error;
    }
  }
  throw new AdvisedError(`Port ${port} is taken by another program.`, 'Name another one with --port, or leave --port out to take the next free one.');
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GOODBYE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
