/**
 * `model-hub export`: sends traces of calls that were made before sending was switched on (E03).
 */
import { join } from 'node:path';
import { sendEarlier } from '../../../otel/exporter/earlier.ts';
import { targetOf } from '../../../otel/exporter/settings.ts';
import { SystemClock } from '../../node/clock.ts';
import { AdvisedError } from '../../node/advised-error.ts';
import { httpPost } from '../../node/export/http-post.ts';
import { NamedSecrets } from '../export/named-secrets.ts';
import { ProgressFiles, progressFolder } from '../../node/export/progress-files.ts';
import { LogFiles } from '../../node/log/log-files.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';
import { loadSecrets } from '../secrets.ts';
import { SETTINGS_FILE, SettingsFile } from '../settings-file.ts';
import { VERSION } from '../version.ts';

export async function exportCommand({ vault, state, filter: { since } }: CommandLine, print: (text: string) => void): Promise<void> {
  if (since === undefined) throw new AdvisedError('The command export needs to know from when on: --since TIME.', 'For example: model-hub export --since 2026-11-30T12:00:00Z', 2);
  const { hubFolder, stateFolder } = findPlaces({ vault, state });
  const settings = new SettingsFile(join(hubFolder, SETTINGS_FILE)).traces();
  if (!settings.send) throw new AdvisedError('Sending traces is off, and off means off.', 'Switch it on first: model-hub traces --set send=on');
  const secrets = new NamedSecrets(stateFolder);
  const target = targetOf(settings, (name, origin) => secrets.get(name, origin));
  if ('fault' in target) throw new AdvisedError(target.fault, 'See model-hub traces --help.');
  const { spans, passed, rejected, problem } = await sendEarlier({
    source: new LogFiles(hubFolder), store: new ProgressFiles(progressFolder(stateFolder, target.url), ''), target, post: httpPost, clock: new SystemClock(),
    origin: { serviceVersion: VERSION, vaultId: loadSecrets(stateFolder).vaultId }, since: Date.parse(since) * 1000,
  });
  print(`${spans} spans sent to ${target.url}; ${passed} rows were sent before, or are seen to by a running host.`);
  if (rejected > 0) print(`The collector threw ${rejected} spans away.`);
  if (problem !== undefined) throw new AdvisedError(`Not all could be sent: ${problem}.`, 'Run the command again when the collector is well: what was sent is not sent again.');
}
