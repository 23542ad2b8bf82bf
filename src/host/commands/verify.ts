/**
 * `model-hub verify`: says whether the log is whole, and what is wrong where it is not.
 */
import type { Finding, Verification } from '../../../otel/log-verify.ts';
import { verifyLog } from '../../node/log/call-log.ts';
import { NodeCrypto } from '../../node/node-crypto.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';

/** Answers true if nothing was found. */
export async function verifyCommand({ vault, state, json }: CommandLine, print: (text: string) => void): Promise<boolean> {
  const places = findPlaces({ vault, state });
  const crypto = new NodeCrypto(undefined);
  const found = await verifyLog(places.hubFolder, places.stateFolder, (text) => crypto.digest(text));
  print(json ? JSON.stringify(found, null, 2) : wordsOf(found).join('\n'));
  return found.green;
}

function wordsOf(found: Verification): string[] {
  const lines = [`${found.green ? 'Green' : 'NOT WHOLE'}: ${count(found.rows, 'row')} of ${count(found.writers, 'start')} in ${count(found.files, 'file')}.`];
  const say = (what: string, finding: Finding): void => {
    if (finding.count > 0) lines.push(`  ${count(finding.count, 'row')} ${what}: ${finding.first.slice(0, 10).map(({ w, n, to }) => `${w} ${n}${to === undefined ? '' : `–${to}`}`).join(', ')}${finding.first.length > 10 ? ', …' : ''}`);
  };
  say('changed', found.edited);
  say('missing', found.missing);
  say('out of order', found.moved);
  say('twice with different content', found.forked);
  say('cut off from the end', found.cutTail);
  if (found.bad > 0) lines.push(`  ${count(found.bad, 'line')} that ${found.bad === 1 ? 'is' : 'are'} no row`);
  if (found.torn > 0) lines.push(`  ${count(found.torn, 'row')} half-written by a crash: no tampering`);
  if (found.late > 0) lines.push(`  ${count(found.late, 'row')} written late, because the log could not be written`);
  if (found.duplicates > 0) lines.push(`  ${count(found.duplicates, 'row')} also in a copy of the file`);
  if (found.unwitnessed > 0) lines.push(`  ${count(found.unwitnessed, 'start')} that this device has no witness of: rows changed or cut off at the end of ${found.unwitnessed === 1 ? 'it' : 'them'} would not be seen`);
  if (!found.green) lines.push('Rows are named by start and number. Compare the file with a backup; what was changed outside Model Hub cannot be restored from it.');
  return lines;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
