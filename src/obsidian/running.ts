/** The plugin while its gate is open: the gate, and everything in the app that shows it or answers for it. */
import { Notice, type Plugin } from 'obsidian';
import { ApprovalDevice } from './approval-device.ts';
import type { CommandParts } from './commands.ts';
import { later } from '../node/clock.ts';
import { openHubHost, type HubHost } from './hub-host.ts';
import { forgetUninstalled, installedPlugins } from './installed-plugins.ts';
import { McpServer } from './mcp-server.ts';
import type { DeviceStore } from './ports/device-store.ts';
import type { OwnSecrets } from './ports/secrets.ts';
import type { DataFile } from './ports/settings-data.ts';
import type { SettingsParts } from './settings/settings-tab.ts';
import { drawStatusBar } from './status-bar.ts';
import { UndoNotices } from './undo-notices.ts';
import { UNDO } from './words.ts';

/** An uninstall takes a moment: first the tools go, then the folder. */
const LOOK_MS = 2_000;

export interface RunningParts {
  readonly plugin: Plugin;
  readonly data: DataFile;
  readonly device: DeviceStore;
  readonly own: OwnSecrets;
  /** Tools, settings, the server or traces have changed. */
  readonly onChange: () => void;
  /** Ends the gate and begins it anew; `between` has the folder to itself. */
  readonly reopen: (between: () => void) => Promise<void>;
}

export class Running implements CommandParts, SettingsParts {
  readonly host: HubHost;
  readonly approvals: ApprovalDevice;
  readonly mcp: McpServer;
  readonly own: OwnSecrets;
  readonly #parts: RunningParts;
  readonly #undo: UndoNotices;
  readonly #statusBar: HTMLElement;
  readonly #stops: (() => void)[] = [];
  #installed: ReadonlySet<string> | undefined;
  #cancelLook: (() => void) | undefined;

  private constructor(parts: RunningParts, host: HubHost) {
    const { plugin, device, own, onChange } = parts;
    const { hub } = host;
    this.#parts = parts;
    this.host = host;
    this.own = own;
    this.#statusBar = plugin.addStatusBarItem();
    const changed = (): void => this.#drawStatus();
    this.approvals = new ApprovalDevice({ app: plugin.app, approvals: hub.approvals, pluginName: this.pluginName, say, onChange: changed });
    this.#undo = new UndoNotices({ hub, pluginName: this.pluginName, onChange: changed });
    this.mcp = new McpServer({ hub, device, token: () => own.mcpToken(), version: plugin.manifest.version, notice: say, onChange });
    this.#stops.push(hub.onToolsChanged(() => {
      onChange();
      this.#lookSoon();
    }), () => this.#cancelLook?.(), () => this.approvals.stop(), () => this.#undo.stop(), () => this.#statusBar.remove());
    plugin.registerDomEvent(plugin.app.workspace.containerEl.doc, 'visibilitychange', () => this.approvals.returned());
    plugin.registerDomEvent(plugin.app.workspace.containerEl.win, 'focus', () => this.approvals.returned());
    this.#drawStatus();
  }

  /** Rejects with an {@link AdvisedError} where the settings cannot be read. */
  static async open(parts: RunningParts): Promise<Running> {
    const { app, manifest } = parts.plugin;
    const running = new Running(parts, await openHubHost({ app, manifest, data: parts.data, device: parts.device, own: parts.own, notice: say }));
    void running.mcp.apply();
    running.#lookSoon();
    return running;
  }

  readonly pluginName = (id: string): string => this.host.hub.pluginName(id);

  readonly installed = (): ReadonlySet<string> | undefined => this.#installed;

  /** The switch that lets a yes come from the command line, on this device. */
  readonly cliAllows = {
    get: (): boolean => this.#parts.device.get('cli') === true,
    set: (on: boolean): void => this.#parts.device.set('cli', on),
  };

  readonly mayAllow = (): boolean => this.cliAllows.get();

  readonly canUndo = (): boolean => this.#undo.last() !== undefined;

  readonly undoLast = async (): Promise<string> => {
    const last = this.#undo.last();
    return last ? this.undo(last.call) : UNDO.none;
  };

  /** Takes a write back; resolves with the plugin's sentence, or with why not. */
  undo(call: string): Promise<string> {
    return this.host.hub.undoCall(call, 'view').catch((error: unknown) => UNDO.failed(error instanceof Error ? error.message : ''));
  }

  async settingsChanged(): Promise<void> {
    await this.host.settings.reread();
    this.host.settingsChanged();
  }

  readonly deleteLog = (): Promise<void> => this.#parts.reopen(() => this.host.log.delete());

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    const closing = this.host.close(); // at once: whoever waits for an answer gets one, over connections that still stand
    await closing;
    await this.mcp.close();
  }

  #drawStatus(): void {
    drawStatusBar(this.#statusBar, this.approvals.question, this.#undo.last(), {
      showQuestion: () => this.approvals.show(),
      undo: (call) => void this.undo(call).then(say),
    });
  }

  /** A plugin whose tools went may be about to go itself. */
  #lookSoon(): void {
    this.#cancelLook?.();
    this.#cancelLook = later(LOOK_MS, () => void this.#lookForUninstalled());
  }

  async #lookForUninstalled(): Promise<void> {
    const { vault } = this.#parts.plugin.app;
    const installed = await installedPlugins(vault.adapter, vault.configDir);
    if (!installed || this.#stops.length === 0) return;
    this.#installed = installed;
    forgetUninstalled(this.host.hub, installed, this.#parts.device);
  }
}

function say(sentence: string): void {
  new Notice(sentence, 10_000);
}
