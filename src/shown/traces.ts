/**
 * How traces are sent, as a person asks for it: faults come back as sentences, and secrets go in and never out (E01, D32).
 */
import { readEndpoint } from '../../otel/exporter/endpoint.ts';
import { headerFault, type TraceSettings } from '../../otel/exporter/settings.ts';
import { traceUrl, traceUrlFault } from '../../otel/trace-url.ts';
import type { TestResult } from '../../views/test-span.ts';
import type { TraceFaults, TracesData } from '../../views/traces-settings.ts';
import { AdvisedError } from '../node/advised-error.ts';
import type { Traces } from '../node/export/traces.ts';
import { tracesData } from './data.ts';

/** What was asked for cannot be; the message says why, and what to do, in words to be shown as they are. */
export class TracesRefused extends Error {}

/** A secret to be set for the origin of the endpoint; without a value, to be taken away. */
export type SecretChange =
  | { readonly name: string; readonly value: string; readonly endpoint: string }
  | { readonly name: string };

/** What the form needs of sending. */
export type FormTraces = Pick<Traces, 'settings' | 'save' | 'state' | 'test' | 'faultOf' | 'apply' | 'secrets'>;

export function tracesNow(traces: FormTraces): TracesData {
  return tracesData(traces.settings(), secretsOf(traces), traces.state());
}

/** What is wrong with settings as they are typed, each beside its field. Nothing is wrong with an endpoint that is not there yet. */
export function tracesFaults(traces: Pick<FormTraces, 'faultOf'>, settings: TraceSettings): TraceFaults {
  const typed = settings.send || settings.endpoint !== '';
  const endpoint = typed ? readEndpoint(settings.endpoint, Object.keys(settings.headers).length > 0).fault : undefined;
  const headers = nameFault(settings) ?? (typed && endpoint === undefined ? traces.faultOf(settings) : undefined);
  const url = traceUrlFault(settings.traceUrl);
  return { ...(endpoint === undefined ? {} : { endpoint }), ...(headers === undefined ? {} : { headers }), ...(url === undefined ? {} : { traceUrl: url }) };
}

/** Keeps them, unless traces could not be sent with them though they are meant to be; then nothing is kept. Answers what is kept. */
export function saveTraces(traces: FormTraces, settings: TraceSettings): TraceSettings {
  const fault = nameFault(settings) ?? traceUrlFault(settings.traceUrl) ?? (settings.send ? traces.faultOf(settings) : undefined);
  if (fault !== undefined) throw new TracesRefused(fault);
  said(() => traces.save(settings));
  return traces.settings();
}

/** Sends one with the settings as they are typed, whether sending is on or off: the person has asked for it. */
export async function testTraces(traces: FormTraces, settings: TraceSettings): Promise<TestResult> {
  const fault = traces.faultOf(settings);
  if (fault !== undefined) throw new TracesRefused(fault);
  const { url, headers, body, arrived, sentence, trace, span } = await traces.test(settings);
  const address = traceUrl(settings.traceUrl, { trace, id: span });
  return { url, headers, body: JSON.stringify(JSON.parse(body)), arrived, sentence, trace, ...(address === undefined ? {} : { traceUrl: address }) };
}

/** What is set or taken away is in force at once. */
export function setSecret(traces: FormTraces, change: SecretChange): void {
  if ('value' in change) {
    const { url, fault } = readEndpoint(change.endpoint, true);
    if (url === undefined) throw new TracesRefused(fault);
    said(() => traces.secrets.set(change.name, change.value, new URL(url).origin));
  } else said(() => traces.secrets.delete(change.name));
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
function secretsOf({ secrets }: FormTraces): ReturnType<FormTraces['secrets']['list']> {
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
    throw error instanceof AdvisedError ? new TracesRefused(`${error.message} ${error.advice}`) : error;
  }
}
