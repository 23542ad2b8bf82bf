/**
 * Model Hub as an Obsidian plugin. START HERE: what the app is told when the plugin loads, what is opened when the layout is
 * ready, and what is taken away when it unloads. Everything else is a port or a shell.
 */
import { Notice, Plugin } from 'obsidian';
import { AdvisedError } from '../node/advised-error.ts';
import { later } from '../node/clock.ts';
import { registerCli } from './cli.ts';
import { addCommands } from './commands.ts';
import { DeviceStore } from './ports/device-store.ts';
import { PluginData } from './ports/plugin-data.ts';
import { OwnSecrets } from './ports/secrets.ts';
import type { Running } from './running.ts';
import { ModelHubSettings } from './settings/settings-tab.ts';
import { showUsage, USAGE_VIEW, UsageView } from './usage-view.ts';

/** Where two lives of the plugin that overlap find each other: the new one waits until the old one has let go of the files. */
const CLOSING = Symbol.for('model-hub.closing');

/** How long after its end the plugin's folder may still be there, when it is uninstalled. */
const UNINSTALL_MS = 2_000;

export default class ModelHubPlugin extends Plugin {
  readonly #device = new DeviceStore(this.app);
  readonly #own = new OwnSecrets(this.app.secretStorage, this.#device);
  #running: Running | undefined;
  #fault: string | undefined;
  #isLoaded = false;
  #tab: ModelHubSettings | undefined;

  override onload(): void {
    this.#isLoaded = true;
    const running = (): Running | undefined => this.#running;
    this.#tab = new ModelHubSettings(this.app, this, running, () => this.#fault);
    this.addSettingTab(this.#tab);
    this.registerView(USAGE_VIEW, (leaf) => new UsageView(leaf, running));
    addCommands(this, running, () => void showUsage(this.app));
    registerCli(this, running);
    this.app.workspace.onLayoutReady(() => void this.#open());
  }

  override onunload(): void {
    this.#isLoaded = false;
    void this.#close().then(() => later(UNINSTALL_MS, () => void this.#clearIfUninstalled()));
  }

  /** The settings were changed by a sync service or by hand. */
  override onExternalSettingsChange(): void {
    if (this.#running) void this.#running.settingsChanged();
    else if (this.#fault !== undefined) void this.#open(); // they could not be read; perhaps now they can
  }

  async #open(): Promise<void> {
    await (this.app as { [CLOSING]?: Promise<void> })[CLOSING];
    if (!this.#isLoaded || this.#running) return;
    // Only now: evaluating the gate costs more than everything that the app waits for.
    const { Running } = await import('./running.ts');
    try {
      const opened = await Running.open({
        plugin: this, data: new PluginData(this), device: this.#device, own: this.#own,
        onChange: () => this.#tab?.changed(), reopen: (between) => this.#reopen(between),
      });
      this.#fault = undefined;
      if (this.#isLoaded) this.#running = opened;
      else await opened.close();
    } catch (error) {
      if (!(error instanceof AdvisedError)) throw error;
      this.#fault = `${error.message} ${error.advice}`;
      new Notice(`Model Hub could not start. ${this.#fault}`, 0);
    }
    this.#tab?.update();
  }

  #close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    const closing = running?.close() ?? Promise.resolve();
    (this.app as { [CLOSING]?: Promise<void> })[CLOSING] = closing;
    return closing;
  }

  /** The log goes with the plugin's folder (F121); what lies outside of it has to be taken out. */
  async #clearIfUninstalled(): Promise<void> {
    if (await this.app.vault.adapter.exists(this.manifest.dir ?? '')) return;
    this.#own.clear();
    this.#device.clear();
  }

  /** Ends the gate and begins it anew; `between` has the folder to itself. */
  async #reopen(between: () => void): Promise<void> {
    await this.#close();
    between();
    await this.#open();
  }
}
