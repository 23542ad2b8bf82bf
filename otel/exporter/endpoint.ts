/** Where traces go: an endpoint as a person types it, checked, with a sentence for what is wrong with it. */

/** The address to post to, or why there is none. */
export type Endpoint = { readonly url: string; readonly fault?: undefined } | { readonly fault: string; readonly url?: undefined };

const TRACES = '/v1/traces';

/** Takes the base address of a collector or the full one of its traces (D32). `secret`: headers with secrets would go there. */
export function readEndpoint(text: string, secret = false): Endpoint {
  const typed = text.trim();
  if (typed === '') return { fault: 'There is no endpoint. Type the address of a collector, such as http://localhost:4318.' };
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || url.host === '') return { fault: 'The endpoint is no address. It looks like http://localhost:4318 or https://collector.example/v1/traces.' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { fault: 'The endpoint must begin with http:// or https://. Traces are sent as OTLP over HTTP.' };
  if (url.username !== '' || url.password !== '') return { fault: 'The endpoint holds a name or a password. Take it out, and name a secret in a header in place of it.' };
  if (url.hash !== '') return { fault: 'The endpoint has a part behind #. Take it out.' };
  if (url.port === '4317') return { fault: 'Port 4317 is for OTLP over gRPC. Traces are sent over HTTP, which is port 4318 as a rule.' };
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/v1\/(?:metrics|logs)$/.test(path)) return { fault: 'The endpoint is one for metrics or logs. That for traces ends in /v1/traces.' };
  if (secret && url.protocol === 'http:' && !isThisComputer(url.hostname)) return { fault: 'A header with a secret goes to another computer over https alone. Begin the endpoint with https://.' };
  url.hash = ''; // an empty one too
  url.pathname = path.endsWith(TRACES) ? path : path + TRACES;
  return { url: url.href };
}

function isThisComputer(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
