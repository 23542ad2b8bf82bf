/**
 * Obsidian without Obsidian: a vault, the shim in a real Chromium, and what a person and a test may do there. Everything that
 * an app opened ends with `close`.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Host } from './shim/host/host.ts';
import type { Attempt } from './shim/host/network.ts';
import { pageFiles } from './shim/bundle.ts';
import type { Notified } from './shim/obsidian/background.ts';

export interface ObsidianOptions {
  /** An existing folder, as an absolute path. */
  readonly vault: string;
  /** Folders with `main.js` and `manifest.json`: installed before the app starts, switched on in this order, before its layout is ready. */
  readonly plugins?: readonly string[];
  readonly theme?: 'dark' | 'light';
  readonly width?: number;
  readonly height?: number;
  /** The network refuses from the start. */
  readonly offline?: boolean;
}

const PLUGIN_FILES = ['main.js', 'manifest.json', 'styles.css'];

/** Rejects if the page does not come up. */
export async function openObsidian(browser: Browser, options: ObsidianOptions): Promise<ObsidianApp> {
  const host = new Host(options.vault, await pageFiles());
  const context = await browser.newContext({ viewport: { width: options.width ?? 1_200, height: options.height ?? 800 } });
  const app = new ObsidianApp(host, context, options.vault, await host.start());
  try {
    app.refuseNetwork(options.offline ?? false);
    const enabled: string[] = [];
    for (const folder of options.plugins ?? []) enabled.push(await app.copyIn(folder));
    await app.start(enabled);
    if (options.theme) await app.setTheme(options.theme);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

export class ObsidianApp {
  /** Faults of the page that nobody caught, and what it wrote to the console as errors. */
  readonly faults: string[] = [];
  readonly vault: string;
  readonly #host: Host;
  readonly #context: BrowserContext;
  readonly #address: string;
  #page: Page | undefined;

  constructor(host: Host, context: BrowserContext, vault: string, address: string) {
    this.#host = host;
    this.#context = context;
    this.vault = vault;
    this.#address = address;
    context.on('request', (request) => this.#count(request.resourceType(), request.url()));
    context.on('page', (page) => {
      page.on('websocket', (socket) => this.#count('websocket', socket.url()));
      page.on('pageerror', (error) => this.faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') this.faults.push(message.text());
      });
    });
  }

  /** The main window. */
  get page(): Page {
    if (!this.#page) throw new Error('The app has not started.');
    return this.#page;
  }

  /** Opens the main window; `enabled` plugins load in this order, then the layout is ready. */
  async start(enabled: readonly string[]): Promise<void> {
    this.#page = await this.#context.newPage();
    await this.#page.goto(`${this.#address}index.html`);
    await this.#page.waitForFunction(() => 'shim' in window);
    await this.#page.evaluate((ids) => window.shim.start(ids), enabled);
  }

  /** The app is ended, without a word to its plugins, and started again with those that were switched on. */
  async restart(): Promise<void> {
    const enabled = await this.page.evaluate(() => [...window.shim.app.plugins.enabledPlugins]);
    await Promise.all(this.#context.pages().map((page) => page.close()));
    this.#host.endPage();
    await this.start(enabled);
  }

  /** Copies a built plugin into the vault, as an update does if it is there. Answers its id. */
  async install(folder: string): Promise<string> {
    const id = await this.copyIn(folder);
    await this.page.evaluate(() => window.shim.app.plugins.loadManifests());
    return id;
  }

  async copyIn(folder: string): Promise<string> {
    const { id } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { id: string };
    const target = join(this.vault, '.obsidian', 'plugins', id);
    await mkdir(target, { recursive: true });
    for (const file of PLUGIN_FILES) {
      if (existsSync(join(folder, file))) await cp(join(folder, file), join(target, file));
      else await rm(join(target, file), { force: true });
    }
    return id;
  }

  /** As a person does in the list of plugins. Answers whether it runs. */
  enable(id: string): Promise<boolean> {
    return this.page.evaluate((each) => window.shim.app.plugins.enablePluginAndSave(each), id);
  }

  disable(id: string): Promise<void> {
    return this.page.evaluate((each) => window.shim.app.plugins.disablePluginAndSave(each), id);
  }

  uninstall(id: string): Promise<void> {
    return this.page.evaluate((each) => window.shim.app.plugins.uninstallPlugin(each), id);
  }

  async reload(id: string): Promise<boolean> {
    await this.disable(id);
    return this.enable(id);
  }

  /** `id` with the plugin's in front: `model-hub:undo`. Answers whether the palette had it. */
  runCommand(id: string): Promise<boolean> {
    return this.page.evaluate((each) => window.shim.app.commands.executeCommandById(each), id);
  }

  /** The names that the palette shows now. */
  commandNames(): Promise<string[]> {
    return this.page.evaluate(() => window.shim.app.commands.listCommands().map(({ name }) => name));
  }

  /** The settings window, with the tab of this plugin open. It is a page of its own. */
  async openSettings(tabId: string): Promise<Page> {
    const open = this.#context.pages().find((page) => page !== this.page && page.url() === 'about:blank#settings');
    if (open) await open.close();
    return this.#opening((id) => {
      if (!window.shim.app.setting.openTabById(id)) throw new Error(`No plugin has a settings tab ${id}.`);
    }, tabId);
  }

  /** Moves the first view of this type into a window of its own. */
  popout(viewType: string): Promise<Page> {
    return this.#opening((type) => {
      const [leaf] = window.shim.app.workspace.getLeavesOfType(type);
      if (!leaf) throw new Error(`No leaf shows ${type}.`);
      window.shim.app.workspace.moveLeafToPopout(leaf);
    }, viewType);
  }

  setTheme(theme: 'dark' | 'light'): Promise<void> {
    return this.page.evaluate((each) => window.shim.setTheme(each), theme);
  }

  /** True: other programs' windows are in front. */
  background(hidden: boolean): Promise<void> {
    return this.page.evaluate((each) => window.shim.background(each), hidden);
  }

  /** The system's notifications so far. */
  notifications(): Promise<Notified[]> {
    return this.page.evaluate(() => window.shim.notifications());
  }

  clickNotification(at: number): Promise<void> {
    return this.page.evaluate((each) => window.shim.clickNotification(each), at);
  }

  /** The texts of the notices that are to be seen, in all windows, the oldest first. */
  notices(): Promise<string[]> {
    return this.page.evaluate(() => window.shim.app.windows.all().flatMap(({ document: doc }) => [...doc.querySelectorAll<HTMLElement>('.notice')].map((el) => el.innerText)));
  }

  /** The texts of the status bar's items, without the empty and hidden ones. */
  statusBar(): Promise<string[]> {
    return this.page.evaluate(() => [...document.querySelectorAll<HTMLElement>('.status-bar-item')].map((el) => el.innerText.trim()).filter((text) => text !== ''));
  }

  /** What `obsidian COMMAND key=value …` prints. */
  cli(command: string, args: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.page.evaluate(([name, given]) => window.shim.app.cli.run(name, given), [command, args] as const);
  }

  /** Every attempt to reach the network since the app was opened. */
  network(): readonly Attempt[] {
    return this.#host.network.attempts;
  }

  /** From now on every attempt fails, or works again. What the plugin serves itself is not concerned. */
  refuseNetwork(refuses: boolean): void {
    this.#host.network.refuses = refuses;
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#host.stop();
  }

  #count(via: string, url: string): void {
    if (url.startsWith(this.#address) || /^(data|blob|about):/.test(url)) return;
    this.#host.network.attempts.push({ via, url });
  }

  async #opening(act: (argument: string) => void, argument: string): Promise<Page> {
    const popup = this.page.waitForEvent('popup');
    const [opened] = await Promise.all([popup, this.page.evaluate(act, argument)]);
    await opened.waitForLoadState();
    return opened;
  }
}
