/**
 * The settings of the app, in a window of their own as since 1.13: tabs at the side, pages that open and go back, and the
 * search over all of them.
 */
import type * as obsidian from 'obsidian';
import { drawDefinitions, isGroup, isPage, type Drawn } from './setting-definitions.ts';
import { searchDefinitions, type Found } from './setting-search.ts';
import type { ShimSettingTab } from './setting-tab.ts';
import type { ShimWindows } from './windows.ts';

type Page = obsidian.SettingDefinitionPage;

export class ShimSettingsWindow {
  readonly pluginTabs: ShimSettingTab[] = [];
  activeTab: ShimSettingTab | null = null;
  readonly #windows: ShimWindows;
  #win: Window | undefined;
  #contentEl: HTMLElement | undefined;
  #navEl: HTMLElement | undefined;
  #path: Page[] = [];
  #drawn: Drawn | undefined;
  #page: obsidian.SettingPage | undefined;
  #queries = new Map<string, string>();

  constructor(windows: ShimWindows) {
    this.#windows = windows;
  }

  addSettingTab(tab: ShimSettingTab): void {
    this.pluginTabs.push(tab);
    tab.update();
    this.#drawNav();
  }

  removeSettingTab(tab: ShimSettingTab): void {
    const at = this.pluginTabs.indexOf(tab);
    if (at < 0) return;
    if (this.activeTab === tab) this.#leaveTab();
    this.pluginTabs.splice(at, 1);
    this.#drawNav();
  }

  open(): void {
    if (this.#win && !this.#win.closed) return;
    this.#win = this.#windows.open('Settings', () => this.#closed(), { width: 900, height: 700 });
    const { body } = this.#win.document;
    body.addClass('mod-settings');
    const root = body.createDiv('settings-window');
    const side = root.createEl('nav', { cls: 'vertical-tab-header', attr: { 'aria-label': 'Settings' } });
    const search = side.createEl('input', { type: 'search', placeholder: 'Search…', cls: 'setting-search-input', attr: { 'aria-label': 'Search settings' } });
    this.#navEl = side.createDiv('vertical-tab-nav');
    this.#contentEl = root.createEl('main', 'vertical-tab-content-container');
    search.addEventListener('input', () => this.#search(search.value));
    this.#drawNav();
  }

  close(): void {
    this.#win?.close();
  }

  /** Answers the tab, or null if there is none of this id. */
  openTabById(id: string): ShimSettingTab | null {
    const tab = this.pluginTabs.find((each) => each.id === id);
    if (!tab) return null;
    this.#show(tab, []);
    return tab;
  }

  #show(tab: ShimSettingTab, path: readonly Page[]): void {
    this.open();
    this.#leaveTab();
    this.activeTab = tab;
    this.#path = [...path];
    tab.shown = { redraw: () => this.#redraw(), refresh: () => this.#drawn?.refresh() };
    this.#contentEl!.replaceChildren(tab.containerEl);
    this.#drawNav();
    this.#draw();
  }

  #draw(): void {
    const tab = this.activeTab!;
    this.#leavePage();
    tab.containerEl.empty();
    const page = this.#path.at(-1);
    if (!page && tab.settingItems.length === 0) {
      tab.display();
      return;
    }
    if (page?.page) this.#page = this.#drawOwnPage(page, page.page, tab.containerEl);
    else {
      if (page) this.#drawTitle(tab.containerEl.createDiv('setting-page-titlebar'), page.name);
      const around = { tab, queries: this.#queries, openPage: (next: Page) => this.#go([...this.#path, next]) };
      this.#drawn = drawDefinitions(page ? (page.items ?? []) : tab.settingItems, tab.containerEl, around);
    }
  }

  #drawOwnPage(page: Page, make: () => obsidian.SettingPage, containerEl: HTMLElement): obsidian.SettingPage {
    const own = make();
    own.title ||= page.name;
    containerEl.appendChild(own.rootEl);
    this.#drawTitle(own.titlebarEl, own.title);
    own.display();
    return own;
  }

  #drawTitle(titlebarEl: HTMLElement, title: string): void {
    const back = titlebarEl.createEl('button', { cls: 'setting-page-back', text: '‹', attr: { 'aria-label': 'Back' } });
    back.addEventListener('click', () => this.#go(this.#path.slice(0, -1)));
    titlebarEl.createEl('h2', { cls: 'setting-page-title', text: title });
  }

  #go(path: readonly Page[]): void {
    this.#queries = new Map();
    this.#path = [...path];
    this.#draw();
  }

  /** New definitions: the page that is open is looked for among them, by the names that lead to it. */
  #redraw(): void {
    if (this.#page) return;
    const path: Page[] = [];
    for (const { name } of this.#path) {
      const items: readonly obsidian.SettingDefinitionItem[] = path.at(-1)?.items ?? (path.length === 0 ? this.activeTab!.settingItems : []);
      const found = items.flatMap((item) => (isGroup(item) ? (item.items ?? []) : [item])).find((item) => isPage(item) && item.name === name);
      if (!found) break;
      path.push(found as Page);
    }
    this.#path = path;
    const top = this.#contentEl!.scrollTop;
    this.#draw();
    this.#contentEl!.scrollTop = top;
  }

  #search(query: string): void {
    this.#drawNav();
    if (query.trim() === '') return;
    this.#navEl!.empty();
    const results = this.#navEl!.createDiv({ cls: 'setting-search-results' });
    for (const tab of this.pluginTabs) for (const found of searchDefinitions(tab.settingItems, query)) this.#drawFound(results, tab, found);
    if (results.childElementCount === 0) results.createDiv({ cls: 'setting-search-empty', text: 'No settings found.' });
  }

  #drawFound(results: HTMLElement, tab: ShimSettingTab, { name, path }: Found): void {
    const button = results.createEl('button', { cls: 'setting-search-result' });
    button.createSpan({ cls: 'setting-search-name', text: name });
    button.createSpan({ cls: 'setting-search-path', text: [tab.name, ...path.map((page) => page.name)].join(' › ') });
    button.addEventListener('click', () => this.#show(tab, path));
  }

  #drawNav(): void {
    if (!this.#navEl) return;
    this.#navEl.empty();
    for (const tab of this.pluginTabs) {
      const item = this.#navEl.createEl('button', { cls: 'vertical-tab-nav-item', text: tab.name });
      if (tab === this.activeTab) item.setAttr('aria-current', 'page');
      item.addEventListener('click', () => this.#show(tab, []));
    }
  }

  #leavePage(): void {
    this.#drawn?.cleanUp();
    this.#drawn = undefined;
    this.#page?.hide();
    this.#page = undefined;
  }

  #leaveTab(): void {
    const tab = this.activeTab;
    if (!tab) return;
    this.#leavePage();
    tab.shown = undefined;
    tab.hide();
    tab.containerEl.detach();
    this.activeTab = null;
    this.#path = [];
  }

  #closed(): void {
    this.#leaveTab();
    this.#win = undefined;
    this.#navEl = undefined;
    this.#contentEl = undefined;
    this.#queries = new Map();
  }
}
