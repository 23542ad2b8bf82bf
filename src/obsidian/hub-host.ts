/**
 * The gate in Obsidian: put together over what the app gives, in the plugin's own folder. Opened when the layout is ready,
 * closed when the plugin unloads.
 */
import { join } from 'node:path';
import type { App, PluginManifest } from 'obsidian';
import { AdvisedError } from '../node/advised-error.ts';
import { NamespacesFile, NAMESPACES_FILE } from '../node/namespaces-file.ts';
import { openGate, type OpenGate } from '../node/open-gate.ts';
import { UndoFolder } from '../node/undo-folder.ts';
import { NodeVaultFiles } from '../node/vault-files.ts';
import { ownTools } from '../tools/own-tools.ts';
import { DeviceHeads, deviceProgress, type DeviceStore } from './ports/device-store.ts';
import { HeaderSecrets, type OwnSecrets } from './ports/secrets.ts';
import { SettingsData, type DataFile } from './ports/settings-data.ts';
import { VaultNotes } from './ports/vault-notes.ts';

export interface HubHostParts {
  readonly app: App;
  readonly manifest: PluginManifest;
  readonly data: DataFile;
  readonly device: DeviceStore;
  readonly own: OwnSecrets;
  readonly notice: (text: string) => void;
}

export interface HubHost extends Omit<OpenGate, 'crypto'> {
  readonly settings: SettingsData;
  /** On the disk, for those who look for the log. */
  readonly folder: string;
}

/** Rejects with an {@link AdvisedError} where the settings cannot be read. */
export async function openHubHost({ app, manifest, data, device, own, notice }: HubHostParts): Promise<HubHost> {
  const { base, folder } = placesOf(app, manifest);
  const settings = await SettingsData.open(data, notice);
  const { crypto, ...gate } = await openGate({
    app, folder, makeFolder: false, settings, notice, version: manifest.version,
    namespaces: new NamespacesFile(join(folder, NAMESPACES_FILE), notice),
    heads: new DeviceHeads(device), secrets: new HeaderSecrets(app.secretStorage, device), progress: (writer) => deviceProgress(device, writer),
    hashKey: settings.plainHashes() ? undefined : own.hashKey(), vaultId: own.vaultId(),
  });
  settings.onTheirs(gate.settingsChanged);
  const files = new VaultNotes(app.vault, new NodeVaultFiles(base, [folder, join(base, app.vault.configDir)]));
  const { plugin, tools, options } = ownTools({ files, store: new UndoFolder(join(folder, 'undo', 'vault')), crypto });
  gate.hub.register(plugin, tools, options);
  return {
    ...gate, settings, folder,
    close: async () => {
      await gate.close();
      await settings.written();
    },
  };
}

/** Where the vault and the plugin's own folder lie on the disk. */
function placesOf(app: App, { dir }: PluginManifest): { readonly base: string; readonly folder: string } {
  const { adapter } = app.vault;
  if (!(isOnDisk(adapter)) || dir === undefined) throw new AdvisedError('This vault does not lie in a folder of this computer.', 'Model Hub needs the desktop app.');
  return { base: adapter.getBasePath(), folder: adapter.getFullPath(dir) };
}

interface DiskAdapter {
  getBasePath(): string;
  getFullPath(path: string): string;
}

function isOnDisk(adapter: object): adapter is DiskAdapter {
  return 'getBasePath' in adapter && 'getFullPath' in adapter;
}
