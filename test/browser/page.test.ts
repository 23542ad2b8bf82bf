/** The page in a real browser, over the real host. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_TRACES } from '../../otel/exporter/settings.ts';
import type { HubError } from '../../src/core/errors.ts';
import type { Client } from '../../src/core/types.ts';
import { useChromium, withoutChromium } from './chromium.ts';
import { KEY, servePage, TOKEN, type PageHost } from './host.ts';

const AGENT: Client = { kind: 'mcp', name: 'Claude Code' };
const OPEN = '[data-mh=approval]';
const ready = (decision: string): string => `[data-decision=${decision}]:not([aria-disabled])`;

describe.skipIf(withoutChromium)('the page', () => {
  const browser = useChromium();
  let host: PageHost;
  let page: Page;
  let pages: Page[];
  let ran: number;
  let faults: string[];
  beforeEach(async () => {
    host = await servePage();
    ran = 0;
    faults = [];
    pages = [];
    addBooks(host);
    page = await openPage();
  });
  afterEach(async () => {
    await Promise.all(pages.map((open) => open.close()));
    await host.stop();
    expect(faults).toEqual([]);
  });

  const addBooks = ({ rig }: PageHost): void => {
    rig.tool('books.list', { effect: 'read', handler: () => Promise.resolve(['To read']) });
    rig.tool('books.add', { effect: 'write', undoHandle: () => 'shelf 1', handler: () => Promise.resolve(++ran) }, () => Promise.resolve('Took the book off the shelf.'));
  };
  const openPage = async (): Promise<Page> => {
    const opened = await browser().newPage();
    pages.push(opened);
    opened.on('pageerror', (error) => faults.push(error.message));
    opened.on('console', (message) => {
      if (/Content.Security|Trusted/i.test(message.text())) faults.push(message.text());
    });
    await opened.goto(`${host.origin}/login?key=${KEY}`);
    await opened.waitForSelector('[data-state=connected]');
    return opened;
  };
  /** Calls the write as an agent; answers what came of it, as its code and reason. */
  const call = (options: { readonly run?: string; readonly signal?: AbortSignal } = {}): Promise<string> =>
    host.rig.call('books.add', {}, { owner: 'mcp:1', client: AGENT, ...options }).then(() => 'ok', ({ code, details }: HubError) => [code, details.reason].filter(Boolean).join(' '));

  it('F040 F046 F048 a write opens the question, and nothing runs before the answer', async () => {
    const outcome = call();
    await page.waitForSelector(OPEN);
    expect(await page.title()).toBe('● books.add asks · Model Hub');
    expect(ran).toBe(0);
    await page.click(ready('allow_once'));
    expect(await outcome).toBe('ok');
    expect(ran).toBe(1);
    await page.waitForSelector(OPEN, { state: 'detached' });
    expect(await page.title()).toBe('Model Hub');
  });

  it.each<[string, (page: Page) => Promise<unknown>]>([
    ['Deny', (open) => open.click(ready('deny'))],
    ['Escape', (open) => open.keyboard.press('Escape')],
    ['a click outside', (open) => open.mouse.click(5, 300)],
    ['the browser closing the dialog', (open) => open.evaluate(() => document.querySelector('dialog')!.close())],
    ['the back gesture', (open) => open.evaluate(() => document.querySelector('dialog')!.dispatchEvent(new Event('cancel', { cancelable: true })))],
  ])('F047 F055 B25 %s is a no, once', async (_, leave) => {
    const outcome = call();
    await page.waitForSelector(ready('deny'));
    await leave(page);
    expect(await outcome).toBe('tool-denied user');
    await page.waitForSelector(OPEN, { state: 'detached' });
    expect(ran).toBe(0);
    expect(host.rig.calls().length).toBe(1);
  });

  it('B25 a selection that is dragged out of the dialog answers nothing', async () => {
    const outcome = call();
    await page.waitForSelector(ready('deny'));
    const { x, y } = (await page.locator(`${OPEN} h2`).boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await page.mouse.move(5, 300, { steps: 3 });
    await page.mouse.up();
    expect(await page.isVisible(OPEN)).toBe(true);
    await page.click(ready('deny'));
    await outcome;
  });

  it('F052 questions come one after another, and say how many wait', async () => {
    const outcomes = [call(), call(), call()];
    await page.waitForSelector('text=2 more questions wait behind this one');
    for (const left of ['1 more question waits', '', undefined]) {
      expect(await page.locator(OPEN).count()).toBe(1);
      await page.click(ready('allow_once'));
      if (left !== undefined) await page.waitForFunction((words) => document.querySelector('[data-mh=waiting]')?.textContent.startsWith(words), left);
    }
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok', 'ok']);
  });

  it('F262 F263 F264 two pages show one question: the first answer wins, and the other is told how', async () => {
    const second = await openPage();
    const outcome = call();
    await Promise.all([page.waitForSelector(ready('deny')), second.waitForSelector(ready('deny'))]);
    await second.click(ready('deny'));
    expect(await outcome).toBe('tool-denied user');
    await page.waitForSelector(OPEN, { state: 'detached' });
    await page.waitForSelector('#notices >> text=books.add: Denied on the page.');
    expect(await second.locator('#notices .mh-undo').count()).toBe(0);
  });

  it('F264 D12 an answer that comes too late is told who answered', async () => {
    const terminal = host.rig.device({ name: 'the terminal' });
    const outcome = call();
    await page.waitForSelector(ready('deny'));
    // The news of the answer is held up on its way to the page.
    await page.route('**/api/answer', async (route) => {
      terminal.answer('allow_once');
      await route.continue();
    });
    await page.click(ready('deny'));
    expect(await outcome).toBe('ok');
    await page.waitForSelector('#notices >> text=Your answer came too late: Allowed once on the terminal.');
  });

  it.each<[string, string, (abort: AbortController, run: string) => unknown, string]>([
    ['its caller leaves', 'aborted', (abort) => abort.abort(), 'The caller left'],
    ['its run ends', 'aborted', (_, run) => host.rig.hub.closeRun('mcp:1', run, 'session_closed'), 'The run ended'],
    ['its plugin goes', 'tool-failed', () => host.rig.hub.pluginUnloaded('books'), 'A change of the settings or tools'],
    ['the time is up', 'tool-denied no-answer', () => host.rig.clock.advance(120_000), 'Nobody answered in time'],
    ['the tool is set to Deny', 'tool-denied policy', () => host.rig.hub.settings.setTool('books', 'books.add', 'deny'), 'A change of the settings or tools'],
    ['another device answers', 'ok', () => host.rig.device({ name: 'the terminal' }).answer('allow_once'), 'Allowed once on the terminal'],
  ])('B20 the question goes from the page when %s, and the caller gets %s', async (_, expected, end, sentence) => {
    const abort = new AbortController();
    const { id } = host.rig.hub.openRun('mcp:1', AGENT);
    const outcome = call({ run: id, signal: abort.signal });
    await page.waitForSelector(OPEN);
    await end(abort, id);
    expect(await outcome).toBe(expected);
    await page.waitForSelector(OPEN, { state: 'detached' });
    await page.waitForSelector(`#notices >> text=${sentence}`);
  });

  it('B23 a page in the background is asked, and asked again once somebody comes back to it', async () => {
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }));
    const { id } = host.rig.hub.openRun('mcp:1', AGENT);
    const first = call({ run: id });
    await page.waitForSelector(OPEN);
    await host.rig.clock.advance(120_000);
    expect(await first).toBe('tool-denied no-answer');
    expect(await call({ run: id })).toBe('tool-denied no-surface');

    const back = page.waitForResponse('**/api/seen');
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await back;
    const second = call({ run: id });
    await page.click(ready('allow_once'));
    expect(await second).toBe('ok');
  });

  it('F070 F071 F073 F074 a write that can be taken back brings a notice; Undo shows the plugin\'s sentence, on every page the rest goes', async () => {
    const second = await openPage();
    const outcome = call();
    await page.click(ready('allow_once'));
    await outcome;
    await second.waitForSelector('[data-mh=undo-notice]');
    await page.click('[data-mh=undo-notice] >> text=Undo');
    await page.waitForSelector('#notices >> text=Took the book off the shelf.');
    await second.waitForSelector('[data-mh=undo-notice]', { state: 'detached' });
    await page.waitForSelector('.mh-call-undo >> text=Taken back');
    expect(host.rig.rows().map((row) => (row.kind === 'undo' ? `${row.kind} ${row.trigger}` : row.kind))).toEqual(['call', 'undo notice']);
  });

  it('D28 the undo stays in the list after its notice, also after the page was opened anew', async () => {
    const outcome = call();
    await page.click(ready('allow_once'));
    await outcome;
    await page.reload();
    await page.click('#calls >> text=Undo');
    await page.waitForSelector('#notices >> text=Took the book off the shelf.');
    expect(host.rig.rows().at(-1)).toMatchObject({ kind: 'undo', trigger: 'view', outcome: 'done' });
  });

  it('F030 F037 a setting made on one page holds at once, and is shown on the other', async () => {
    const second = await openPage();
    await page.click('#tools >> text=Books');
    await page.selectOption('[aria-label="Setting of books.add"]', { label: 'Deny' });
    await second.waitForFunction(() => document.querySelector('#tools')!.textContent.includes('1 with its own setting'));
    expect(await call()).toBe('tool-denied policy');
    await page.waitForSelector('#calls >> text=The tool is set to Deny.');
  });

  it('F036 F057 the switch for MCP clients is kept', async () => {
    await page.click('#tools >> text=Let MCP clients be allowed');
    await expect.poll(() => host.rig.settings.saved.mcpRunGrants).toBe(true);
  });

  it('obsidian 22 shows how to connect each client, the token out of sight', async () => {
    expect(await page.isVisible('#connect')).toBe(true);
    const text = await page.textContent('#connect');
    for (const client of ['Claude Code', 'Claude Desktop', 'Codex', `${host.origin}/mcp`]) expect(text).toContain(client);
    expect(await page.content()).not.toContain(TOKEN);
  });

  it('the way to connect folds away with the first call, but not under the hand of who reads it', async () => {
    await page.hover('#connect-title');
    await host.rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT });
    await page.waitForSelector('.mh-call');
    expect(await page.isVisible('#connect')).toBe(true);
    await page.mouse.move(2, 2);
    await host.rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT });
    await page.waitForSelector('#connect', { state: 'hidden' });
    expect(await page.getAttribute('#connect-toggle', 'aria-expanded')).toBe('false');
    await page.click('#connect-toggle');
    await host.rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT });
    await page.waitForSelector('.mh-call >> nth=2');
    expect(await page.isVisible('#connect')).toBe(true);
  });

  it('E01 the calls that are shown get their links when the address of a trace is set, and lose them with it', async () => {
    await host.rig.call('books.list', {}, { owner: 'mcp:1', client: AGENT });
    await page.waitForSelector('.mh-call');
    expect(await page.locator('.mh-call a').count()).toBe(0);
    host.traces.save({ ...NO_TRACES, traceUrl: 'http://jaeger.example/{trace}/{span}' });
    const { trace, id } = host.rig.lastCall();
    await page.waitForSelector(`.mh-call a[href="http://jaeger.example/${trace}/${id}"]`);
    host.traces.save(NO_TRACES);
    await page.waitForSelector('.mh-call a', { state: 'detached' });
  });

  it('D12 a question that was allowed elsewhere while the page was away is not said to have been refused', async () => {
    const outcome = call();
    await page.waitForSelector(OPEN);
    await page.context().setOffline(true);
    host.cut();
    await page.waitForSelector('[data-state=lost]');
    host.rig.device({ name: 'the terminal' }).answer('allow_once');
    expect(await outcome).toBe('ok');
    await page.context().setOffline(false);
    await page.waitForSelector(OPEN, { state: 'detached', timeout: 15_000 });
    await page.waitForSelector('#notices >> text=If it was answered elsewhere, the list of calls says how.');
    await page.waitForSelector('#calls >> text=Allowed once.');
  });

  it('what did not work stays until it was read, and is said once', async () => {
    await page.route('**/api/settings', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":"failed","message":"This did not work."}' }));
    await page.clock.install();
    for (const setting of ['Deny', 'Allow']) await page.selectOption('[aria-label="Setting of Books"]', { label: setting });
    await page.waitForSelector('#notices >> text=This did not work.');
    await page.clock.fastForward(60_000);
    expect(await page.locator('#notices .mh-undo').count()).toBe(1);
    await page.click('#notices >> role=button[name="Close"]');
    expect(await page.locator('#notices .mh-undo').count()).toBe(0);
  });

  it('each button and field of the page and of a question has a name that begins with what is seen on it', async () => {
    const outcome = call();
    await page.click(ready('allow_once'));
    await outcome;
    await page.waitForSelector('[data-mh=undo-notice]');
    await page.click('#connect-toggle'); // the first call has folded it
    await page.click('.mh-plugin-toggle');
    await page.click('#traces-title');
    await page.click('text=Add a header');
    const wrong = (): Promise<string[]> => page.evaluate(() => [...document.querySelectorAll<HTMLElement>('button, summary, select, input')].filter((control) => control.checkVisibility()).flatMap((control) => {
      const name = control.getAttribute('aria-label') ?? control.closest('label')?.textContent ?? control.textContent;
      const seen = control.matches('select, input') ? '' : control.innerText.trim();
      return name !== '' && name.replaceAll(/\s/g, '').startsWith(seen.replaceAll(/\s/g, '')) ? [] : [`"${seen}" is called "${name}"`];
    }));
    expect(await wrong()).toEqual([]);
    const second = call();
    await page.waitForSelector(ready('deny'));
    expect(await wrong()).toEqual([]);
    expect(await page.$$eval('dialog, [role=alertdialog]', (dialogs) => dialogs.map((dialog) => dialog.getAttribute('aria-label') ?? document.getElementById(dialog.getAttribute('aria-labelledby')!)!.textContent))).toEqual(['Model Hub asks', 'Allow books.add?']);
    await page.click(ready('deny'));
    await second;
  });

  it('comes back by itself when the host starts again, and a question that went with it is taken away', async () => {
    const { port } = new URL(host.origin);
    const outcome = call();
    await page.waitForSelector(OPEN);
    await host.stop();
    await page.waitForSelector('[data-state=lost]');
    expect(await page.textContent('[data-mh=status]')).toContain('The connection to the host is lost');
    await host.rig.clock.advance(120_000);
    await outcome;

    host = await servePage(Number(port));
    addBooks(host);
    await page.waitForSelector('[data-state=connected]', { timeout: 15_000 });
    await page.waitForSelector(OPEN, { state: 'detached' });
    const again = call();
    await page.click(ready('allow_once'));
    expect(await again).toBe('ok');
  });

  it('says that its key is old when the host starts again with another', async () => {
    const { port } = new URL(host.origin);
    await host.stop();
    host = await servePage(Number(port), undefined, 'another key');
    await page.waitForSelector('[data-state=locked]', { timeout: 15_000 });
    expect(await page.textContent('#notices')).toContain('Open the address that its terminal printed');
  });
});
