/** The page at the width of a phone and of a desk, light and dark: nothing is cut off. Its pictures can be kept. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Client, NoteEdit } from '../../src/core/types.ts';
import { TRACE_URLS } from '../../otel/trace-url.ts';
import { useChromium, withoutChromium } from './chromium.ts';
import { KEY, servePage, type PageHost } from './host.ts';
import { takeScreenshots } from './screenshots.ts';
import { TakingCollector } from './taking-collector.ts';

const AGENT: Client = { kind: 'mcp', name: 'Claude Code' };
const BOOK = { shelf: 'To read', book: 'The Left Hand of Darkness' };
const PLAN = '---\nstatus: draft\ndue: 2026-12-01\n---\n# Plan\n\nMorning: 10 mg, with food.\n\nEvening: nothing.\nAsk [[Doctor]] first.\n';
const EDITS: readonly NoteEdit[] = [
  { note: 'Health/Plan.md', before: PLAN, after: PLAN.replace('10 mg', '100 mg').replace('draft', 'agreed').replace('with food', 'before a meal').replace('[[Doctor]]', '[[Pharmacy]]') },
  { note: 'Inbox.md', before: 'Call on 3 March 2026.', after: 'Call on 5 March 2026, in the morning.' },
];

describe.skipIf(withoutChromium)('pictures of the page', () => {
  const browser = useChromium();
  const open = async (page: Page, { origin }: PageHost): Promise<void> => {
    await page.goto(`${origin}/login?key=${KEY}`);
    await page.waitForSelector('[data-state=connected]');
  };
  /** What is wider than its window or box: a phone would cut it off. */
  const tooWide: string[] = [];
  const measure = async (page: Page): Promise<void> => {
    tooWide.push(...await page.evaluate(() => [...document.querySelectorAll('html, dialog, .mh-approval-body')].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.tagName}.${box.className} of ${innerWidth}`)));
  };

  it('everything fits at 390 and at 1280 pixels, light and dark: nothing yet, a write asked about, edits, the log after an undo', async () => {
    const host = await servePage();
    const { rig } = host;
    const add = { effect: 'write' as const, description: 'Adds a book to a shelf.', undo: { kind: 'handle' as const }, undoHandle: () => 'shelf', handler: () => Promise.resolve('ok') };
    rig.tool('books.list_shelves', { effect: 'read', description: 'Lists the shelves and how many books each holds.', handler: () => Promise.resolve([]) });
    rig.tool('books.add_to_shelf', { ...add, input: { type: 'object', properties: { shelf: { type: 'string' }, book: { type: 'string' } }, required: ['shelf', 'book'] } });
    rig.tool('books.edit_note', { ...add, description: 'Replaces passages of a note.', describe: () => ({ summary: 'Changes the plan.', edits: EDITS }) }, () => Promise.resolve('Took “The Left Hand of Darkness” off the shelf “To read”.'));
    await takeScreenshots(browser(), 'nothing-yet', async (page) => {
      await open(page, host);
      await measure(page);
    });

    // Stays open: a call that nobody can be asked about is refused, and those in the pictures come and go.
    const stays = await browser().newPage();
    await open(stays, host);
    const run = rig.hub.openRun('panel', { kind: 'panel', name: 'Chat' });
    const first = rig.call('books.add_to_shelf', BOOK, { owner: 'panel', run: run.id });
    await takeScreenshots(browser(), 'question', async (page) => {
      await open(page, host);
      await page.waitForSelector('[data-decision=allow_run]:not([aria-disabled])');
      await measure(page);
    });
    await stays.click('[data-decision=allow_run]:not([aria-disabled])');
    await first;

    const second = rig.refused('books.edit_note', {}, { owner: 'mcp:1', client: AGENT });
    await takeScreenshots(browser(), 'edits', async (edits) => {
      await open(edits, host);
      await edits.waitForSelector('[data-decision=deny]:not([aria-disabled])');
      await measure(edits);
    });
    await stays.click('[data-decision=deny]:not([aria-disabled])');
    await second;

    await rig.call('books.list_shelves', {}, { client: AGENT });
    await rig.refused('books.add_to_shelf', { shelf: 1 }, { client: AGENT });
    await stays.click('#calls >> text=Undo');
    await stays.waitForSelector('text=Took “The Left Hand');
    await takeScreenshots(browser(), 'after-undo', async (log) => {
      await open(log, host);
      await log.click('.mh-plugin-toggle');
      await measure(log);
    });
    await host.stop();
    expect(tooWide).toEqual([]);
  }, 120_000);

  it('so do the settings of traces: off, with a fault, and with a test span that was taken', async () => {
    const [host, collector] = await Promise.all([servePage(), TakingCollector.start()]);
    const show = async (page: Page): Promise<void> => {
      await open(page, host);
      await page.click('#traces-title');
    };
    host.rig.tool('books.list_shelves', { effect: 'read', description: 'Lists the shelves and how many books each holds.', handler: () => Promise.resolve([]) });
    await host.rig.call('books.list_shelves', {}, { client: AGENT });
    await takeScreenshots(browser(), 'traces-off', async (page) => {
      await show(page);
      await measure(page);
    }, true);
    await takeScreenshots(browser(), 'traces-fault', async (page) => {
      await show(page);
      await page.click('text=Send traces');
      await page.click('text=Add a header');
      await page.fill('[placeholder=authorization]', 'authorization');
      await page.fill('[placeholder=collector-token]', 'collector-token');
      await page.fill('[type=url]', 'http://collector.example:4318');
      await page.click('text=Send a test span');
      await page.waitForSelector('.mh-form-status.mh-tone-bad');
      await measure(page);
    }, true);
    host.traces.secrets.set('collector-token', 'Bearer abc', collector.url);
    host.traces.save({ send: true, endpoint: collector.url, headers: { authorization: 'collector-token' }, sampleRate: 0.25, serviceName: 'model-hub', traceUrl: TRACE_URLS.Jaeger });
    await takeScreenshots(browser(), 'traces-tested', async (page) => {
      await show(page);
      await page.click('text=Send a test span');
      await page.waitForSelector('.mh-sent-body .mh-json-key');
      await measure(page);
    }, true);
    await Promise.all([host.stop(), collector.stop()]);
    expect(tooWide.splice(0)).toEqual([]);
  }, 120_000);
});
