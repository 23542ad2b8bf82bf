/**
 * The built plugin in a real Chromium, with the built books plugin beside it: what a person does on the first day. An agent
 * calls over MCP from outside, by the official client.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useChromium, withoutChromium } from '../browser/chromium.ts';
import { openObsidian, type ObsidianApp } from './app.ts';

const PLUGIN = 'dist/plugin';
const BOOKS = 'dist/books-plugin';

describe.skipIf(withoutChromium)('the plugin in Obsidian', () => {
  const browser = useChromium();
  let folder: string;
  let app: ObsidianApp;
  let clients: Client[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'walk-'));
    cpSync('examples/vault', join(folder, 'vault'), { recursive: true });
    app = await openObsidian(browser(), { vault: join(folder, 'vault'), plugins: [PLUGIN, BOOKS] });
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close().catch(() => undefined);
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const note = (path: string): string => readFileSync(join(folder, 'vault', path), 'utf8');
  const rows = (): Record<string, unknown>[] => {
    const file = join(folder, 'vault/.obsidian/plugins/model-hub/tool-calls.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>) : [];
  };
  const openPage = async (name: string): Promise<Page> => {
    const settings = await app.openSettings('model-hub');
    await settings.bringToFront();
    await settings.getByText(name, { exact: true }).first().click();
    return settings;
  };
  /** Switches the server on, as a person does, and answers an agent that has the address and the token from there. */
  const agent = async (name: string): Promise<Client> => {
    const settings = await openPage('MCP server');
    await settings.locator('.setting-item', { hasText: 'Serve tools to agents' }).getByRole('checkbox').check();
    const url = await settings.getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/).first().innerText();
    const token = await app.page.evaluate(() => Object.entries(window.localStorage).find(([key]) => key.startsWith('secret:model-hub-mcp-token'))?.[1]);
    await settings.close();
    const client = new Client({ name, version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token ?? ''}` } } }));
    clients.push(client);
    return client;
  };
  const dialog = (page = app.page) => page.getByRole('alertdialog');

  it('F040 F070 F073 an agent adds a book: dialog, allow once, notice, undo', async () => {
    const client = await agent('Claude Code');
    const adding = client.callTool({ name: 'books_add_to_shelf', arguments: { shelf: 'To read', book: 'Dune' } });
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('Claude Code');
    await dialog().getByRole('button', { name: 'Allow once' }).click();
    expect((await adding).isError ?? false).toBe(false);
    expect(note('Shelves/To read.md')).toContain('- Dune');
    await app.page.getByRole('button', { name: 'Undo books.add_to_shelf' }).first().click();
    await app.page.locator('.notice', { hasText: 'Dune' }).waitFor();
    expect(note('Shelves/To read.md')).not.toContain('Dune');
    expect(rows().map(({ kind, outcome }) => [kind, outcome])).toEqual([['call', 'ok'], ['undo', 'done']]);
    expect(app.faults).toEqual([]);
  });

  /** A write that asks; its question is open when it resolves. */
  const ask = async (client: Client, book = 'Dune') => {
    const call = client.callTool({ name: 'books_add_to_shelf', arguments: { shelf: 'To read', book } });
    await dialog().waitFor();
    return { call, text: async (): Promise<string> => JSON.stringify((await call).content) };
  };

  it('D14 F055 by keyboard: Enter approves nothing, Escape refuses', async () => {
    const { call, text } = await ask(await agent('Claude Code'));
    await app.page.waitForFunction(() => document.querySelector('[data-decision="allow_once"]')?.getAttribute('aria-disabled') === null);
    await app.page.keyboard.press('Enter');
    expect(await dialog().count()).toBe(1);
    expect(await app.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alertdialog');
    await app.page.keyboard.press('Escape');
    expect((await call).isError).toBe(true);
    expect([await text(), await dialog().count(), note('Shelves/To read.md').includes('Dune')]).toEqual([expect.stringContaining('tool-denied'), 0, false]);
  });

  it('D14 Tab reaches every answer, and Space gives the one that has the focus', async () => {
    const { call } = await ask(await agent('Claude Code'));
    await app.page.waitForFunction(() => document.querySelector('[data-decision="allow_once"]')?.getAttribute('aria-disabled') === null);
    for (let i = 0; i < 20 && (await app.page.evaluate(() => document.activeElement?.getAttribute('data-decision'))) !== 'allow_once'; i++) await app.page.keyboard.press('Tab');
    await app.page.keyboard.press('Space');
    expect([(await call).isError ?? false, note('Shelves/To read.md').includes('- Dune')]).toEqual([false, true]);
  });

  it('F059 obsidian 10 a Deny that is set while the dialog is open beats the yes in it', async () => {
    const { call, text } = await ask(await agent('Claude Code'));
    const settings = await openPage('Tools');
    await settings.getByRole('button', { name: 'Show the tools of Books' }).click();
    await settings.getByRole('combobox', { name: 'Setting of books.add_to_shelf' }).selectOption('deny');
    expect((await call).isError).toBe(true);
    expect(await text()).toContain('Deny');
    expect(await dialog().count()).toBe(0);
  });

  it('F020 F021 F022 F023 F024 F025 F026 F027 F031 a row for each plugin opens to its tools and closes again', async () => {
    const settings = await openPage('Tools');
    const row = settings.locator('.mh-plugin-setting', { hasText: 'Books' });
    expect(await row.innerText()).toContain('4 tools, none with its own setting');
    await row.getByText('Books', { exact: true }).click();
    const tool = settings.getByRole('combobox', { name: 'Setting of books.list_shelves' });
    expect(await tool.locator('option').allInnerTexts()).toEqual(['Plugin default', 'Allow', 'Ask', 'Deny']);
    await tool.selectOption('deny');
    expect(await row.innerText()).toContain('1 with its own setting');
    expect(await row.innerText()).toContain('is refused, by its own setting');
    await row.getByText('Books', { exact: true }).click();
    expect(await tool.isVisible()).toBe(false);
    expect(await row.getByRole('combobox', { name: 'Setting of Books' }).locator('option').allInnerTexts()).toEqual(['Default', 'Allow', 'Ask', 'Deny']);
  });

  it('F020 F037 the filter and the search of the settings find a tool whose plugin is closed', async () => {
    const settings = await openPage('Tools');
    await settings.getByPlaceholder('Filter plugins and tools').fill('add_to_shelf');
    expect(await settings.locator('.mh-plugin-setting:visible').count()).toBe(1);
    await settings.getByLabel('Search settings').fill('books.add_to_shelf');
    expect(await settings.locator('.setting-search-result').allInnerTexts()).toEqual([expect.stringContaining('Books')]);
  });

  it('obsidian 1 obsidian 2 D32 a fresh install sends nothing, with a network that refuses, through calls and views', async () => {
    await app.close();
    app = await openObsidian(browser(), { vault: join(folder, 'vault'), plugins: [PLUGIN, BOOKS], offline: true });
    const settings = await openPage('Traces');
    await settings.close();
    await app.runCommand('model-hub:show-usage');
    await app.runCommand('model-hub:verify-log');
    expect([app.network(), app.faults]).toEqual([[], []]);
  });

  it('E11 in the background a question is a notification and a count, and names no argument', async () => {
    const client = await agent('Claude Code');
    await app.background(true);
    const { call } = await ask(client, 'A secret title');
    expect((await app.notifications()).map(({ title, body }) => [title, body])).toEqual([['Allow books.add_to_shelf?', 'MCP client “Claude Code” waits for your answer.']]);
    expect(await app.statusBar()).toEqual(['1 question waits']);
    await app.background(false);
    await app.runCommand('model-hub:deny');
    expect([(await call).isError, await app.statusBar()]).toEqual([true, []]);
  });

  it('E11 F048 the command palette answers, and offers it only while a question is open', async () => {
    const client = await agent('Claude Code');
    expect(await app.commandNames()).not.toContain('Model Hub: Allow the open question once');
    const { call } = await ask(client);
    expect(await app.runCommand('model-hub:allow-once')).toBe(true);
    expect((await call).isError ?? false).toBe(false);
    expect(await app.runCommand('model-hub:undo-last')).toBe(true);
    await expect.poll(() => note('Shelves/To read.md')).not.toContain('Dune');
  });

  it('E11 the command line says no at any time, and yes only where the user let it', async () => {
    const client = await agent('Claude Code');
    const first = await ask(client);
    const id = (await app.cli('model-hub')).split('  ')[0]!;
    expect(await app.cli('model-hub:allow', { id })).toContain('is off');
    expect(await app.cli('model-hub:deny', { id })).toBe('Denied on Obsidian.');
    expect((await first.call).isError).toBe(true);
    await app.page.evaluate(() => window.shim.app.saveLocalStorage('model-hub-cli', true)); // the switch under Log, on this device
    const second = await ask(client);
    expect(await app.cli('model-hub:allow', { id: (await app.cli('model-hub')).split('  ')[0]! })).toBe('Allowed once on Obsidian.');
    expect((await second.call).isError ?? false).toBe(false);
  });

  it('F132 D28 the usage view lists the last calls as they come, and takes a write back', async () => {
    await app.runCommand('model-hub:show-usage');
    const view = app.page.locator('.mh-view');
    await view.getByText('No call yet').waitFor();
    const { call } = await ask(await agent('Claude Code'));
    await app.runCommand('model-hub:allow-once');
    await call;
    await view.getByText('Allowed once.').waitFor();
    await view.getByRole('button', { name: 'Undo books.add_to_shelf' }).click();
    await view.getByText('Taken back').first().waitFor();
    expect([note('Shelves/To read.md').includes('Dune'), app.faults]).toEqual([false, []]);
  });

  it('F173 F176 obsidian load 3 the hub is reloaded: the tools come again, once each', async () => {
    await app.reload('model-hub');
    const settings = await openPage('Tools');
    expect(await settings.locator('.mh-plugin-setting').allInnerTexts()).toEqual([expect.stringContaining('4 tools'), expect.stringContaining('1 tool')]);
    expect(app.faults).toEqual([]);
  });

  it('F121 uninstalling the hub deletes the log, and nothing is born again', async () => {
    const client = await agent('Claude Code');
    await client.callTool({ name: 'books_list_shelves', arguments: {} });
    expect(rows()).toHaveLength(1);
    await app.uninstall('model-hub');
    await app.page.waitForFunction(() => !Object.keys(window.localStorage).some((key) => key.includes('model-hub') && window.localStorage.getItem(key) !== ''), undefined, { timeout: 10_000 });
    expect(existsSync(join(folder, 'vault/.obsidian/plugins/model-hub'))).toBe(false);
  });
});
