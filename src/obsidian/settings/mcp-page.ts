/** The page of the MCP server: its switch, and what an agent is told to reach it. */
import { Notice, type SettingDefinition, type SettingDefinitionPage } from 'obsidian';
import { PAGES } from '../words.ts';
import type { SettingsParts, Switch } from './settings-tab.ts';

export function mcpPage({ mcp, own }: SettingsParts, update: () => void): SettingDefinitionPage<Switch> {
  const { url, isOn } = mcp;
  const items: SettingDefinition<Switch>[] = [{ name: PAGES.mcpOn, desc: PAGES.mcpOnAbout, control: { type: 'toggle', key: 'mcpOn' } }];
  if (url !== undefined) {
    items.push(
      { name: PAGES.address, desc: url, render: (row) => void row.addButton((button) => button.setButtonText(PAGES.copy).onClick(() => void copy(row.settingEl, url))) },
      {
        name: PAGES.token, desc: PAGES.tokenAbout,
        render: (row) => void row
          .addButton((button) => button.setButtonText(PAGES.copy).onClick(() => void copy(row.settingEl, own.mcpToken())))
          .addButton((button) => button.setButtonText(PAGES.renew).onClick(() => void renew())),
      },
      {
        name: PAGES.connect, desc: PAGES.connectAbout,
        render: (row) => {
          const line = `claude mcp add --transport http model-hub ${url} --header "Authorization: Bearer ${own.mcpToken()}"`;
          row.addButton((button) => button.setButtonText(PAGES.copy).onClick(() => void copy(row.settingEl, line)));
        },
      },
    );
  }
  const renew = async (): Promise<void> => {
    own.renewMcpToken();
    await mcp.restart();
    update();
    new Notice(PAGES.renewed);
  };
  return {
    type: 'page', name: PAGES.mcp, desc: PAGES.mcpAbout, items,
    displayValue: url ?? (isOn ? PAGES.notRunning : PAGES.off), status: isOn && url === undefined ? 'warning' : null,
  };
}

async function copy(near: HTMLElement, text: string): Promise<void> {
  await near.win.navigator.clipboard.writeText(text);
  new Notice(PAGES.copied);
}
