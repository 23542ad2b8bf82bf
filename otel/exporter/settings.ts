/** What the user set about traces, read from what may be anything; and what it comes to: a target, or a sentence (D32). */
import { readEndpoint } from './endpoint.ts';
import type { Target } from './exporter.ts';

export interface TraceSettings {
  /** Off unless it is `true`. */
  readonly send: boolean;
  /** A collector's address; empty unless the user typed one. */
  readonly endpoint: string;
  /** Names of headers, each with the name of the secret that it holds: no secret stands in the settings. */
  readonly headers: { readonly [header: string]: string };
  /** The share of traces that is sent, 0 to 1. */
  readonly sampleRate: number;
  readonly serviceName: string;
  /** The address under which a trace is looked at, with `{trace}` and, if it takes one, `{span}` (E01). Empty: no links. */
  readonly traceUrl: string;
}

export const NO_TRACES: TraceSettings = { send: false, endpoint: '', headers: {}, sampleRate: 1, serviceName: 'model-hub', traceUrl: '' };

const SERVICE_NAME_LIMIT = 100;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const SECRET_NAME = /^[\w.-]{1,100}$/;
/** What every request has of its own, or cannot have at all. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-type', 'content-length', 'content-encoding', 'host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'traceparent', 'tracestate', 'baggage',
]);

/** What is missing or is not what it should be is as if it had not been set; nothing else turns sending on. */
export function readTraceSettings(value: unknown): TraceSettings {
  const { send, endpoint, headers, sampleRate, serviceName, traceUrl } = objectOf(value);
  return {
    send: send === true,
    endpoint: textOf(endpoint),
    headers: Object.fromEntries(Object.entries(objectOf(headers)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    sampleRate: typeof sampleRate === 'number' && sampleRate >= 0 && sampleRate <= 1 ? sampleRate : 1,
    serviceName: textOf(serviceName).slice(0, SERVICE_NAME_LIMIT).toWellFormed() || NO_TRACES.serviceName,
    traceUrl: textOf(traceUrl),
  };
}

/** A secret by its name, for an endpoint's origin (`https://collector.example`): one that was given for another is none. */
export type FindSecret = (name: string, origin: string) => string | undefined;

/** Where to send, with the secrets in their headers; or what is wrong, in a sentence that holds none of them. */
export function targetOf({ endpoint, headers, sampleRate, serviceName }: TraceSettings, findSecret: FindSecret): Target | { readonly fault: string } {
  const { url, fault } = readEndpoint(endpoint, Object.keys(headers).length > 0);
  if (url === undefined) return { fault };
  const { origin } = new URL(url);
  const filled = new Map<string, string>();
  for (const [header, name] of Object.entries(headers)) {
    const wrong = headerFault(header, name);
    if (wrong !== undefined) return { fault: wrong };
    const value = findSecret(name, origin);
    if (value === undefined) return { fault: `There is no secret called ${name} for ${origin}, which the header ${header} needs. Set it, or take the header out.` };
    if (!/^[\t\x20-\x7e]+$/.test(value)) return { fault: `The secret ${name} cannot stand in a header: it may hold plain letters, digits and signs only. Set it again.` };
    filled.set(header.toLowerCase(), value);
  }
  return { url, headers: Object.fromEntries(filled), sampleRate, serviceName };
}

/** What is wrong with a header's or a secret's name. */
export function headerFault(header: string, secretName: string): string | undefined {
  if (!HEADER_NAME.test(header)) return 'A header has a name that HTTP does not take. It may hold letters, digits and hyphens.';
  if (OWN_HEADERS.has(header.toLowerCase())) return `The header ${header} is set by Model Hub itself. Take it out.`;
  return SECRET_NAME.test(secretName) ? undefined : `The header ${header} names a secret by a name that is none. It may hold letters, digits, dots, hyphens and underscores.`;
}

function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: unknown }) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
