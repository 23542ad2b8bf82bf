/**
 * `http.createServer` in the page. The server listens in Node; its requests arrive here as streams, and what is written to
 * an answer goes out piece by piece, in order.
 */
import type { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Bridge } from './bridge.ts';

type Headers = Record<string, number | string | readonly string[]>;
type Listener = (req: IncomingMessage, res: ServerResponse) => void;

interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress?: string;
  readonly remotePort?: number;
  readonly localAddress?: string;
  readonly localPort?: number;
}

/** The connection of a request, as far as a handler looks at it. */
class Socket extends EventEmitter {
  destroyed = false;
  readonly encrypted = false;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  readonly #end: () => void;

  constructor({ remoteAddress, remotePort, localAddress, localPort }: Partial<Arrived>, end: () => void) {
    super();
    Object.assign(this, { remoteAddress, remotePort, localAddress, localPort });
    this.#end = end;
  }

  destroy(): this {
    this.destroyed = true;
    this.#end();
    return this;
  }

  setTimeout(): this { return this; }
  setNoDelay(): this { return this; }
  setKeepAlive(): this { return this; }
}

export class IncomingMessage extends Readable {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly statusCode: number | undefined;
  readonly statusMessage: string | undefined;
  readonly httpVersion: string;
  readonly headers: Arrived['headers'];
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  complete = false;
  aborted = false;
  readonly #end: () => void;

  constructor(arrived: Partial<Arrived> & { readonly statusCode?: number; readonly statusMessage?: string }, end: () => void) {
    super();
    this.method = arrived.method;
    this.url = arrived.url;
    this.statusCode = arrived.statusCode;
    this.statusMessage = arrived.statusMessage;
    this.httpVersion = arrived.httpVersion ?? '1.1';
    this.headers = arrived.headers ?? {};
    this.rawHeaders = arrived.rawHeaders ?? [];
    this.socket = new Socket(arrived, end);
    this.#end = end;
  }

  get connection(): Socket {
    return this.socket;
  }

  override _read(): void {
    // Node sends what comes; how much lies here is not limited.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) this.#end();
    // As in Node: without a listener for it, a client that left is no fault of the handler's.
    done(error !== null && this.listenerCount('error') === 0 ? null : error);
  }

  setTimeout(): this { return this; }

  /** What Node tells of the body. */
  hear(what: string, args: readonly unknown[]): void {
    if (what === 'data') this.push(args[0]);
    if (what === 'end') {
      this.complete = true;
      this.push(null);
    }
  }

  /** The other side left before the body was whole. */
  cut(): void {
    if (this.complete || this.destroyed) return;
    this.aborted = true;
    this.emit('aborted');
    this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  }
}

export class ServerResponse extends Writable {
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  sendDate = true;
  readonly req: IncomingMessage;
  readonly socket: Socket;
  readonly #headers = new Map<string, readonly [string, Headers[string]]>();
  readonly #do: (name: string, ...args: unknown[]) => Promise<unknown>;
  #head: Promise<unknown> = Promise.resolve();

  constructor(bridge: Bridge, number: number, req: IncomingMessage) {
    super({ decodeStrings: true });
    this.#do = (name, ...args) => bridge.on(number, name, ...args);
    this.req = req;
    this.socket = req.socket;
  }

  get finished(): boolean {
    return this.writableEnded;
  }

  setHeader(name: string, value: Headers[string]): this {
    if (this.headersSent) throw Object.assign(new Error('Cannot set headers after they are sent to the client'), { code: 'ERR_HTTP_HEADERS_SENT' });
    this.#headers.set(name.toLowerCase(), [name, value]);
    return this;
  }

  getHeader(name: string): Headers[string] | undefined { return this.#headers.get(name.toLowerCase())?.[1]; }
  hasHeader(name: string): boolean { return this.#headers.has(name.toLowerCase()); }
  removeHeader(name: string): void { this.#headers.delete(name.toLowerCase()); }
  getHeaders(): Headers { return Object.fromEntries([...this.#headers].map(([key, [, value]]) => [key, value])); }
  getHeaderNames(): string[] { return [...this.#headers.keys()]; }

  writeHead(status: number, second?: string | Headers | readonly string[], third?: Headers | readonly string[]): this {
    const headers = (typeof second === 'string' ? third : second) ?? {};
    if (typeof second === 'string') this.statusMessage = second;
    this.statusCode = status;
    for (const [name, value] of Array.isArray(headers) ? pairs(headers as string[]) : Object.entries(headers as Headers)) this.setHeader(name, value);
    this.#sendHead();
    return this;
  }

  flushHeaders(): void {
    if (!this.headersSent) this.#sendHead();
  }

  setTimeout(): this { return this; }

  #sendHead(): void {
    if (this.headersSent) throw Object.assign(new Error('Cannot write headers after they are sent to the client'), { code: 'ERR_HTTP_HEADERS_SENT' });
    this.headersSent = true;
    const headers = Object.fromEntries(this.#headers.values());
    this.#head = this.#do('writeHead', this.statusCode, this.statusMessage, headers).catch(() => undefined);
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.flushHeaders();
    this.#head.then(() => this.#do('write', bytes)).then(() => done(), () => done());
  }

  override _final(done: (error?: Error | null) => void): void {
    this.flushHeaders();
    this.#head.then(() => this.#do('end')).then(() => done(), () => done());
  }

  override _destroy(_: Error | null, done: (error?: Error | null) => void): void {
    // Node's answers never fail by themselves: the client that left is told by 'close'.
    if (!this.writableFinished) void this.#do('destroy').catch(() => undefined);
    this.socket.destroyed = true;
    done();
  }
}

function pairs(flat: readonly string[]): (readonly [string, string])[] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]!] as const] : []));
}

/** A server whose settings (`maxConnections`, `requestTimeout` …) are taken when it begins to listen. */
export class Server extends EventEmitter {
  listening = false;
  readonly #bridge: Bridge;
  readonly #options: object;
  #number: number | undefined;
  #address: unknown = null;

  constructor(bridge: Bridge, options: object, listener?: Listener) {
    super();
    this.#bridge = bridge;
    this.#options = options;
    if (listener) this.on('request', listener);
  }

  listen(...args: unknown[]): this {
    const done = typeof args.at(-1) === 'function' ? (args.pop() as () => void) : undefined;
    if (done) this.once('listening', done);
    const properties = Object.fromEntries(SETTINGS.flatMap((name) => (name in this ? [[name, this[name as keyof this]]] : [])));
    this.#bridge.call('http.serve', { options: this.#options, properties }, args).then(
      (answer) => this.#listens(answer as { number: number; address: unknown }),
      (error: unknown) => this.emit('error', error),
    );
    return this;
  }

  address(): unknown { return this.#address; }
  ref(): this { return this; }
  unref(): this { return this; }
  setTimeout(): this { return this; }

  close(done?: (error?: Error) => void): this {
    const number = this.#number;
    if (number === undefined || !this.listening) {
      if (done) queueMicrotask(() => done(Object.assign(new Error('Server is not running.'), { code: 'ERR_SERVER_NOT_RUNNING' })));
      return this;
    }
    this.listening = false;
    this.#address = null;
    void this.#bridge.on(number, 'close').then(() => done?.(), done);
    return this;
  }

  closeAllConnections(): void { this.#tell('closeAllConnections'); }
  closeIdleConnections(): void { this.#tell('closeIdleConnections'); }

  #tell(name: string): void {
    if (this.#number !== undefined) void this.#bridge.on(this.#number, name);
  }

  #listens({ number, address }: { readonly number: number; readonly address: unknown }): void {
    this.#number = number;
    this.#address = address;
    this.listening = true;
    this.#bridge.listen(number, (what, args) => {
      if (what === 'request') this.#request(args[0] as number, args[1] as Arrived);
      else this.emit(what, ...args);
    });
    this.emit('listening');
  }

  #request(number: number, arrived: Arrived): void {
    const end = (): void => void this.#bridge.on(number, 'destroy').catch(() => undefined);
    const req = new IncomingMessage(arrived, end);
    const res = new ServerResponse(this.#bridge, number, req);
    this.#bridge.listen(number, (what, args) => {
      req.hear(what, args);
      if (what !== 'close') return;
      this.#bridge.forget(number);
      req.socket.emit('close');
      req.cut();
      res.destroy();
    });
    this.emit('request', req, res);
  }
}

const SETTINGS = ['maxConnections', 'maxHeadersCount', 'timeout', 'headersTimeout', 'requestTimeout', 'keepAliveTimeout'];
