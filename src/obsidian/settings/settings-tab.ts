/**
 * Settings → Model Hub, as definitions that Obsidian draws and searches: a page for tools, one for the MCP server, for
 * traces and for the log, each with its value and its warnings on the entry (F020–F037). Settings open in a window of their
 * own: what is drawn here is drawn by the element that it is drawn into.
 */
import { PluginSettingTab, type App, type Plugin, type SettingDefinitionItem } from 'obsidian';
import type { HubHost } from '../hub-host.ts';
import type { McpServer } from '../mcp-server.ts';
import type { OwnSecrets } from '../ports/secrets.ts';
import { PAGES } from '../words.ts';
import { logPage } from './log-page.ts';
import { mcpPage } from './mcp-page.ts';
import { ToolsPage } from './tools-page.ts';
import { tracesPage } from './traces-page.ts';

/** What the settings show while the gate is open. */
export interface SettingsParts {
  readonly host: HubHost;
  readonly mcp: McpServer;
  readonly own: OwnSecrets;
  readonly pluginName: (id: string) => string;
  /** Ids of the plugins whose manifests are installed; `undefined` while that is not known. */
  readonly installed: () => ReadonlySet<string> | undefined;
  readonly cliAllows: { get(): boolean; set(on: boolean): void };
  /** Deletes the log, and starts a new one. */
  readonly deleteLog: () => Promise<void>;
}

/** The switches that Obsidian draws by itself. */
export type Switch = 'mcpRunGrants' | 'mcpOn' | 'cliAllows' | 'plainHashes';

export class ModelHubSettings extends PluginSettingTab {
  readonly #running: () => SettingsParts | undefined;
  /** Why the gate is not open, if it could not be. */
  readonly #fault: () => string | undefined;
  readonly #tools: ToolsPage;

  constructor(app: App, plugin: Plugin, running: () => SettingsParts | undefined, fault: () => string | undefined) {
    super(app, plugin);
    this.icon = 'shield-check';
    this.#running = running;
    this.#fault = fault;
    this.#tools = new ToolsPage(() => this.update());
  }

  override getSettingDefinitions(): SettingDefinitionItem<Switch>[] {
    const parts = this.#running();
    if (!parts) return [{ name: PAGES.notOpen, desc: this.#fault() ?? PAGES.loading }];
    return [this.#tools.definition(parts), mcpPage(parts, () => this.update()), tracesPage(parts), logPage(this.app, parts)];
  }

  /** Tools, settings, the server or traces have changed. */
  changed(): void {
    if (!this.#tools.isOwnChange) this.update();
  }

  override getControlValue(key: Switch): unknown {
    const parts = this.#running();
    if (!parts) return false;
    switch (key) {
      case 'mcpRunGrants':
        return parts.host.hub.settings.get().mcpRunGrants;
      case 'mcpOn':
        return parts.mcp.isOn;
      case 'cliAllows':
        return parts.cliAllows.get();
      case 'plainHashes':
        return parts.host.settings.plainHashes();
    }
  }

  override async setControlValue(key: Switch, value: unknown): Promise<void> {
    const parts = this.#running();
    const on = value === true;
    if (!parts) return;
    switch (key) {
      case 'mcpRunGrants':
        return parts.host.hub.settings.setMcpRunGrants(on);
      case 'mcpOn':
        await parts.mcp.setOn(on);
        return this.update();
      case 'cliAllows':
        return parts.cliAllows.set(on);
      case 'plainHashes':
        return parts.host.settings.savePlainHashes(on);
    }
  }
}
