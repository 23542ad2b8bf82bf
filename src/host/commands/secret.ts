/**
 * `model-hub secret`: secrets for the headers of traces. Values come by stdin, never as a word: those stand in the shell's history.
 */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readEndpoint } from '../../../otel/exporter/endpoint.ts';
import { AdvisedError } from '../../node/advised-error.ts';
import { NamedSecrets } from '../export/named-secrets.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';
import { SETTINGS_FILE, SettingsFile } from '../settings-file.ts';
import { columns } from './columns.ts';

export async function secretCommand({ vault, state, rest }: CommandLine, print: (text: string) => void): Promise<void> {
  const [verb, name, ...more] = rest;
  if (more.length > 0 || (verb === 'list') !== (name === undefined)) throw wrong();
  const { hubFolder, stateFolder } = findPlaces({ vault, state });
  const secrets = new NamedSecrets(stateFolder);
  switch (verb) {
    case 'list': {
      const all = secrets.list();
      return print(all.length === 0 ? 'No secret yet.' : columns(['NAME', 'FOR'], all));
    }
    case 'delete':
      secrets.delete(name!);
      return print(`The secret ${name!} is gone.`);
    case 'set': {
      const { url, fault } = readEndpoint(new SettingsFile(join(hubFolder, SETTINGS_FILE)).traces().endpoint, true);
      if (url === undefined) throw new AdvisedError(fault, 'A secret is for one endpoint: model-hub traces --set endpoint=…');
      const { origin } = new URL(url);
      secrets.set(name!, (await text(process.stdin)).trim(), origin);
      return print(`The secret ${name!} is set, for ${origin}.`);
    }
    case undefined:
    default:
      throw wrong();
  }
}

function wrong(): AdvisedError {
  return new AdvisedError('The command secret takes set NAME, delete NAME or list.', 'See model-hub secret --help.', 2);
}
