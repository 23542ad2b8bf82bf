/** The app's list of plugins: reads their folders, runs their `main.js`, switches them on and off. */
import type * as obsidian from 'obsidian';
import type { Inside } from './app.ts';
import { API_VERSION, isAtLeast } from './version.ts';
import { ShimNotice } from './notice.ts';
import type { ShimPlugin } from './plugin.ts';

type Require = (name: string) => unknown;

export class ShimPlugins {
  manifests: Record<string, obsidian.PluginManifest> = {};
  readonly plugins: Record<string, ShimPlugin> = {};
  readonly enabledPlugins = new Set<string>();
  readonly #inside: Inside;
  readonly #require: Require;
  readonly #styles = new Map<string, () => void>();

  constructor(inside: Inside, require: Require) {
    this.#inside = inside;
    this.#require = require;
  }

  get #folder(): string {
    return `${this.#inside.vault.configDir}/plugins`;
  }

  /** Reads again which plugins are there. */
  async loadManifests(): Promise<void> {
    const { adapter } = this.#inside.vault;
    this.manifests = {};
    if (!(await adapter.exists(this.#folder))) return;
    for (const dir of (await adapter.list(this.#folder)).folders) {
      if (!(await adapter.exists(`${dir}/manifest.json`))) continue;
      const manifest = JSON.parse(await adapter.read(`${dir}/manifest.json`)) as obsidian.PluginManifest;
      this.manifests[manifest.id] = { ...manifest, dir };
    }
  }

  getPlugin(id: string): ShimPlugin | null {
    return this.plugins[id] ?? null;
  }

  /** Answers whether it runs now. A plugin that throws while it loads is unloaded, and a notice says so. */
  async enablePlugin(id: string): Promise<boolean> {
    if (this.plugins[id]) return true;
    const manifest = this.manifests[id];
    if (!manifest || !isAtLeast(API_VERSION, manifest.minAppVersion)) return false;
    let plugin: ShimPlugin | undefined;
    try {
      plugin = await this.#make(manifest);
      this.plugins[id] = plugin;
      await plugin.loadAndWait();
    } catch (error) {
      delete this.plugins[id];
      plugin?.unload();
      new ShimNotice(`Failed to load plugin ${id}`);
      reportError(error);
      return false;
    }
    const css = `${manifest.dir}/styles.css`;
    const { adapter } = this.#inside.vault;
    if (await adapter.exists(css)) this.#styles.set(id, this.#inside.windows.addStyle(await adapter.read(css)));
    return true;
  }

  /** As a person does it, in the list of plugins. */
  async enablePluginAndSave(id: string): Promise<boolean> {
    const runs = await this.enablePlugin(id);
    if (!runs) return false;
    this.enabledPlugins.add(id);
    await this.#save();
    this.plugins[id]?.onUserEnable();
    return true;
  }

  disablePlugin(id: string): Promise<void> {
    const plugin = this.plugins[id];
    delete this.plugins[id];
    this.#styles.get(id)?.();
    this.#styles.delete(id);
    plugin?.unload();
    return Promise.resolve();
  }

  async disablePluginAndSave(id: string): Promise<void> {
    await this.disablePlugin(id);
    this.enabledPlugins.delete(id);
    await this.#save();
  }

  /** Off, and its folder goes with everything in it. */
  async uninstallPlugin(id: string): Promise<void> {
    const dir = this.manifests[id]?.dir;
    await this.disablePluginAndSave(id);
    delete this.manifests[id];
    if (dir !== undefined) await this.#inside.vault.adapter.rmdir(dir, true);
  }

  #save(): Promise<void> {
    return this.#inside.vault.adapter.write(`${this.#inside.vault.configDir}/community-plugins.json`, JSON.stringify([...this.enabledPlugins], null, 2));
  }

  async #make(manifest: obsidian.PluginManifest): Promise<ShimPlugin> {
    const code = await this.#inside.vault.adapter.read(`${manifest.dir}/main.js`);
    const module: { exports: { default?: unknown } } = { exports: {} };
    const run = window.eval(`(function anonymous(require,module,exports){${code}\n})\n//# sourceURL=plugin:${encodeURIComponent(manifest.id)}\n`) as (require: Require, module: object, exports: object) => void;
    run(this.#require, module, module.exports);
    const Made = (module.exports.default ?? module.exports) as new (app: obsidian.App, manifest: obsidian.PluginManifest) => ShimPlugin;
    return new Made(this.#inside as unknown as obsidian.App, manifest);
  }
}
