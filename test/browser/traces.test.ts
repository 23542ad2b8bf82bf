/** The settings of traces on the page of the real host, with a collector that takes what it is sent. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostProcess, modelHub, TempPlace } from '../support/host-process.ts';
import { useChromium, withoutChromium } from './chromium.ts';
import { TakingCollector } from './taking-collector.ts';

const SECRET = 'Bearer CANARY-secret';

describe.skipIf(withoutChromium)('traces on the page', () => {
  const browser = useChromium();
  let place: TempPlace;
  let collector: TakingCollector;
  let host: HostProcess;
  let page: Page;
  let faults: string[];
  beforeEach(async () => {
    place = new TempPlace();
    [collector, host] = await Promise.all([TakingCollector.start(), HostProcess.start(place)]);
    faults = [];
    page = await openPage();
  });
  afterEach(async () => {
    await page.close();
    await Promise.all([host.stop(), collector.stop()]);
    place.remove();
    expect(faults).toEqual([]);
  });

  const openPage = async (): Promise<Page> => {
    const opened = await browser().newPage();
    opened.on('pageerror', (error) => faults.push(error.message));
    opened.on('console', (message) => {
      if (/Content.Security|Trusted/i.test(message.text())) faults.push(message.text());
    });
    opened.setDefaultTimeout(5_000);
    await opened.goto(`${host.url}/login?key=${host.key}`);
    await opened.waitForSelector('[data-state=connected]');
    await opened.click('#traces-title');
    return opened;
  };
  const field = (label: string): ReturnType<Page['getByLabel']> => page.getByLabel(label, { exact: true });
  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const says = (sentence: string): Promise<unknown> => page.waitForSelector(`.mh-form-status >> text=${sentence}`);
  const list = async (): Promise<void> => {
    const agent = await host.client();
    await agent.callTool({ name: 'books_list_shelves', arguments: {} });
    await agent.close();
  };

  it('F140 D32 E01 typed, tried, saved, sent, looked at and switched off again: without a restart, and nothing is sent before', async () => {
    await list();
    await field('Endpoint').fill(collector.url);
    await click('Add a header');
    await field('Header').fill('authorization');
    await field('Name of the secret').fill('collector-token');
    await field('Value of the secret').fill(SECRET);
    await field('Address of a trace').fill(`${collector.url}/trace/{trace}?uiFind={span}`);
    expect(collector.taken).toEqual([]);

    await click('Send a test span');
    await says('The collector took the test span.');
    expect(collector.taken.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/v1/traces', SECRET]]);
    expect(await page.textContent('.mh-sent')).toContain(`POST ${collector.url}/v1/traces`);
    await page.waitForSelector('[data-mh=secret] >> text=A value is set');
    expect(await page.$eval('.mh-sent-body .mh-text', ({ textContent }) => textContent)).toBe(collector.taken[0]!.body);

    await page.getByRole('switch', { name: 'Send traces' }).check();
    await click('Save');
    await says('Saved, and in force.');
    await page.waitForSelector('#traces-brief >> text=On');
    await list();
    await page.waitForSelector('[data-mh=traces-state] >> text=The collector has taken');
    expect(collector.spans()).toContain('tool_call books.list_shelves');

    const [opened] = await Promise.all([page.waitForEvent('popup'), page.click('.mh-call a >> nth=0')]);
    await expect.poll(() => opened.url()).toMatch(/\/trace\/[0-9a-f]{32}\?uiFind=[0-9a-f]{16}$/);
    await opened.waitForLoadState();
    expect(await opened.evaluate(() => [window.opener as unknown, document.referrer])).toEqual([null, '']);
    await opened.close();

    await page.getByRole('switch', { name: 'Send traces' }).uncheck();
    await click('Save');
    await page.waitForSelector('[data-mh=traces-state] >> text=Off. Nothing is sent.');
    const sent = collector.spans().length;
    await list();
    await page.waitForTimeout(1_500);
    expect(collector.spans().length).toBe(sent);
    expect([await page.content(), place.logBytes()].join('\n')).not.toContain('CANARY');
  });

  it('D32 an endpoint that does not do is refused while sending is on, in a sentence, and the settings stay as they were', async () => {
    await field('Endpoint').fill('http://localhost:4317');
    await page.getByRole('switch', { name: 'Send traces' }).check();
    await click('Save');
    await says('Port 4317 is for OTLP over gRPC.');
    await page.waitForSelector('.mh-field >> text=Port 4317 is for OTLP over gRPC.');
    const { out } = await modelHub(place, 'traces', '--json');
    expect(JSON.parse(out)).toMatchObject({ send: false, endpoint: '' });
    expect(() => readFileSync(`${place.vault}/.obsidian/plugins/model-hub/data.json`)).toThrow('ENOENT');
  });

  it('F030 what the command line sets is shown on the page, and what the collector says when nothing arrives', async () => {
    await modelHub(place, 'traces', '--set', `endpoint=${collector.url}`, '--set', 'serviceName=from the terminal', '--set', 'send=on');
    await expect.poll(() => field('Service name').inputValue(), { timeout: 10_000 }).toBe('from the terminal');
    collector.refusal = 'no more today';
    await click('Send a test span');
    await says('The collector refused the test span (status 400).');
    await collector.stop();
    await list();
    await page.waitForSelector('#traces-brief >> text=Not arriving', { timeout: 10_000 });
    await page.waitForSelector('#traces [role=status] >> text=Traces do not arrive:');
  });
});
