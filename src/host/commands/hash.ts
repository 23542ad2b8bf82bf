/**
 * `model-hub hash`: the hash that the log holds for given arguments (D25).
 */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { admit } from '../../core/input.ts';
import { AdvisedError } from '../../node/advised-error.ts';
import { NodeCrypto } from '../../node/node-crypto.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';
import { loadSecrets } from '../secrets.ts';
import { SETTINGS_FILE, SettingsFile } from '../settings-file.ts';

export async function hashCommand({ vault, state, rest }: CommandLine, print: (text: string) => void): Promise<void> {
  const [given, ...more] = rest;
  if (given === undefined || more.length > 0) throw new AdvisedError('The command hash takes the arguments as one word of JSON, or - for stdin.', "For example: model-hub hash '{\"shelf\":\"To read\"}'", 2);
  const places = findPlaces({ vault, state });
  const plain = new SettingsFile(join(places.hubFolder, SETTINGS_FILE)).plainHashes();
  const crypto = new NodeCrypto(plain ? undefined : loadSecrets(places.stateFolder).hashKey);
  print(crypto.hashArguments(canonicalOf(given === '-' ? await text(process.stdin) : given)));
}

function canonicalOf(json: string): string {
  try {
    return admit(JSON.parse(json)).canonical;
  } catch {
    throw new AdvisedError('The arguments are not JSON that a call could have had.', 'Quote them for your shell, with double quotes inside: \'{"shelf":"To read"}\'', 2);
  }
}
