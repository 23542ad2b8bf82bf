/** What a check of the log came to, in lines of plain words: for the command line and for the settings. */
import type { Finding, Verification } from '../otel/log-verify.ts';

/** The first line says whether it is whole. */
export function verificationLines(found: Verification): readonly string[] {
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
