/**
 * The page of the tools: a row for each plugin that opens to its tools, a filter, the switch for MCP clients, and the
 * plugins that are gone and still own names (F020–F037, D29). The names of a plugin's tools are its row's other names: the
 * settings search finds them while the row is closed.
 */
import { Setting, type SettingDefinition, type SettingDefinitionItem, type SettingDefinitionPage } from 'obsidian';
import type { Setting as ToolSetting } from '../../core/types.ts';
import { toolsData } from '../../shown/data.ts';
import type { PluginLine, ToolLine } from '../../../views/tools-settings.ts';
import { icon, make } from '../../../views/dom.ts';
import { ICONS } from '../../../views/icons.ts';
import { visible } from '../../../views/visible.ts';
import { EFFECTS, MCP_SWITCH, MCP_SWITCH_ABOUT, PLUGIN_DEFAULT, policyInForce, SETTINGS, TOOLS } from '../../../views/words.ts';
import { PAGES } from '../words.ts';
import type { SettingsParts, Switch } from './settings-tab.ts';

const CHOICES = ['default', 'allow', 'ask', 'deny'] as const satisfies readonly ToolSetting[];

export class ToolsPage {
  readonly #update: () => void;
  /** Plugins whose rows are open: they stay so when the page is drawn anew. */
  readonly #open = new Set<string>();
  /** A control of this page is changing a setting: it shows the new one already. */
  isOwnChange = false;

  constructor(update: () => void) {
    this.#update = update;
  }

  definition(parts: SettingsParts): SettingDefinitionPage<Switch> {
    const { host: { hub }, pluginName } = parts;
    const { plugins } = toolsData(hub.tools(), hub.settings.get(), pluginName);
    const tools = plugins.reduce((sum, plugin) => sum + plugin.tools.length, 0);
    const items: SettingDefinitionItem<Switch>[] = [
      plugins.length === 0 ? { name: TOOLS.emptyTitle, desc: TOOLS.empty } : {
        type: 'group', heading: PAGES.tools, cls: 'mh-settings-tools',
        search: { placeholder: PAGES.filter, match: matches },
        items: plugins.map((plugin) => this.#row(plugin, parts)),
      },
      { type: 'group', heading: PAGES.clients, items: [{ name: MCP_SWITCH, desc: MCP_SWITCH_ABOUT, control: { type: 'toggle', key: 'mcpRunGrants' } }] },
    ];
    const gone = this.#gone(parts);
    if (gone.length > 0) items.push({ type: 'group', heading: PAGES.gone, items: gone });
    return { type: 'page', name: PAGES.tools, desc: PAGES.toolsAbout, displayValue: PAGES.toolsCount(tools, plugins.length), items };
  }

  #row(plugin: PluginLine, parts: SettingsParts): SettingDefinition<Switch> {
    return {
      name: plugin.name, desc: ownSettings(plugin), aliases: [plugin.id, ...plugin.tools.map(({ name }) => name)],
      render: (row) => this.#drawPlugin(row, plugin, parts),
    };
  }

  #drawPlugin(row: Setting, plugin: PluginLine, parts: SettingsParts): void {
    const { settings } = parts.host.hub;
    row.settingEl.addClass('mh-plugin-setting');
    row.setName(textOf(row, plugin.name)).setDesc(ownSettings(plugin));
    row.addDropdown((choice) => {
      for (const setting of CHOICES) choice.addOption(setting, SETTINGS[setting]);
      choice.setValue(plugin.setting).onChange((value) => this.#change(() => settings.setPlugin(plugin.id, value as ToolSetting), redrawn));
      choice.selectEl.setAttribute('aria-label', TOOLS.settingOf(plugin.name));
    });
    const list = row.settingEl.createDiv({ cls: 'mh-tool-settings' });
    let isOpen = false;
    let isDrawn = false;
    row.addExtraButton((toggle) => {
      const show = (opens: boolean): void => {
        if (opens && !isDrawn) {
          this.#drawTools(list, plugin, parts, redrawn);
          isDrawn = true;
        }
        isOpen = opens;
        list.hidden = !opens;
        toggle.setIcon(opens ? 'chevron-up' : 'chevron-down').setTooltip(opens ? PAGES.hide(plugin.name) : PAGES.show(plugin.name));
        toggle.extraSettingsEl.setAttribute('aria-expanded', String(opens));
        toggle.extraSettingsEl.setAttribute('aria-label', opens ? PAGES.hide(plugin.name) : PAGES.show(plugin.name));
        if (opens) this.#open.add(plugin.id);
        else this.#open.delete(plugin.id);
      };
      toggle.extraSettingsEl.setAttribute('role', 'button');
      toggle.extraSettingsEl.tabIndex = 0;
      toggle.extraSettingsEl.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        show(!isOpen);
      });
      toggle.onClick(() => show(!isOpen));
      // The whole row opens it (F026); its own controls do what they are for.
      row.infoEl.addEventListener('click', () => show(!isOpen));
      show(this.#open.has(plugin.id));
    });
    const redrawn = (): void => {
      const { plugins } = toolsData(parts.host.hub.tools(), settings.get(), parts.pluginName);
      const now = plugins.find(({ id }) => id === plugin.id);
      if (!now) return;
      row.setDesc(ownSettings(now));
      for (const tool of now.tools) {
        const about = [...list.querySelectorAll<HTMLElement>('[data-policy-of]')].find(({ dataset }) => dataset['policyOf'] === tool.name);
        about?.setText(policyInForce(tool.policy));
      }
    };
  }

  #drawTools(list: HTMLElement, plugin: PluginLine, { host: { hub } }: SettingsParts, redrawn: () => void): void {
    for (const tool of plugin.tools) {
      new Setting(list).setName(tool.name).setDesc(aboutTool(list, tool)).addDropdown((choice) => {
        for (const setting of CHOICES) choice.addOption(setting, setting === 'default' ? PLUGIN_DEFAULT : SETTINGS[setting]);
        choice.setValue(tool.setting).onChange((value) => this.#change(() => hub.settings.setTool(plugin.id, tool.name, value as ToolSetting), redrawn));
        choice.selectEl.setAttribute('aria-label', TOOLS.settingOf(tool.name));
      });
    }
  }

  /** The control shows what was chosen: the page is not drawn anew under the person's hands. */
  #change(change: () => void, redrawn: () => void): void {
    this.isOwnChange = true;
    try {
      change();
    } finally {
      this.isOwnChange = false;
    }
    redrawn();
  }

  /** Plugins that own names and are not installed any more. */
  #gone({ host: { hub }, installed }: SettingsParts): SettingDefinition<Switch>[] {
    const there = installed();
    if (!there) return [];
    const names = new Map<string, string[]>();
    for (const [namespace, owner] of hub.namespaces()) if (!there.has(owner)) names.set(owner, [...(names.get(owner) ?? []), namespace]);
    return [...names].map(([id, namespaces]) => ({
      name: id, desc: PAGES.forgetAbout(namespaces),
      render: (row) => void row.addButton((button) => {
        button.setButtonText(PAGES.forget).onClick(() => {
          hub.forgetNamespaces(id);
          this.#update();
        });
        button.buttonEl.setAttribute('aria-label', PAGES.forgetOf(id));
      }),
    }));
  }
}

function matches({ name, aliases = [] }: SettingDefinition, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  return [name, ...aliases].some((each) => each.toLowerCase().includes(wanted));
}

function ownSettings({ tools }: PluginLine): string {
  return `${TOOLS.number(tools.length)}, ${TOOLS.own(tools.filter(({ setting }) => setting !== 'default').length)}`;
}

function aboutTool(near: HTMLElement, { effect, description, policy, name }: ToolLine): DocumentFragment {
  return createFragment((about) => about.append(
    make(near, 'div', { class: 'mh-tool-facts' },
      make(near, 'span', { class: `mh-badge mh-badge-${effect}` }, icon(near, ICONS[effect]), EFFECTS[effect]), make(near, 'span', { 'data-policy-of': name }, policyInForce(policy))),
    make(near, 'div', { dir: 'auto' }, visible(near, description))));
}

/** Text from outside, with what is hidden in it made visible. */
function textOf({ settingEl }: Setting, text: string): DocumentFragment {
  return createFragment((fragment) => fragment.append(visible(settingEl, text)));
}
