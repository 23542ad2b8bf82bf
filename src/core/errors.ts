/**
 * The one error of the hub: a code from a closed list, a sentence that says what is wrong and what to do, and details.
 *
 * Messages never hold arguments, note text or secrets: they are logged and returned (F120, F150–F161).
 */
import type { DenyReason, ErrorCode, HubErrorShape, Json } from './types.ts';

/** The most characters of a message that the log keeps (D31). */
export const MESSAGE_LIMIT = 500;

export interface HubErrorOptions {
  readonly reason?: DenyReason;
  readonly details?: { readonly reason?: string; readonly [key: string]: Json | undefined };
  /** What the log keeps in place of the message, where the message repeats words of the caller's. */
  readonly logged?: string;
}

export class HubError extends Error implements HubErrorShape {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  readonly details: { readonly reason?: string; readonly [key: string]: Json | undefined };
  /** Why a call was denied; on `tool-denied` only (D06). */
  readonly reason: DenyReason | undefined;
  /** The message as the log keeps it: one line, no control characters, at most {@link MESSAGE_LIMIT} characters. */
  readonly logged: string;

  constructor(code: ErrorCode, message: string, options: HubErrorOptions = {}) {
    super(message);
    this.code = code;
    this.reason = options.reason;
    this.details = Object.freeze({ ...options.details, ...(options.reason ? { reason: options.reason } : {}) });
    this.logged = oneLine(options.logged ?? message);
  }
}

/** A refusal with its reason (F153, F154, D06). */
export function denied(reason: DenyReason, message: string): HubError {
  return new HubError('tool-denied', message, { reason });
}

/** The last sentence of everything that ends because the hub itself goes. */
export function hubGone(): HubError {
  return new HubError('hub-gone', 'Model Hub was switched off or reloaded. Ask for it again with onHubReady.');
}

// Line breaks of every alphabet, control characters (C0, DEL, C1), and marks that turn the reading direction around.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** One line of at most {@link MESSAGE_LIMIT} UTF-16 units: control characters become a space, lone surrogates U+FFFD; never ends inside a pair. */
export function oneLine(text: string): string {
  const line = text.slice(0, 8 * MESSAGE_LIMIT).replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim().toWellFormed();
  if (line.length <= MESSAGE_LIMIT) return line;
  const end = isHighSurrogate(line.charCodeAt(MESSAGE_LIMIT - 2)) ? MESSAGE_LIMIT - 2 : MESSAGE_LIMIT - 1;
  return `${line.slice(0, end)}…`;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
