/** The lists of tools and calls, and the notice, as they are drawn. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShownRow } from '../../views/calls.ts';
import type { ToolsData } from '../../views/tools-settings.ts';
import { pageTexts } from '../browser/assets.ts';
import { useChromium, withoutChromium } from '../browser/chromium.ts';
import { ROWS, TOOLS } from '../browser/questions.ts';
import { openStage, told } from '../browser/stage.ts';

describe.skipIf(withoutChromium)('the lists', () => {
  const browser = useChromium();
  let page: Page;
  beforeEach(async () => {
    page = await openStage(browser(), { locale: 'en-US', timezoneId: 'UTC' });
  });
  afterEach(() => page.close());

  const tools = (data: ToolsData): Promise<void> => page.evaluate((shown) => window.views.drawTools(document.querySelector('#plain')!, shown, {
    setPlugin: (plugin, setting) => window.told.push(`${plugin}=${setting}`),
    setTool: (plugin, tool, setting) => window.told.push(`${plugin}/${tool}=${setting}`),
    setMcpRunGrants: (on) => window.told.push(`mcp=${on}`),
  }), data);
  const calls = (rows: readonly ShownRow[]): Promise<void> => page.evaluate((shown) => window.views.drawCalls(document.querySelector('#plain')!, shown, { undo: (call) => window.told.push(`undo ${call}`) }), rows);

  it('F021 F022 F023 F024 F025 a row per plugin: name, number of tools, how many are set apart, the plugin\'s setting', async () => {
    await tools(TOOLS);
    expect(await page.$$eval('.mh-plugin', (rows) => rows.map((row) => `${row.querySelector('.mh-plugin-words')!.textContent} / ${row.querySelector<HTMLSelectElement>('.mh-plugin-head select')!.selectedOptions[0]!.textContent}`))).toEqual([
      'Books3 tools, 1 with its own setting / Default', 'Model Hub1 tool, none with its own setting / Ask',
    ]);
  });

  it('F026 selecting a row reveals its tools, selecting it again hides them, and drawing anew keeps it open', async () => {
    await tools(TOOLS);
    expect(await page.isVisible('[data-tool="books.add_to_shelf"]')).toBe(false);
    await page.click('text=Books');
    expect(await page.isVisible('[data-tool="books.add_to_shelf"]')).toBe(true);
    await tools({ ...TOOLS, mcpRunGrants: true });
    expect(await page.isVisible('[data-tool="books.add_to_shelf"]')).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    await page.keyboard.press('Enter');
    expect(await page.isVisible('[data-tool="books.add_to_shelf"]')).toBe(false);
  });

  it('F027 F031 F032 a tool offers "Plugin default", a plugin "Default", both Allow, Ask and Deny', async () => {
    await tools(TOOLS);
    const labels = (selector: string): Promise<string[]> => page.$$eval(`${selector} option`, (options) => options.map(({ textContent }) => textContent));
    expect(await labels('[aria-label="Setting of Books"]')).toEqual(['Default', 'Allow', 'Ask', 'Deny']);
    expect(await labels('[aria-label="Setting of books.add_to_shelf"]')).toEqual(['Plugin default', 'Allow', 'Ask', 'Deny']);
  });

  it('F027 a choice tells whose setting it is, and the value that is meant', async () => {
    await tools(TOOLS);
    await page.click('text=Books');
    await page.selectOption('[aria-label="Setting of Books"]', { label: 'Deny' });
    await page.selectOption('[aria-label="Setting of books.add_to_shelf"]', { label: 'Allow' });
    await page.selectOption('[aria-label="Setting of books.remove_from_shelf"]', { label: 'Plugin default' });
    expect(await told(page)).toEqual(['books=deny', 'books/books.add_to_shelf=allow', 'books/books.remove_from_shelf=default']);
  });

  it('F033 F034 D07 each tool says the policy in force and what it rests on', async () => {
    await tools(TOOLS);
    expect(await page.$$eval('[data-mh=policy]', (lines) => lines.map(({ textContent }) => textContent))).toEqual([
      'asks, by the built-in rule', 'runs freely, by the built-in rule', 'is refused, by its own setting', 'asks, by the plugin\'s setting',
    ]);
  });

  it('F036 the switch for MCP clients is there, off, and tells when it is turned on', async () => {
    await tools(TOOLS);
    const box = page.getByRole('switch', { name: 'Let MCP clients be allowed for a whole run' });
    expect(await box.isChecked()).toBe(false);
    await box.check();
    expect(await told(page)).toEqual(['mcp=true']);
  });

  it('F132 each call shows its outcome in a word, why in a sentence, who asked, how long it waited and ran, and its trace', async () => {
    await calls(ROWS);
    const lines = await page.$$eval('.mh-call', (rows) => rows.map((row) => [row.querySelector('code')!.textContent, row.querySelector('[data-mh=outcome]')!.textContent, row.querySelector('[data-mh=why]')?.textContent ?? ''].join(' | ')));
    expect(lines).toEqual([
      'books.add_to_shelf | Taken back | The write was taken back.',
      'books.add_to_shelf | Done | Allowed once.',
      'vault.edit_note | Refused | You declined it.',
      'books.add_to_shelf | Done | You had allowed it for this run.',
      'books.list_shelves | Nothing found | Reads run freely.',
      'books.add_to_shelf | Not valid | The arguments do not fit: "shelf" is missing.',
      'books.remove_from_shelf | Refused | The tool is set to Deny.',
      'books.list_shelves | Took too long | The tool did not finish within 60 seconds.',
    ]);
    expect(await page.$$eval('[data-call=c7] .mh-call-facts > *', (facts) => facts.map(({ textContent }) => textContent))).toEqual([
      expect.stringContaining('12:03:10'), 'MCP client Claude Code', 'Books', 'waited 8.4 s, ran 12 ms', 'Trace 4bf92f3577b34da6a3ce929d0e0e4736',
    ]);
  });

  it('F076 D28 Undo stands where it is possible, and nowhere else', async () => {
    await calls(ROWS);
    expect(await page.$$eval('[data-undo]', (buttons) => buttons.map((button) => `${button.getAttribute('data-undo')} ${button.getAttribute('aria-label')}`))).toEqual(['c7 Undo books.add_to_shelf']);
    expect(await page.textContent('[data-call=c5] .mh-call-undo')).toBe('Taken back');
    await page.click('[data-undo=c7]');
    await page.click('[data-undo=c7]', { force: true, timeout: 500 }).catch(() => undefined);
    expect(await told(page)).toEqual(['undo c7']);
  });

  it('D28 whoever takes a write back by keyboard stays at that call, before and after', async () => {
    await calls(ROWS);
    await page.focus('[data-undo=c7]');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => [document.activeElement?.textContent, document.activeElement?.getAttribute('aria-label')])).toEqual(['Taking back…', 'Taking back… books.add_to_shelf']);
    expect(await told(page)).toEqual(['undo c7']);
    await calls([{ ...ROWS[0]!, id: 'u2', of: 'c7' } as ShownRow, ...ROWS]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-call'))).toBe('c7');
  });

  it('E01 the id of a trace leads to where it can be looked at, in a tab of its own; where there is no such address it is text', async () => {
    await calls([{ ...ROWS[1]!, traceUrl: 'http://jaeger.example/trace/4bf9?uiFind=c7' }, ROWS[2]!]);
    expect(await page.$$eval('[data-mh=trace]', (ids) => ids.map((id) => {
      const link = id.closest('a');
      return link && [link.href, link.target, link.rel, link.textContent];
    }))).toEqual([['http://jaeger.example/trace/4bf9?uiFind=c7', '_blank', 'noopener noreferrer', '4bf92f3577b34da6a3ce929d0e0e4736 (opens in a new tab)'], null]);
  });

  it('F132 an empty list says what to do', async () => {
    await calls([]);
    expect(await page.textContent('#plain')).toContain('No call yet');
    expect(await page.textContent('#plain')).toContain('Connect an agent');
    await tools({ plugins: [], mcpRunGrants: false });
    expect(await page.textContent('#plain')).toContain('No tools yet');
  });
});

describe.skipIf(withoutChromium)('the colours', () => {
  const browser = useChromium();

  it.each(['light', 'dark'] as const)('every colour that is named has a value in %s', async (colorScheme) => {
    const page = await openStage(browser(), { colorScheme });
    const { css } = await pageTexts();
    const names = new Set([...css.matchAll(/var\((--mh-[\w-]+)/g)].map(([, name]) => name!));
    names.delete('--mh-depth'); // set for each line
    for (const tone of ['--mh-tone', '--mh-tone-soft']) names.delete(tone); // set by the kind of row
    expect(names.size).toBeGreaterThan(20);
    const wrong = await page.evaluate((all) => all.filter((name) => {
      const value = getComputedStyle(document.documentElement).getPropertyValue(name);
      return !CSS.supports(name === '--mh-mono' ? 'font-family' : name === '--mh-shadow' ? 'box-shadow' : 'color', value);
    }), [...names]);
    expect(wrong).toEqual([]);
    await page.close();
  });
});

describe.skipIf(withoutChromium)('the undo notice', () => {
  const browser = useChromium();
  let page: Page;
  beforeEach(async () => {
    page = await openStage(browser());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() => {
      window.views.drawUndoNotice(document.querySelector('#plain')!, { pluginName: 'Books', tool: 'books.add_to_shelf' }, {
        undo: () => {
          window.told.push('undo');
          return document.title === 'conflict' ? Promise.reject(new Error('The note changed since.')) : Promise.resolve('Took the book off the shelf.');
        },
        onGone: () => window.told.push('gone'),
      });
    });
  });
  afterEach(() => page.close());

  it('F071 names the plugin and the tool, says "done" and offers Undo', async () => {
    expect(await page.textContent('.mh-undo-words')).toBe('Books books.add_to_shelf done');
    expect(await page.isVisible('text=Undo')).toBe(true);
  });

  it('F072 stays 15 seconds', async () => {
    await page.clock.runFor(14_900);
    expect(await page.isVisible('[data-mh=undo-notice]')).toBe(true);
    await page.clock.runFor(200);
    expect(await page.$('[data-mh=undo-notice]')).toBeNull();
    expect(await told(page)).toEqual(['gone']);
  });

  it('F072 its time stands still while the pointer or the focus is on it', async () => {
    await page.hover('.mh-undo-words');
    await page.clock.runFor(60_000);
    await page.focus('text=Undo');
    await page.mouse.move(0, 700);
    await page.clock.runFor(60_000);
    expect(await page.isVisible('[data-mh=undo-notice]')).toBe(true);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.runFor(15_100);
    expect(await page.$('[data-mh=undo-notice]')).toBeNull();
  });

  it('F073 F074 Undo asks once, and then the plugin\'s sentence stands there', async () => {
    await page.click('text=Undo');
    await page.waitForSelector('text=Took the book off the shelf.');
    expect(await page.$('text=Undo')).toBeNull();
    expect(await told(page)).toEqual(['undo']);
  });

  it('F073 by keyboard, the sentence stays until the notice is left', async () => {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Undo books.add_to_shelf');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Took the book off the shelf.');
    await page.clock.runFor(60_000);
    expect(await page.isVisible('text=Took the book off the shelf.')).toBe(true);
    await page.keyboard.press('Enter');
    expect(await told(page)).toEqual(['undo', 'gone']);
  });

  it('D28 an undo that is refused says why', async () => {
    await page.evaluate(() => (document.title = 'conflict'));
    await page.click('text=Undo');
    await page.waitForSelector('text=The note changed since.');
    expect(await page.textContent('.mh-undo-words')).toBe('Not taken back. The note changed since.');
  });
});
