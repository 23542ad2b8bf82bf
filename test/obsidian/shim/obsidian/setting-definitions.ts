/**
 * Draws declarative settings: groups, lists, rows and the entries of pages. What was drawn can be asked to look again at its
 * `visible` and `disabled`, and is cleaned up as a whole.
 */
import type * as obsidian from 'obsidian';
import { drawControl } from './setting-controls.ts';
import { ShimSetting, ShimSettingGroup } from './setting.ts';

type Item = obsidian.SettingDefinitionItem;
type Row = obsidian.SettingDefinition | obsidian.SettingDefinitionPage;
type Said<T> = T | (() => T) | undefined;

/** What the drawing needs of the window around it. */
export interface Around {
  readonly tab: obsidian.SettingTab;
  openPage(page: obsidian.SettingDefinitionPage): void;
  /** What was typed into a group's own search, by the group's place; kept when everything is drawn again. */
  readonly queries: Map<string, string>;
}

export interface Drawn {
  refresh(): void;
  cleanUp(): void;
}

/** The value, or what the function says at this moment. */
export function said<T>(value: Said<T>, otherwise: T): T {
  return typeof value === 'function' ? (value as () => T)() : (value ?? otherwise);
}

/** True for a group or list. */
export function isGroup(item: Item): item is obsidian.SettingDefinitionGroup | obsidian.SettingDefinitionList {
  return 'type' in item && item.type !== 'page';
}

export function isPage(item: Item): item is obsidian.SettingDefinitionPage {
  return 'type' in item && item.type === 'page';
}

export function drawDefinitions(items: readonly Item[], containerEl: HTMLElement, around: Around): Drawn {
  const refreshes: (() => void)[] = [];
  const cleanUps: (() => void)[] = [];
  const drawing = { around, refreshes, cleanUps };
  let loose: ShimSettingGroup | undefined;
  items.forEach((item, at) => {
    if (isGroup(item)) {
      loose = undefined;
      drawGroup(drawing, item, containerEl, String(at));
      return;
    }
    loose ??= new ShimSettingGroup(containerEl);
    drawRow(drawing, item, loose, at);
  });
  const refresh = (): void => refreshes.forEach((each) => each());
  refresh();
  return { refresh, cleanUp: () => cleanUps.splice(0).forEach((each) => each()) };
}

interface Drawing { readonly around: Around; readonly refreshes: (() => void)[]; readonly cleanUps: (() => void)[] }

function drawGroup(drawing: Drawing, item: obsidian.SettingDefinitionGroup | obsidian.SettingDefinitionList, containerEl: HTMLElement, place: string): void {
  const group = new ShimSettingGroup(containerEl);
  if (item.heading !== undefined) group.setHeading(item.heading);
  if (item.cls !== undefined) group.addClass(...item.cls.split(' ').filter(Boolean));
  drawing.refreshes.push(() => group.groupEl.toggle(said(item.visible, true)));
  for (const callback of item.extraButtons ?? []) group.addExtraButton(callback);
  const rows = (item.items ?? []).map((row, at) => [row, drawRow(drawing, row, group, at)] as const);
  if (item.search) drawSearch(drawing, item.search, group, rows, place);
  if (item.type === 'list') drawList(item as obsidian.SettingDefinitionList, group, rows);
}

function drawList(list: obsidian.SettingDefinitionList, group: ShimSettingGroup, rows: readonly (readonly [Row, ShimSetting])[]): void {
  group.addClass('mod-list');
  const { addItem, emptyState, onDelete, onReorder } = list;
  if (addItem) {
    group.addExtraButton((button) => button.setIcon('plus').setTooltip(addItem.name).onClick(() => addItem.action(button.extraSettingsEl)));
  }
  if (rows.length === 0 && emptyState !== undefined) group.listEl.createDiv('setting-list-empty').setText(emptyState);
  rows.forEach(([, setting], at) => {
    if (onReorder) reorderBy(setting, at, rows.length, onReorder);
    if (!onDelete) return;
    setting.addExtraButton((button) => button.setIcon('trash-2').setTooltip('Delete').onClick(() => onDelete(at)));
    setting.settingEl.tabIndex = 0;
    setting.settingEl.addEventListener('keydown', (event) => {
      if (event.target === setting.settingEl && ['Delete', 'Backspace'].includes(event.key)) onDelete(at);
    });
  });
}

/** Dragging in the app; here the handle's arrow keys do it. */
function reorderBy(setting: ShimSetting, at: number, count: number, onReorder: (from: number, to: number) => void): void {
  const handle = setting.settingEl.createDiv({ cls: 'setting-drag-handle', attr: { tabindex: 0, role: 'button', 'aria-label': 'Reorder' }, prepend: true });
  handle.addEventListener('keydown', ({ key }) => {
    const to = key === 'ArrowUp' ? at - 1 : key === 'ArrowDown' ? at + 1 : at;
    if (to !== at && to >= 0 && to < count) onReorder(at, to);
  });
}

function drawSearch(drawing: Drawing, search: NonNullable<obsidian.SettingDefinitionGroup['search']>, group: ShimSettingGroup, rows: readonly (readonly [Row, ShimSetting])[], place: string): void {
  const { queries } = drawing.around;
  const filter = (): void => {
    const query = queries.get(place) ?? '';
    for (const [row, setting] of rows) {
      const shown = query === '' || ('searchable' in row && said(row.searchable, true) === false) || search.match(row, query);
      setting.settingEl.toggleClass('is-filtered-out', !shown);
    }
  };
  group.addSearch((component) => component.setPlaceholder(search.placeholder ?? '').setValue(queries.get(place) ?? '').onChange((query) => {
    queries.set(place, query);
    filter();
  }));
  drawing.refreshes.push(filter);
}

function drawRow(drawing: Drawing, row: Row, group: ShimSettingGroup, at: number): ShimSetting {
  const setting = new ShimSetting(group.listEl);
  setting.setName(row.name);
  if (row.desc !== undefined) setting.setDesc(typeof row.desc === 'string' ? row.desc : (row.desc.cloneNode(true) as DocumentFragment));
  drawing.refreshes.push(() => setting.settingEl.toggle(said(row.visible, true)));
  if (isPage(row)) {
    drawEntry(drawing, row, setting);
    return setting;
  }
  if (row.render) {
    const cleanUp = row.render(setting, group);
    if (cleanUp) drawing.cleanUps.push(cleanUp);
  } else if (row.control) {
    const { control } = row;
    drawControl(setting, control, drawing.around.tab);
    drawing.refreshes.push(() => void setting.setDisabled(said(control.disabled, false)));
  } else if (row.action) {
    const { action, disabled } = row;
    clickable(setting, () => {
      if (!said(disabled, false)) action(setting.settingEl, at);
    });
    drawing.refreshes.push(() => void setting.setDisabled(said(disabled, false)));
  }
  return setting;
}

function drawEntry({ around }: Drawing, page: obsidian.SettingDefinitionPage, setting: ShimSetting): void {
  const value = said(page.displayValue, '');
  const status = said(page.status, null);
  if (value !== '' || status !== null) setting.addDisplayValue((display) => display.setValue(value).setStatus(status));
  setting.controlEl.createSpan({ cls: 'setting-item-chevron', attr: { 'aria-hidden': 'true' } });
  clickable(setting, () => around.openPage(page));
}

function clickable(setting: ShimSetting, clicked: () => void): void {
  setting.setClass('mod-clickable').settingEl.setAttrs({ role: 'button', tabindex: 0 });
  setting.settingEl.addEventListener('click', clicked);
  setting.settingEl.addEventListener('keydown', (event) => {
    if (event.target !== setting.settingEl || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    clicked();
  });
}
