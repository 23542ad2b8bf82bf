/** The settings search: every row of every tab by its name, description and aliases, also inside pages that nobody opened. */
import type * as obsidian from 'obsidian';
import { isGroup, isPage, said } from './setting-definitions.ts';

export interface Found {
  readonly name: string;
  /** The pages that lead to it, from the tab down. */
  readonly path: readonly obsidian.SettingDefinitionPage[];
}

export function searchDefinitions(items: readonly obsidian.SettingDefinitionItem[], query: string, path: readonly obsidian.SettingDefinitionPage[] = []): Found[] {
  const wanted = query.trim().toLowerCase();
  return items.flatMap((item): Found[] => {
    if (!said(item.visible, true)) return [];
    if (isGroup(item)) return searchDefinitions(item.items ?? [], query, path);
    const inside = isPage(item) ? searchDefinitions(item.items ?? [], query, [...path, item]) : [];
    if ('searchable' in item && !said(item.searchable, true)) return inside;
    const desc = typeof item.desc === 'string' ? item.desc : (item.desc?.textContent ?? '');
    const texts = [item.name, desc, ...('aliases' in item ? (item.aliases ?? []) : [])];
    const own = texts.some((text) => text.toLowerCase().includes(wanted)) ? [{ name: item.name, path: isPage(item) ? [...path, item] : path }] : [];
    return [...own, ...inside];
  });
}
