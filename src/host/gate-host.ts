/**
 * The gate over a vault folder, with what the headless host brings to it: settings and secrets in files, and the plugins.
 */
import { join } from 'node:path';
import { NamedSecrets } from './export/named-secrets.ts';
import { progressIn } from '../node/export/progress-files.ts';
import { HeadFolder } from '../node/log/head-folder.ts';
import { NAMESPACES_FILE, NamespacesFile } from '../node/namespaces-file.ts';
import { openGate, type OpenGate } from '../node/open-gate.ts';
import type { Places } from './places.ts';
import { loadPlugins } from './plugins.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { SETTINGS_FILE, SettingsFile } from './settings-file.ts';
import { VERSION } from './version.ts';

export interface GateHostOptions {
  readonly places: Places;
  readonly askSeconds?: number | undefined;
  /** Says something to the user that no caller gets. */
  readonly notice: (text: string) => void;
}

export interface GateHost extends Omit<OpenGate, 'crypto' | 'settingsChanged'> {
  readonly secrets: Secrets;
}

export async function openGateHost({ places, askSeconds, notice }: GateHostOptions): Promise<GateHost> {
  const secrets = loadSecrets(places.stateFolder);
  const settings = new SettingsFile(join(places.hubFolder, SETTINGS_FILE), notice);
  const app = {};
  const { crypto, settingsChanged, ...gate } = await openGate({
    folder: places.hubFolder, makeFolder: true, app, askSeconds, notice, settings,
    heads: new HeadFolder(places.stateFolder), secrets: new NamedSecrets(places.stateFolder), progress: (writer) => progressIn(places.stateFolder, writer),
    namespaces: new NamespacesFile(join(places.hubFolder, NAMESPACES_FILE), notice),
    hashKey: settings.plainHashes() ? undefined : secrets.hashKey, vaultId: secrets.vaultId, version: VERSION,
  });
  await loadPlugins({ app, hub: gate.hub, crypto, places });
  const stopWatching = settings.watch(settingsChanged);
  return {
    ...gate, secrets,
    close: async () => {
      stopWatching();
      await gate.close();
    },
  };
}
