/** What goes when a plugin is not installed any more, and what stays. */
import { describe, expect, it } from 'vitest';
import { forgetUninstalled, installedPlugins } from '../../src/obsidian/installed-plugins.ts';
import { DeviceStore } from '../../src/obsidian/ports/device-store.ts';
import { startRig } from '../fakes/rig.ts';

function device(): DeviceStore {
  const kept = new Map<string, unknown>();
  return new DeviceStore({ loadLocalStorage: (key) => kept.get(key) ?? null, saveLocalStorage: (key, value) => void kept.set(key, value) });
}

function withSettings() {
  const rig = startRig();
  rig.hub.settings.setTool('books', 'books.add_to_shelf', 'deny');
  rig.hub.settings.setPlugin('notes', 'allow');
  rig.hub.settings.setPlugin('model-hub', 'ask');
  return rig.hub;
}

const settingsOf = (hub: ReturnType<typeof withSettings>): string[] => [...hub.settings.get().plugins.keys()].toSorted();

describe('a plugin that is gone', () => {
  it('F257 F259 D29 an uninstall removes its settings', () => {
    const hub = withSettings();
    const here = device();
    expect(forgetUninstalled(hub, new Set(['model-hub', 'books', 'notes']), here)).toEqual([]);
    expect(forgetUninstalled(hub, new Set(['model-hub', 'notes']), here)).toEqual(['books']);
    expect(settingsOf(hub)).toEqual(['model-hub', 'notes']);
  });

  it('D29 switching a plugin off keeps them: its manifest is still there', () => {
    const hub = withSettings();
    const here = device();
    for (let i = 0; i < 2; i++) forgetUninstalled(hub, new Set(['model-hub', 'books', 'notes']), here);
    expect(settingsOf(hub)).toEqual(['books', 'model-hub', 'notes']);
  });

  it('D29 settings that came by sync for a plugin that was never here stay: another device has it', () => {
    const hub = withSettings();
    const here = device();
    forgetUninstalled(hub, new Set(['model-hub']), here);
    forgetUninstalled(hub, new Set(['model-hub']), here);
    expect(settingsOf(hub)).toEqual(['books', 'model-hub', 'notes']);
  });

  it('D29 a plugin that comes back starts at default', () => {
    const hub = withSettings();
    const here = device();
    forgetUninstalled(hub, new Set(['books']), here);
    forgetUninstalled(hub, new Set([]), here);
    forgetUninstalled(hub, new Set(['books']), here);
    expect(hub.settings.tool('books', 'books.add_to_shelf')).toBe('default');
  });
});

describe('the installed plugins', () => {
  const adapter = (files: Record<string, string>): Parameters<typeof installedPlugins>[0] => ({
    list: (folder) => Promise.resolve({ files: [], folders: [...new Set(Object.keys(files).filter((path) => path.startsWith(`${folder}/`)).map((path) => path.split('/').slice(0, 3).join('/')))] }),
    read: (path) => Promise.resolve(files[path]!),
    exists: (path) => Promise.resolve(path in files),
  });

  it('D29 are told by their manifests, whatever their folders are called', async () => {
    expect(await installedPlugins(adapter({ 'conf/plugins/a/manifest.json': '{"id":"books"}', 'conf/plugins/b/main.js': '', 'conf/plugins/notes/manifest.json': '{"id":"notes"}' }), 'conf')).toEqual(new Set(['books', 'notes']));
  });

  it('D29 are not told at all where one cannot be read: nobody loses settings for a file that is half written', async () => {
    expect(await installedPlugins(adapter({ 'conf/plugins/a/manifest.json': '{"id":' }), 'conf')).toBeUndefined();
  });
});
