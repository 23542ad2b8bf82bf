/**
 * A collector that fails in one way until it is mended: then it takes traces at the same address, and keeps what it got. A
 * second server beside it is where nothing may ever go.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export const FAULTS = ['dead', 'silent', 'dripping', '429 for a year', '503', '500 with HTML', '200 with HTML', '404', '401', 'redirect', 'reset', 'takes, then resets', 'partial success'] as const;
export type Fault = (typeof FAULTS)[number];

const HOST = '127.0.0.1';
const DRIP_MS = 500;

export class FaultyCollector {
  readonly url: string;
  /** Trace and span ids that arrived, once it was well or where the fault takes them. */
  readonly spans = new Set<string>();
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #elsewhere: Server;
  readonly #headersElsewhere: string[] = [];
  #server: Server | undefined;
  #fault: Fault | undefined;

  private constructor(fault: Fault, port: number, elsewhere: Server) {
    this.#fault = fault;
    this.#port = port;
    this.#elsewhere = elsewhere;
    this.url = `http://${HOST}:${port}`;
    elsewhere.on('request', (req, res) => {
      this.#headersElsewhere.push(JSON.stringify(req.headers));
      res.end('{}');
    });
  }

  static async start(fault: Fault): Promise<FaultyCollector> {
    const elsewhere = createServer().listen(0, HOST);
    const free = createServer().listen(0, HOST);
    await Promise.all([once(elsewhere, 'listening'), once(free, 'listening')]);
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const collector = new FaultyCollector(fault, port, elsewhere);
    if (fault !== 'dead') await collector.#listen();
    return collector;
  }

  /** From now on it is well. */
  async mend(): Promise<void> {
    this.#fault = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server) await this.#listen();
  }

  /** How often the other server was shown the credential, or anything at all. */
  credentialsElsewhere(secret: string): number {
    return this.#headersElsewhere.filter((headers) => headers.includes(secret)).length + this.#headersElsewhere.length;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of [this.#server, this.#elsewhere]) if (server) await new Promise((resolve) => server.close(resolve));
  }

  async #listen(): Promise<void> {
    this.#server = createServer((req, res) => void this.#answer(req, res).catch(() => res.destroy())).listen(this.#port, HOST);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
    });
    await once(this.#server, 'listening');
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fault = this.#fault;
    if (fault === 'reset') return void req.socket.destroy();
    const body = await text(req);
    switch (fault) {
      case undefined:
        this.#keep(body);
        return json(res, 200, '{}');
      case 'dead':
      case 'silent':
        return;
      case 'dripping':
        return drip(res);
      case '429 for a year':
        return json(res, 429, '{}', { 'retry-after': String(365 * 24 * 3600) });
      case '503':
        return json(res, 503, '{}');
      case '500 with HTML':
        return html(res, 500);
      case '200 with HTML':
        return html(res, 200);
      case '404':
        return json(res, 404, '{"message":"not found"}');
      case '401':
        return json(res, 401, '{"message":"unauthorized"}');
      case 'redirect':
        return json(res, 307, '', { location: `http://${HOST}:${(this.#elsewhere.address() as AddressInfo).port}/v1/traces` });
      case 'takes, then resets':
        this.#keep(body);
        return void req.socket.destroy();
      case 'partial success':
        this.#keep(body);
        return json(res, 200, '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"one was too old"}}');
    }
  }

  #keep(body: string): void {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: readonly { scopeSpans: readonly { spans: readonly { traceId: string; spanId: string }[] }[] }[] };
    for (const { traceId, spanId } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))) this.spans.add(traceId + spanId);
  }
}

function json(res: ServerResponse, status: number, body: string, headers: { readonly [name: string]: string } = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function html(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>Please log in.</p>');
}

/** A byte now and then, for ever. */
function drip(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => res.write(' '), DRIP_MS);
  res.on('close', () => clearInterval(timer));
}
