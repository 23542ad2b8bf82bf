/** `http.request` in the page: Node sends it, and the answer comes back as a stream. */
import { Buffer } from 'node:buffer';
import { Writable } from 'node:stream';
import type { Bridge } from './bridge.ts';
import { IncomingMessage } from './http-server.ts';

type Answered = (response: IncomingMessage) => void;

export interface RequestOptions {
  readonly protocol?: string;
  readonly host?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly rejectUnauthorized?: boolean;
  readonly ca?: string;
}

export class ClientRequest extends Writable {
  readonly #bridge: Bridge;
  readonly #number: Promise<number>;
  #response: IncomingMessage | undefined;

  constructor(bridge: Bridge, url: string, options: RequestOptions) {
    super();
    this.#bridge = bridge;
    const { method, headers, timeout, rejectUnauthorized, ca, signal } = options;
    this.#number = bridge.call('http.send', { url, options: dropUndefined({ method, headers, timeout, rejectUnauthorized, ca }) }) as Promise<number>;
    this.#number.then((number) => bridge.listen(number, (what, args) => this.#hear(number, what, args)), (error: Error) => this.destroy(error));
    const abort = (): void => void this.destroy(Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
    if (signal?.aborted) queueMicrotask(abort);
    else signal?.addEventListener('abort', abort, { once: true });
    this.once('close', () => signal?.removeEventListener('abort', abort));
  }

  setTimeout(): this { return this; }
  setNoDelay(): this { return this; }
  abort(): void { this.destroy(); }

  override _write(data: string | Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#do('write', typeof data === 'string' ? Buffer.from(data, encoding) : data).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#do('end').then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#do('destroy').catch(() => undefined);
    if (error) this.#response?.destroy(error);
    done(error);
  }

  async #do(name: string, ...args: unknown[]): Promise<unknown> {
    return this.#bridge.on(await this.#number, name, ...args);
  }

  #hear(number: number, what: string, args: readonly unknown[]): void {
    switch (what) {
      case 'response':
        this.#response = new IncomingMessage(args[0] as object, () => void this.destroy());
        if (!this.emit('response', this.#response)) this.#response.resume();
        return;
      case 'error':
        this.destroy(args[0] as Error);
        return;
      case 'broken':
      case 'close':
        this.#bridge.forget(number);
        this.#response?.cut();
        return;
      case 'data':
      case 'end':
        this.#response?.hear(what, args);
    }
  }
}

function dropUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** `request` and `get` of one protocol, taking what Node's take: an address, options, or both. */
export function makeRequests(bridge: Bridge, protocol: 'http:' | 'https:'): { request: (...args: unknown[]) => ClientRequest; get: (...args: unknown[]) => ClientRequest } {
  const request = (...args: unknown[]): ClientRequest => {
    const answered = typeof args.at(-1) === 'function' ? (args.pop() as Answered) : undefined;
    const url = typeof args[0] === 'string' || args[0] instanceof URL ? String(args.shift()) : undefined;
    const options = (args[0] ?? {}) as RequestOptions;
    const sent = new ClientRequest(bridge, url ?? addressOf(protocol, options), options);
    if (answered) sent.once('response', answered);
    return sent;
  };
  return { request, get: (...args) => request(...args).end() };
}

function addressOf(protocol: string, options: RequestOptions): string {
  const port = options.port === undefined ? '' : `:${options.port}`;
  return `${options.protocol ?? protocol}//${options.hostname ?? options.host ?? 'localhost'}${port}${options.path ?? '/'}`;
}
