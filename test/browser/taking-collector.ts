/** A collector that takes whatever it is sent, or refuses it in a sentence, and keeps each request as it came. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Taken {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class TakingCollector {
  readonly url: string;
  readonly taken: Taken[] = [];
  /** What it says to a request in place of taking it. */
  refusal = '';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => void text(req).then((body) => {
      this.taken.push({ path: req.url!, headers: req.headers, body });
      res.writeHead(this.refusal === '' ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(this.refusal === '' ? {} : { message: this.refusal }));
    }));
  }

  static async start(): Promise<TakingCollector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TakingCollector(server);
  }

  /** Names of all spans that it took. */
  spans(): string[] {
    return this.taken.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: readonly { scopeSpans: readonly { spans: readonly { name: string }[] }[] }[] };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)));
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
