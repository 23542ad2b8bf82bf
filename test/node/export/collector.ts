/** A collector that answers as the test says, over a real socket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeCollector {
  readonly url: string;
  readonly port: number;
  readonly heard: Heard[];
}

type Answer = (response: ServerResponse, heard: Heard) => void;

export function answering(status: number, headers: { readonly [name: string]: string } = {}, body: string | Uint8Array = ''): Answer {
  return (response) => response.writeHead(status, headers).end(body);
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const TAKES = answering(200, JSON_TYPE, '{}');

/** Gone when the test is. */
export async function startCollector(answer: Answer = TAKES): Promise<FakeCollector> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      heard.push(one);
      answer(response, one);
    });
  });
  const port = await listening(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${port}/v1/traces`, port, heard };
}

/** For what no HTTP server would do. */
export async function startSocket(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    connected(socket);
  });
  const port = await listening(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${port}/v1/traces`;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
