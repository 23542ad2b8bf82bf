/** `Plugin`: what a plugin adds to the app goes again when it is unloaded. Its data lies in `data.json` of its folder. */
import type * as obsidian from 'obsidian';
import { ShimComponent } from './component.ts';
import { setIcon, setTooltip } from './icons.ts';
import type { ShimSettingTab } from './setting-tab.ts';
import type { Inside } from './app.ts';

type Missing = 'registerHoverLinkSource' | 'registerExtensions' | 'registerMarkdownPostProcessor' | 'registerMarkdownCodeBlockProcessor' | 'registerBasesView'
  | 'registerEditorExtension' | 'registerEditorSuggest' | 'onload' | 'settings' | 'onExternalSettingsChange';

export class ShimPlugin extends ShimComponent implements Omit<obsidian.Plugin, Missing> {
  app: obsidian.App;
  manifest: obsidian.PluginManifest;
  /** When `data.json` was last read or written from here, by the disk's clock. */
  #dataTime = 0;

  constructor(app: obsidian.App, manifest: obsidian.PluginManifest) {
    super();
    this.app = app;
    this.manifest = manifest;
  }

  get #inside(): Inside {
    return this.app as unknown as Inside;
  }

  get #dataPath(): string {
    return `${this.manifest.dir}/data.json`;
  }

  addRibbonIcon(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const el = this.#inside.ribbonEl.createDiv({ cls: 'clickable-icon side-dock-ribbon-action', attr: { role: 'button', tabindex: 0 } });
    setIcon(el, icon);
    setTooltip(el, title);
    el.addEventListener('click', (event) => void callback(event));
    this.register(() => el.detach());
    return el;
  }

  addStatusBarItem(): HTMLElement {
    const el = this.#inside.statusBarEl.createDiv(`status-bar-item plugin-${this.manifest.id}`);
    this.register(() => el.detach());
    return el;
  }

  addCommand(command: obsidian.Command): obsidian.Command {
    command.id = `${this.manifest.id}:${command.id}`;
    command.name = `${this.manifest.name}: ${command.name}`;
    this.#inside.commands.addCommand(command);
    this.register(() => this.#inside.commands.removeCommand(command.id));
    return command;
  }

  removeCommand(id: string): void {
    this.#inside.commands.removeCommand(`${this.manifest.id}:${id}`);
  }

  addSettingTab(tab: obsidian.PluginSettingTab): void {
    const given = tab as unknown as ShimSettingTab;
    this.#inside.setting.addSettingTab(given);
    this.register(() => this.#inside.setting.removeSettingTab(given));
  }

  registerView(type: string, creator: obsidian.ViewCreator): void {
    this.#inside.shimWorkspace.registerView(type, creator);
    this.register(() => this.#inside.shimWorkspace.unregisterView(type));
  }

  registerCliHandler(command: string, description: string, flags: obsidian.CliFlags | null, handler: obsidian.CliHandler): void {
    this.#inside.cli.add(command, { description, flags, handler });
    this.register(() => this.#inside.cli.remove(command));
  }

  registerObsidianProtocolHandler(action: string, handler: obsidian.ObsidianProtocolHandler): void {
    this.#inside.protocol.set(action, handler);
    this.register(() => this.#inside.protocol.delete(action));
  }

  async loadData(): Promise<unknown> {
    const { adapter } = this.app.vault;
    const stat = await adapter.stat(this.#dataPath);
    if (!stat) return null;
    this.#dataTime = stat.mtime;
    return JSON.parse(await adapter.read(this.#dataPath)) as unknown;
  }

  async saveData(data: unknown): Promise<void> {
    const { adapter } = this.app.vault;
    await adapter.mkdir(this.manifest.dir!);
    await adapter.write(this.#dataPath, JSON.stringify(data, null, 2));
    this.#dataTime = (await adapter.stat(this.#dataPath))?.mtime ?? 0;
  }

  onUserEnable(): void {}

  /** The disk says that something in the plugin's folder changed. */
  async dataMayHaveChanged(): Promise<void> {
    const stat = await this.app.vault.adapter.stat(this.#dataPath);
    if (!stat || stat.mtime === this.#dataTime) return;
    this.#dataTime = stat.mtime;
    await (this as Partial<obsidian.Plugin>).onExternalSettingsChange?.();
  }
}
