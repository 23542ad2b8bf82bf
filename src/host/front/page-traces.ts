/**
 * How traces are sent, as the page asks for it: faults come back as sentences, and secrets go in and never out (E01, D32).
 */
import { readEndpoint } from '../../../otel/exporter/endpoint.ts';
import { headerFault, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { traceUrl, traceUrlFault } from '../../../otel/trace-url.ts';
import { CommandError } from '../command-error.ts';
import type { HostTraces } from '../export/traces.ts';
import { tracesData } from './page-data.ts';
import { RequestFault } from './page-http.ts';
import type { PageEvents, SecretBody, TracesChecked, TracesTested } from '../page/wire.ts';

/** What the page needs of sending. */
export type PageTraces = Pick<HostTraces, 'settings' | 'save' | 'state' | 'test' | 'faultOf' | 'apply' | 'secrets'>;

export function tracesNow(traces: PageTraces): PageEvents['traces'] {
  return tracesData(traces.settings(), secretsOf(traces), traces.state());
}

/** What is wrong with settings as they are typed, each beside its field. Nothing is wrong with an endpoint that is not there yet. */
export function tracesFaults(traces: Pick<PageTraces, 'faultOf'>, settings: TraceSettings): TracesChecked {
  const typed = settings.send || settings.endpoint !== '';
  const endpoint = typed ? readEndpoint(settings.endpoint, Object.keys(settings.headers).length > 0).fault : undefined;
  const headers = nameFault(settings) ?? (typed && endpoint === undefined ? traces.faultOf(settings) : undefined);
  const url = traceUrlFault(settings.traceUrl);
  return { ...(endpoint === undefined ? {} : { endpoint }), ...(headers === undefined ? {} : { headers }), ...(url === undefined ? {} : { traceUrl: url }) };
}

/** Keeps them, unless traces could not be sent with them though they are meant to be; then nothing is kept. Answers what is kept. */
export function saveTraces(traces: PageTraces, settings: TraceSettings): TraceSettings {
  const fault = nameFault(settings) ?? traceUrlFault(settings.traceUrl) ?? (settings.send ? traces.faultOf(settings) : undefined);
  if (fault !== undefined) throw refused(fault);
  said(() => traces.save(settings));
  return traces.settings();
}

/** Sends one with the settings as they are typed, whether sending is on or off: the person has asked for it. */
export async function testTraces(traces: PageTraces, settings: TraceSettings): Promise<TracesTested> {
  const fault = traces.faultOf(settings);
  if (fault !== undefined) throw refused(fault);
  const { url, headers, body, arrived, sentence, trace, span } = await traces.test(settings);
  const address = traceUrl(settings.traceUrl, { trace, id: span });
  return { url, headers, body: JSON.stringify(JSON.parse(body)), arrived, sentence, trace, ...(address === undefined ? {} : { traceUrl: address }) };
}

/** What is set or taken away is in force at once. */
export function setSecret(traces: PageTraces, body: SecretBody): void {
  if ('value' in body) {
    const { url, fault } = readEndpoint(body.endpoint, true);
    if (url === undefined) throw refused(fault);
    said(() => traces.secrets.set(body.name, body.value, new URL(url).origin));
  } else said(() => traces.secrets.delete(body.name));
  traces.apply();
}

function nameFault({ headers }: TraceSettings): string | undefined {
  for (const [header, name] of Object.entries(headers)) {
    const fault = headerFault(header, name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A file that cannot be read shows itself when its secrets are needed. */
function secretsOf({ secrets }: PageTraces): ReturnType<PageTraces['secrets']['list']> {
  try {
    return secrets.list();
  } catch {
    return [];
  }
}

function said(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw error instanceof CommandError ? refused(`${error.message} ${error.advice}`) : error;
  }
}

function refused(sentence: string): RequestFault {
  return new RequestFault(422, 'invalid-request', sentence);
}
