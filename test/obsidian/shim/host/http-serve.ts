/**
 * A page's `http.createServer().listen()`: it really listens here, and each request and its body go to the page, which
 * answers piece by piece. A client that leaves is told at once.
 */
import http from 'node:http';
import type { Kept } from './kept.ts';

/** What a page may set on a server before it listens, as Node names it. */
export interface ServerSettings {
  readonly options: http.ServerOptions;
  readonly properties: Readonly<Record<string, number>>;
}

/** Listens, and answers the server's number and address. Rejects with Node's error (EADDRINUSE …). */
export async function serveHttp(kept: Kept, settings: ServerSettings, where: readonly (number | string | object)[]): Promise<{ readonly number: number; readonly address: unknown }> {
  const server = http.createServer(settings.options);
  Object.assign(server, settings.properties);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(...(where as [number, string]), resolve);
  });
  const number = kept.keep(
    {
      close: () => new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
      closeAllConnections: () => server.closeAllConnections(),
      closeIdleConnections: () => server.closeIdleConnections(),
      set: (name: string, value: number) => void Object.assign(server, { [name]: value }),
    },
    () => {
      server.closeAllConnections();
      server.close();
    },
  );
  server.on('close', () => kept.tell(number, 'close'));
  server.on('error', (error) => kept.tell(number, 'error', error));
  server.on('request', (req, res) => passOn(kept, number, req, res));
  return { number, address: server.address() };
}

function passOn(kept: Kept, server: number, req: http.IncomingMessage, res: http.ServerResponse): void {
  const { method, url, httpVersion, headers, rawHeaders, socket } = req;
  const number = kept.keep(
    {
      writeHead: (status: number, message: string, given: http.OutgoingHttpHeaders) => {
        res.statusMessage = message;
        res.writeHead(status, given);
        res.flushHeaders();
      },
      write: (bytes: Buffer) => new Promise<void>((resolve) => res.write(bytes, () => resolve())),
      end: () => new Promise<void>((resolve) => res.end(() => resolve())),
      destroy: () => void res.destroy(),
    },
    () => void res.destroy(),
  );
  kept.tell(server, 'request', number, {
    method, url, httpVersion, headers, rawHeaders,
    remoteAddress: socket.remoteAddress, remotePort: socket.remotePort, localAddress: socket.localAddress, localPort: socket.localPort,
  });
  req.on('data', (bytes: Buffer) => kept.tell(number, 'data', bytes));
  req.on('end', () => kept.tell(number, 'end'));
  req.on('error', () => undefined); // 'close' of the answer says it
  res.on('error', () => undefined);
  res.on('close', () => {
    kept.tell(number, 'close', res.writableFinished);
    kept.forget(number);
  });
}
