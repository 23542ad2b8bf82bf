/**
 * `model-hub traces`: how traces are sent, settings from the command line, and the test span.
 */
import { join } from 'node:path';
import { readEndpoint } from '../../../otel/exporter/endpoint.ts';
import { headerFault, targetOf, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { TRACE_URLS, traceUrlFault } from '../../../otel/trace-url.ts';
import { SystemClock } from '../../node/clock.ts';
import { AdvisedError } from '../../node/advised-error.ts';
import { NamedSecrets } from '../export/named-secrets.ts';
import { progressIn } from '../../node/export/progress-files.ts';
import { testSpan } from '../../node/export/traces.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces, type Places } from '../places.ts';
import { loadSecrets } from '../secrets.ts';
import { SETTINGS_FILE, SettingsFile } from '../settings-file.ts';
import { VERSION } from '../version.ts';
import { columns } from './columns.ts';

/** False if the test span did not arrive. */
export async function tracesCommand({ vault, state, json, set, test }: CommandLine, print: (text: string) => void): Promise<boolean> {
  const places = findPlaces({ vault, state });
  const file = new SettingsFile(join(places.hubFolder, SETTINGS_FILE));
  const before = file.traces();
  if (set.length > 0) file.saveTraces(set.reduce(changed, before));
  const settings = file.traces();
  // Perhaps no host runs that would see to it before it is on again.
  if (before.send && !settings.send) progressIn(places.stateFolder, '').finishAll();
  if (test) return sendTest(settings, places, print);
  const found = targetOf(settings, finder(places));
  const fault = 'fault' in found ? found.fault : undefined;
  if (json) print(JSON.stringify({ ...settings, ...(fault === undefined ? {} : { fault }) }, null, 2));
  else print(tableOf(settings, fault));
  return true;
}

function tableOf(settings: TraceSettings, fault: string | undefined): string {
  const { send, endpoint, headers, sampleRate, serviceName, traceUrl } = settings;
  const lines = [
    ['send', send ? 'on' : 'off'], ['endpoint', endpoint || '(none)'], ...Object.entries(headers).map(([header, name]) => [`header ${header}`, `the secret ${name}`]),
    ['sampleRate', String(sampleRate)], ['serviceName', serviceName], ['traceUrl', traceUrl || '(none)'],
  ];
  const table = columns(['SETTING', 'VALUE'], lines);
  return send && fault !== undefined ? `${table}\nNo traces are sent. ${fault}` : table;
}

async function sendTest(settings: TraceSettings, places: Places, print: (text: string) => void): Promise<boolean> {
  const target = targetOf(settings, finder(places));
  if ('fault' in target) throw new AdvisedError(target.fault, 'See model-hub traces --help.');
  const { vaultId } = loadSecrets(places.stateFolder);
  const { url, headers, body, sentence, trace, arrived } = await testSpan(target, { origin: { serviceVersion: VERSION, vaultId }, clock: new SystemClock() });
  print(`POST ${url}\n${headers.map((name) => `${name}: …`).join('\n')}\n\n${body}\n\n${sentence}\nTrace ${trace}`);
  return arrived;
}

function finder(places: Places): (name: string, origin: string) => string | undefined {
  const secrets = new NamedSecrets(places.stateFolder);
  return (name, origin) => secrets.get(name, origin);
}

function changed(settings: TraceSettings, change: string): TraceSettings {
  const at = change.indexOf('=');
  const [key, value] = [change.slice(0, at), change.slice(at + 1).trim()];
  if (at < 1) throw wrong('--set takes KEY=VALUE.');
  if (key.startsWith('header.')) return withHeader(settings, key.slice('header.'.length), value);
  switch (key) {
    case 'send':
      if (value !== 'on' && value !== 'off') throw wrong('send is on or off.');
      return { ...settings, send: value === 'on' };
    case 'endpoint': {
      const { fault } = readEndpoint(value);
      if (value !== '' && fault !== undefined) throw wrong(fault);
      return { ...settings, endpoint: value };
    }
    case 'serviceName':
      return { ...settings, serviceName: value };
    case 'sampleRate': {
      const rate = Number(value);
      if (value === '' || !(rate >= 0 && rate <= 1)) throw wrong('sampleRate is a number from 0 to 1.');
      return { ...settings, sampleRate: rate };
    }
    case 'traceUrl': {
      const template = value === 'jaeger' ? TRACE_URLS.Jaeger : value === 'grafana' ? TRACE_URLS.Grafana : value;
      const fault = traceUrlFault(template);
      if (fault !== undefined) throw wrong(fault);
      return { ...settings, traceUrl: template };
    }
    default:
      throw wrong('There is no such setting of traces.');
  }
}

/** Without a secret's name the header goes. */
function withHeader(settings: TraceSettings, header: string, secret: string): TraceSettings {
  const others = Object.fromEntries(Object.entries(settings.headers).filter(([name]) => name.toLowerCase() !== header.toLowerCase()));
  if (secret === '') return { ...settings, headers: others };
  const fault = headerFault(header, secret);
  if (fault !== undefined) throw wrong(fault);
  return { ...settings, headers: { ...others, [header]: secret } };
}

function wrong(message: string): AdvisedError {
  return new AdvisedError(message, 'See model-hub traces --help.', 2);
}
