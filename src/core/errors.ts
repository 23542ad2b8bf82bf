/**
 * The one error of the hub: a code from a closed list, a sentence that says what is wrong and what to do, and details.
 *
 * Messages never hold arguments, note text or secrets: they are logged and returned (F120, F150–F161).
 */
import { oneLine } from '../../otel/text.ts';
import type { DenyReason, ErrorCode, HubErrorShape, Json } from './types.ts';

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
  /** The message as the log keeps it: one line, no control characters, at most 500 characters (D31). */
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

/** The last sentence of everything that ends because the hub itself goes. Users, plugins and agents all read it. */
export function hubGone(): HubError {
  return new HubError('hub-gone', 'Model Hub was switched off or reloaded. Try again when it is back.');
}

/** What a plugin hears of its old hub after it was itself switched off or reloaded. */
export function pluginGone(): HubError {
  return new HubError('hub-gone', 'The plugin that asked was switched off or reloaded, and has no part in Model Hub any more.');
}
