/** A page's `http.request` and `requestUrl`: sent from here, with every attempt counted. */
import http from 'node:http';
import https from 'node:https';
import type { Kept } from './kept.ts';
import type { Network } from './network.ts';

export interface Outgoing { readonly url: string; readonly options: https.RequestOptions }

/** Opens a request; what comes of it is told to its number: `response`, `data`, `end`, `error`, `close`. */
export function openRequest(kept: Kept, network: Network, { url, options }: Outgoing): number {
  network.attempt('http', url);
  const request = (new URL(url).protocol === 'https:' ? https : http).request(url, { ...options, agent: false });
  const number = kept.keep(
    {
      write: (bytes: Buffer) => new Promise<void>((resolve) => request.write(bytes, () => resolve())),
      end: () => void request.end(),
      destroy: () => void request.destroy(),
    },
    () => void request.destroy(),
  );
  request.on('response', (response) => {
    const { statusCode, statusMessage, httpVersion, headers, rawHeaders } = response;
    kept.tell(number, 'response', { statusCode, statusMessage, httpVersion, headers, rawHeaders });
    response.on('data', (bytes: Buffer) => kept.tell(number, 'data', bytes));
    response.on('end', () => kept.tell(number, 'end'));
    response.on('error', (error) => kept.tell(number, 'broken', error));
  });
  request.on('error', (error) => kept.tell(number, 'error', error));
  request.on('close', () => {
    kept.tell(number, 'close');
    kept.forget(number);
  });
  return number;
}

export interface UrlRequest { readonly url: string; readonly method: string; readonly headers: Record<string, string>; readonly body: Buffer | undefined }

/** The whole answer of one request, whatever its status and whatever another origin says. Rejects where none comes. */
export async function requestWhole(network: Network, { url, method, headers, body }: UrlRequest): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly bytes: Buffer }> {
  network.attempt('requestUrl', url);
  const response = await fetch(url, { method, headers, ...(body ? { body: new Uint8Array(body) } : {}) });
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes: Buffer.from(await response.arrayBuffer()) };
}
