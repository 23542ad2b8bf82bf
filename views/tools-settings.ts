/**
 * The settings of all tools: a row per plugin that opens to its tools, each with its setting and the policy in force, and the
 * switch for MCP clients (F020–F037).
 */
import type { Effect, PolicySource, Setting, Verdict } from '../src/core/types.ts';
import { add, fill, freshId, icon, make } from './dom.ts';
import { ICONS } from './icons.ts';
import { visible } from './visible.ts';
import { EFFECTS, MCP_SWITCH, MCP_SWITCH_ABOUT, PLUGIN_DEFAULT, policyInForce, SETTINGS, TOOLS } from './words.ts';

export interface ToolLine {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly setting: Setting;
  readonly policy: { readonly effective: Verdict; readonly source: PolicySource };
}

export interface PluginLine {
  readonly id: string;
  readonly name: string;
  readonly setting: Setting;
  readonly tools: readonly ToolLine[];
}

export interface ToolsData {
  readonly plugins: readonly PluginLine[];
  readonly mcpRunGrants: boolean;
}

export interface ToolsActions {
  setPlugin(plugin: string, setting: Setting): void;
  setTool(plugin: string, tool: string, setting: Setting): void;
  setMcpRunGrants(on: boolean): void;
}

/** Draws all of it anew; rows that were open stay open, and the focus stays where it was. */
export function drawTools(element: HTMLElement, { plugins, mcpRunGrants }: ToolsData, actions: ToolsActions): void {
  const open = new Set([...element.querySelectorAll('[data-plugin][data-open]')].map((row) => row.getAttribute('data-plugin')));
  const focused = element.ownerDocument.activeElement?.closest('[data-control]')?.getAttribute('data-control');
  if (plugins.length === 0) {
    fill(element, make(element, 'p', { class: 'mh-about' }, TOOLS.about), make(element, 'div', { class: 'mh-empty' }, make(element, 'strong', {}, TOOLS.emptyTitle), make(element, 'p', {}, TOOLS.empty)));
    return;
  }
  fill(element,
    make(element, 'p', { class: 'mh-about' }, TOOLS.about),
    make(element, 'ul', { class: 'mh-plugins' }, ...plugins.map((plugin) => pluginRow(element, plugin, open.has(plugin.id), actions))),
    mcpSwitch(element, mcpRunGrants, actions));
  if (focused === undefined || focused === null) return;
  for (const control of element.querySelectorAll<HTMLElement>('[data-control]')) if (control.dataset['control'] === focused) control.focus({ preventScroll: true });
}

function pluginRow(near: Element, plugin: PluginLine, isOpen: boolean, actions: ToolsActions): HTMLElement {
  const own = plugin.tools.filter(({ setting }) => setting !== 'default').length;
  const listId = freshId();
  const tools = make(near, 'ul', { class: 'mh-tools', id: listId, hidden: !isOpen }, ...plugin.tools.map((tool) => toolRow(near, plugin, tool, actions)));
  const row = make(near, 'li', { class: 'mh-plugin', 'data-plugin': plugin.id, 'data-open': isOpen });
  const toggle = make(near, 'button', { type: 'button', class: 'mh-plugin-toggle', 'aria-expanded': String(isOpen), 'aria-controls': listId, 'data-control': `open ${plugin.id}` },
    icon(near, ICONS.chevron),
    make(near, 'span', { class: 'mh-plugin-words' }, make(near, 'bdi', { class: 'mh-plugin-name' }, visible(near, plugin.name)), make(near, 'span', { class: 'mh-muted' }, `${TOOLS.number(plugin.tools.length)}, ${TOOLS.own(own)}`)));
  toggle.addEventListener('click', () => {
    const opens = row.toggleAttribute('data-open');
    tools.hidden = !opens;
    toggle.setAttribute('aria-expanded', String(opens));
  });
  const choice = settingChoice(near, { control: `plugin ${plugin.id}`, label: TOOLS.settingOf(plugin.name), value: plugin.setting, whenDefault: SETTINGS.default }, (setting) => actions.setPlugin(plugin.id, setting));
  add(row, make(near, 'div', { class: 'mh-plugin-head' }, toggle, choice), tools);
  return row;
}

function toolRow(near: Element, plugin: PluginLine, tool: ToolLine, actions: ToolsActions): HTMLElement {
  return make(near, 'li', { class: 'mh-tool', 'data-tool': tool.name },
    make(near, 'div', { class: 'mh-tool-words' },
      make(near, 'div', { class: 'mh-tool-line' }, make(near, 'code', {}, tool.name), make(near, 'span', { class: `mh-badge mh-badge-${tool.effect}` }, icon(near, ICONS[tool.effect]), EFFECTS[tool.effect])),
      make(near, 'p', { class: 'mh-muted mh-tool-about', dir: 'auto' }, visible(near, tool.description)),
      make(near, 'p', { class: `mh-force mh-force-${tool.policy.effective}`, 'data-mh': 'policy' }, policyInForce(tool.policy))),
    settingChoice(near, { control: `tool ${plugin.id} ${tool.name}`, label: TOOLS.settingOf(tool.name), value: tool.setting, whenDefault: PLUGIN_DEFAULT }, (setting) => actions.setTool(plugin.id, tool.name, setting)));
}

interface Choice {
  readonly control: string;
  readonly label: string;
  readonly value: Setting;
  readonly whenDefault: string;
}

function settingChoice(near: Element, { control, label, value, whenDefault }: Choice, onChange: (setting: Setting) => void): HTMLSelectElement {
  const select = make(near, 'select', { class: `mh-select mh-setting-${value}`, 'aria-label': label, 'data-control': control });
  for (const setting of ['default', 'allow', 'ask', 'deny'] as const) {
    add(select, make(near, 'option', { value: setting, selected: setting === value }, setting === 'default' ? whenDefault : SETTINGS[setting]));
  }
  select.addEventListener('change', () => onChange(select.value as Setting));
  return select;
}

function mcpSwitch(near: Element, on: boolean, actions: ToolsActions): HTMLElement {
  const aboutId = freshId();
  const box = make(near, 'input', { type: 'checkbox', role: 'switch', class: 'mh-switch', checked: on, 'aria-describedby': aboutId, 'data-control': 'mcp switch' });
  box.addEventListener('change', () => actions.setMcpRunGrants(box.checked));
  return make(near, 'div', { class: 'mh-mcp' }, make(near, 'label', {}, box, make(near, 'span', {}, MCP_SWITCH)), make(near, 'p', { class: 'mh-muted', id: aboutId }, MCP_SWITCH_ABOUT));
}
