/** `data.json` by the app's own reading and writing, so that Obsidian knows which changes are ours. */
import type { Plugin } from 'obsidian';
import type { DataFile } from './settings-data.ts';

export class PluginData implements DataFile {
  readonly #plugin: Plugin;

  constructor(plugin: Plugin) {
    this.#plugin = plugin;
  }

  /** The app may answer nothing for a file that it cannot read: that there is one tells damage from a fresh start. */
  async read(): Promise<unknown> {
    const data: unknown = await this.#plugin.loadData();
    if (data !== null && data !== undefined) return data;
    const { app: { vault: { adapter } }, manifest } = this.#plugin;
    const file = `${manifest.dir ?? ''}/data.json`;
    if (!(await adapter.exists(file))) return undefined;
    const text = (await adapter.read(file)).trim();
    return text === '' || text === 'null' ? undefined : (JSON.parse(text) as unknown);
  }

  write(data: object): Promise<void> {
    return this.#plugin.saveData(data);
  }
}
