/**
 * A POST by Node's own fetch: it takes no proxy and no header from the environment, follows no redirect, and reads no more
 * of an answer than is looked at.
 */
import { ANSWER_BYTES, type HttpAnswer, type HttpRequest } from '../../../otel/exporter/delivery.ts';

export async function httpPost({ url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual', credentials: 'omit' });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfter: response.headers.get('retry-after') ?? '',
    text: await beginningOf(response),
  };
}

/** Reading ends with the request's signal, like everything else of it. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    bytes += (chunk as Uint8Array).length;
    if (bytes >= ANSWER_BYTES) break;
  }
  return text.slice(0, ANSWER_BYTES);
}
