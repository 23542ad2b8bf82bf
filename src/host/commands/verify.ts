/**
 * `model-hub verify`: says whether the log is whole, and what is wrong where it is not.
 */
import { verificationLines } from '../../../views/verification.ts';
import { verifyLog } from '../../node/log/call-log.ts';
import { HeadFolder } from '../../node/log/head-folder.ts';
import { NodeCrypto } from '../../node/node-crypto.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';

/** Answers true if nothing was found. */
export async function verifyCommand({ vault, state, json }: CommandLine, print: (text: string) => void): Promise<boolean> {
  const places = findPlaces({ vault, state });
  const crypto = new NodeCrypto(undefined);
  const found = await verifyLog(places.hubFolder, new HeadFolder(places.stateFolder), (text) => crypto.digest(text));
  print(json ? JSON.stringify(found, null, 2) : verificationLines(found).join('\n'));
  return found.green;
}
