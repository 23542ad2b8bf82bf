/**
 * Which plugins are installed, from the manifests in the vault, and what goes when one is not any more (D29, F257–F259).
 *
 * Settings may be synced to a device that never had a plugin: only what this device has seen installed counts as
 * uninstalled here. Its settings then go; its names stay its own until the user lets them go.
 */
import type { DataAdapter } from 'obsidian';
import type { Hub } from '../core/hub.ts';
import { OWN_PLUGIN } from '../tools/own-tools.ts';
import type { DeviceStore } from './ports/device-store.ts';

/** Ids of the installed plugins; `undefined` if that cannot be told. */
export async function installedPlugins(adapter: Pick<DataAdapter, 'list' | 'read' | 'exists'>, configDir: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const { folders } = await adapter.list(`${configDir}/plugins`);
    const ids = await Promise.all(folders.map((folder) => idIn(adapter, folder)));
    return new Set(ids.filter((id) => id !== undefined));
  } catch {
    return undefined;
  }
}

async function idIn(adapter: Pick<DataAdapter, 'read' | 'exists'>, folder: string): Promise<string | undefined> {
  const manifest = `${folder}/manifest.json`;
  if (!(await adapter.exists(manifest))) return undefined;
  const { id } = JSON.parse(await adapter.read(manifest)) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** Removes the settings of plugins that this device has seen installed and that are gone. Answers their ids. */
export function forgetUninstalled(hub: Pick<Hub, 'settings' | 'tools'>, installed: ReadonlySet<string>, device: DeviceStore): readonly string[] {
  const found = device.get('installed');
  const seen = new Set(Array.isArray(found) ? found.filter((id): id is string => typeof id === 'string') : []);
  const present = new Set(hub.tools().map(({ owner }) => owner));
  const gone = [...hub.settings.get().plugins.keys()].filter((id) => id !== OWN_PLUGIN.id && seen.has(id) && !installed.has(id) && !present.has(id));
  for (const id of gone) hub.settings.forgetPlugin(id);
  device.set('installed', [...installed]);
  return gone;
}
