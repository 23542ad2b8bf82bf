/**
 * A POST by Node's own HTTP, over connections of its own: no proxy and no header comes from the environment, no redirect is
 * followed, and no more of an answer is read than is looked at.
 */
import http from 'node:http';
import https from 'node:https';
import { ANSWER_BYTES, type HttpAnswer, type HttpRequest } from '../../../otel/exporter/delivery.ts';

// Agents of our own: the global ones go through a proxy where a variable says so.
const OVER = {
  'http:': { request: http.request, agent: new http.Agent({ keepAlive: true, maxSockets: 2 }) },
  'https:': { request: https.request, agent: new https.Agent({ keepAlive: true, maxSockets: 2 }) },
};

export function httpPost({ url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const { request, agent } = new URL(url).protocol === 'https:' ? OVER['https:'] : OVER['http:'];
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent, signal }, (response) => {
      beginningOf(response).then((text) => resolve({
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'] ?? '',
        retryAfter: response.headers['retry-after'] ?? '',
        text,
      }), reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Reading ends with the request's signal, like everything else of it. Whoever sends more is cut off. */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES) break;
  }
  return text.slice(0, ANSWER_BYTES);
}
