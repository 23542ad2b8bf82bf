/**
 * The user's settings while the hub runs. Read afresh at each decision; saved when the user changes one.
 *
 * Settings belong to a plugin id and a tool's full name together: another plugin that comes to the same name starts at default.
 */
import type { PluginPolicy, PolicySettings, SettingsStore } from './ports.ts';
import type { Setting } from './types.ts';

const NO_POLICY: PluginPolicy = { setting: 'default', tools: new Map() };

export class Settings {
  readonly #store: SettingsStore;
  readonly #listeners = new Set<() => void>();
  #current: PolicySettings;

  constructor(store: SettingsStore) {
    this.#store = store;
    this.#current = store.load();
  }

  get(): PolicySettings {
    return this.#current;
  }

  plugin(id: string): PluginPolicy {
    return this.#current.plugins.get(id) ?? NO_POLICY;
  }

  tool(pluginId: string, tool: string): Setting {
    return this.plugin(pluginId).tools.get(tool) ?? 'default';
  }

  setPlugin(id: string, setting: Setting): void {
    this.#change((plugins) => plugins.set(id, { ...(plugins.get(id) ?? NO_POLICY), setting }));
  }

  setTool(pluginId: string, tool: string, setting: Setting): void {
    this.#change((plugins) => {
      const policy = plugins.get(pluginId) ?? NO_POLICY;
      const tools = new Map(policy.tools);
      if (setting === 'default') tools.delete(tool);
      else tools.set(tool, setting);
      plugins.set(pluginId, { ...policy, tools });
    });
  }

  /** The plugin was uninstalled: its settings go, and those of its tools (D29, F257). */
  forgetPlugin(id: string): void {
    this.#change((plugins) => plugins.delete(id));
  }

  /** The switch of F036. */
  setMcpRunGrants(on: boolean): void {
    this.reread();
    this.#save({ ...this.#current, mcpRunGrants: on });
  }

  /** The file was changed by somebody else: what stands there now holds. */
  reload(): void {
    this.reread();
    this.#tell();
  }

  /** Looks once more at what is stored, without telling anybody: before a save, and before a yes is acted on. */
  reread(): void {
    this.#current = this.#store.load();
  }

  /** Calls back after each change; answers the function that stops it. */
  onChange(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  #change(edit: (plugins: Map<string, PluginPolicy>) => void): void {
    this.reread(); // another window or device may have changed another setting since
    const plugins = new Map(this.#current.plugins);
    edit(plugins);
    this.#save({ ...this.#current, plugins });
  }

  #save(settings: PolicySettings): void {
    this.#store.save(settings);
    this.#current = settings;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
