/**
 * Messages over a pipe, one a line, before the SDK reads them: split on the byte 0x0A alone, since texts may hold other
 * line breaks; a byte order mark is taken off; batches, and lines that are too long, are answered instead of passed on.
 */
import { NO_BATCHES, rpcErrorBody } from './rpc-error.ts';

/** Bytes of one line. */
const LINE_LIMIT = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const BATCH = 0x5b; // [
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface LineSinks {
  /** A line for the SDK, its newline included. */
  readonly pass: (line: Uint8Array) => void;
  /** A JSON-RPC error for the client. */
  readonly reply: (error: object) => void;
}

export class LineFilter {
  readonly #sinks: LineSinks;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(sinks: LineSinks) {
    this.#sinks = sinks;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= LINE_LIMIT) this.#parts.push(part);
    else this.#parts = [];
  }

  #finish(): void {
    const size = this.#size;
    const line = withoutMark(joined(this.#parts));
    this.#parts = [];
    this.#size = 0;
    if (size > LINE_LIMIT) this.#sinks.reply(rpcErrorBody(-32000, `The message is larger than ${LINE_LIMIT / 1024 / 1024} MB. Send less at a time.`));
    else if (line.find((byte) => !BLANKS.has(byte)) === BATCH) for (const error of refusals(line)) this.#sinks.reply(error);
    else this.#sinks.pass(line);
  }
}

/** One error for each request of the batch, so that whoever waits for an answer gets one. */
function refusals(line: Uint8Array): object[] {
  let batch: unknown;
  try {
    batch = JSON.parse(new TextDecoder().decode(line));
  } catch {
    batch = [];
  }
  const ids = (batch as unknown[]).flatMap((message) => {
    const { id } = (message ?? {}) as { readonly id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
  return ids.length === 0 ? [rpcErrorBody(-32600, NO_BATCHES)] : ids.map((id) => rpcErrorBody(-32600, NO_BATCHES, id));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function withoutMark(line: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, at) => line[at] === byte) ? line.subarray(BYTE_ORDER_MARK.length) : line;
}
