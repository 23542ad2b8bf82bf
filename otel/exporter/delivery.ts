/**
 * One request to a collector, and what its answer means: delivered, to be sent again later, or not to be sent like this.
 * It ends within its deadline whatever the other side does, follows no redirect, and never throws.
 */
import { oneLine } from '../text.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Of the header `Retry-After`; empty if there is none. */
  readonly retryAfter: string;
  /** At most {@link ANSWER_BYTES} of it. */
  readonly text: string;
}

/** A POST that follows no redirect and adds no header of its own. Rejects when the signal fires, or no answer comes. */
export type HttpPost = (request: HttpRequest) => Promise<HttpAnswer>;

export const ANSWER_BYTES = 1 << 16;
/** From the first byte sent to the last byte of the answer. */
export const DELIVERY_MS = 10_000;
/** The longest that a collector can make us wait: some ask for years. */
export const LONGEST_WAIT_MS = 60_000;

export type Delivery =
  /** `rejected`: spans that the collector took and threw away (partial success); sending them again would not help. */
  | { readonly kind: 'delivered'; readonly rejected: number; readonly said: string }
  /** Nobody is there, or is busy. */
  | { readonly kind: 'later'; readonly why: string; readonly waitMs: number | undefined }
  /** Something about this request. */
  | { readonly kind: 'refused'; readonly status: number; readonly said: string }
  /** Something about the address or the credentials. */
  | { readonly kind: 'misconfigured'; readonly why: string; readonly said: string };

export async function deliver(post: HttpPost, request: Omit<HttpRequest, 'signal'>, stop: AbortSignal): Promise<Delivery> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DELIVERY_MS);
  try {
    const headers = { ...request.headers, 'content-type': 'application/json' };
    return meaningOf(await post({ ...request, headers, signal: AbortSignal.any([stop, deadline.signal]) }));
  } catch {
    return { kind: 'later', why: deadline.signal.aborted ? `no answer within ${DELIVERY_MS / 1000} seconds` : 'nobody answered', waitMs: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function meaningOf({ status, contentType, retryAfter, text }: HttpAnswer): Delivery {
  const said = oneLine(text); // for the user alone: a collector may say anything
  if (status >= 200 && status < 300) {
    // A page of a proxy or of a hotel's network says 200 too.
    if (isPage(contentType, text.trim())) return { kind: 'misconfigured', why: 'something answered that is no collector', said };
    return { kind: 'delivered', ...rejectedIn(text) };
  }
  if (status === 408 || status === 429 || status >= 500) return { kind: 'later', why: `status ${status}`, waitMs: waitOf(retryAfter) };
  if (status === 400 || status === 413 || status === 415 || status === 422) return { kind: 'refused', status, said };
  return { kind: 'misconfigured', why: MEANINGS[status] ?? `status ${status}`, said };
}

/** Of another type than what collectors answer, or HTML whatever it calls itself. */
function isPage(contentType: string, text: string): boolean {
  if (text === '' || text.startsWith('{')) return false;
  return text.startsWith('<') || !/\b(?:json|protobuf|text\/plain|octet-stream)\b/i.test(contentType);
}

const MEANINGS: { readonly [status: number]: string } = {
  401: 'it wants other credentials (status 401)', 403: 'it wants other credentials (status 403)',
  404: 'it takes no traces at this address (status 404)', 405: 'it takes no traces at this address (status 405)',
  301: 'it sends us elsewhere (status 301)', 302: 'it sends us elsewhere (status 302)', 303: 'it sends us elsewhere (status 303)', 307: 'it sends us elsewhere (status 307)', 308: 'it sends us elsewhere (status 308)',
};

/** Partial success. Its count is a number or, as protobuf's JSON has it, a text. */
function rejectedIn(text: string): { readonly rejected: number; readonly said: string } {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    const message = partialSuccess?.errorMessage;
    return { rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0, said: typeof message === 'string' ? oneLine(message) : '' };
  } catch {
    return { rejected: 0, said: '' };
  }
}

/** Seconds or a date; what is neither, or lies in the past, counts as nothing said. */
function waitOf(retryAfter: string): number | undefined {
  const text = retryAfter.trim();
  // A date of HTTP begins with the day's name: `Date.parse` finds a year in nearly any number.
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : /^[a-z]/i.test(text) ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : undefined;
}
