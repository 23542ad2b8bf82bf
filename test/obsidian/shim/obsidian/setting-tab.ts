/** `SettingTab`, `PluginSettingTab` and `SettingPage`: what a plugin says about its settings, and where it keeps them. */
import type * as obsidian from 'obsidian';

/** Who shows a tab at this moment, if anyone. */
export interface Shown {
  redraw(): void;
  refresh(): void;
}

export class ShimSettingTab implements obsidian.SettingTab {
  icon = '';
  app: obsidian.App;
  containerEl: HTMLElement;
  settingItems: obsidian.SettingDefinitionItem[] = [];
  /** Set by the settings window. */
  shown: Shown | undefined;
  name = '';
  id = '';

  constructor(app: obsidian.App) {
    this.app = app;
    this.containerEl = createDiv('vertical-tab-content');
  }

  getSettingDefinitions(): obsidian.SettingDefinitionItem[] { return []; }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    this.shown?.redraw();
  }

  getControlValue(_key: string): unknown { return undefined; }
  setControlValue(_key: string, _value: unknown): void | Promise<void> {}

  refreshDomState(): void {
    this.shown?.refresh();
  }

  display(): void {}
  hide(): void {}
}

export class ShimPluginSettingTab extends ShimSettingTab implements obsidian.PluginSettingTab {
  readonly plugin: obsidian.Plugin;

  constructor(app: obsidian.App, plugin: obsidian.Plugin) {
    super(app);
    this.plugin = plugin;
    this.id = plugin.manifest.id;
    this.name = plugin.manifest.name;
  }

  override getControlValue(key: string): unknown {
    return (this.plugin.settings as Record<string, unknown> | undefined)?.[key];
  }

  override setControlValue(key: string, value: unknown): void | Promise<void> {
    const settings = (this.plugin.settings ??= {}) as Record<string, unknown>;
    settings[key] = value;
    return this.plugin.saveData(settings);
  }
}

export class ShimSettingPage implements obsidian.SettingPage {
  rootEl: HTMLElement;
  titlebarEl: HTMLElement;
  containerEl: HTMLElement;
  title = '';

  constructor() {
    this.rootEl = createDiv('setting-page');
    this.titlebarEl = this.rootEl.createDiv('setting-page-titlebar');
    this.containerEl = this.rootEl.createDiv('setting-page-content');
  }

  display(): void {}
  hide(): void {}
}
