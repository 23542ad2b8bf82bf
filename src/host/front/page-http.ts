/**
 * The page's side of HTTP: who may ask, what is sent with every answer, and how bodies are read. Everything here is strict,
 * because any program and any web page on this computer can reach the port.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HubError } from '../../core/errors.ts';
import { TracesRefused } from '../../shown/traces.ts';
import type { PageError } from '../page/wire.ts';

const BODY_LIMIT = 64 * 1024;

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** A request that is answered with an error: its status, and what is said. */
export class RequestFault extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function send(res: ServerResponse, status: number, type: string, body: string, more: Readonly<Record<string, string>> = {}): void {
  res.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8`, ...more });
  res.end(body);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  send(res, status, 'application/json', JSON.stringify(value));
}

export function sendFault(res: ServerResponse, error: unknown): void {
  const { status, code, message } = faultOf(error);
  if (res.headersSent) res.destroy();
  else sendJson(res, status, { code, message } satisfies PageError);
}

function faultOf(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof RequestFault) return { status: error.status, code: error.code, message: error.message };
  if (error instanceof TracesRefused) return { status: 422, code: 'invalid-request', message: error.message };
  if (error instanceof HubError) return { status: 422, code: error.code, message: error.message };
  // What went wrong inside may name files: it is not sent.
  return { status: 500, code: 'failed', message: 'Model Hub itself failed at this. Try again, and report it if it fails once more.' };
}

/** Starts a stream of events. */
export function openStream(res: ServerResponse): void {
  res.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  res.flushHeaders();
}

/** The cookie that stands for the key; its name has the port, since cookies do not tell ports apart. */
export class PageCookie {
  readonly #key: string;
  readonly #value: string;

  constructor(key: string) {
    this.#key = key;
    this.#value = createHmac('sha256', key).update('the page of model-hub').digest('base64url');
  }

  /** True if `given` is the key. Takes the same time however much of it is right. */
  isKey(given: string | null): boolean {
    return given !== null && same(given, this.#key);
  }

  /** The header that hands the cookie out. */
  header(req: IncomingMessage): string {
    return `${nameFor(req)}=${this.#value}; HttpOnly; SameSite=Strict; Path=/`;
  }

  isWith(req: IncomingMessage): boolean {
    const name = nameFor(req);
    return (req.headers.cookie ?? '').split(';').some((pair) => {
      const at = pair.indexOf('=');
      return at > 0 && pair.slice(0, at).trim() === name && same(pair.slice(at + 1).trim(), this.#value);
    });
  }
}

function nameFor(req: IncomingMessage): string {
  return `model-hub-${req.socket.localPort ?? 0}`;
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Throws unless the request comes from the page itself. Another port of this computer is the same site: its cookie alone proves nothing. */
export function checkSource(req: IncomingMessage): void {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new RequestFault(403, 'forbidden', 'Only the page itself may ask this.');
  if (req.method === 'POST' && req.headers.origin !== `http://${req.headers.host ?? ''}`) throw new RequestFault(403, 'forbidden', 'Only the page itself may ask this.');
}

/** The JSON body of a request. Throws for another type, for too much, and for what is not JSON. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  if (req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw new RequestFault(415, 'invalid-request', 'The body must be application/json.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new RequestFault(413, 'invalid-request', 'The body is larger than 64 kB.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new RequestFault(400, 'invalid-request', 'The body is not JSON.');
  }
}
