import canonicalize from 'canonicalize';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Question } from '../../src/core/questions.ts';
import { useChromium, withoutChromium } from '../browser/chromium.ts';
import { HASH, question } from '../browser/questions.ts';
import { drawQuestion, openStage } from '../browser/stage.ts';

const { inputs } = JSON.parse(readFileSync(new URL('../cases/spoofing.json', import.meta.url), 'utf8')) as { inputs: string[] };

/** Hidden characters of each input, in the order of the file. */
const COUNTS = [1, 2, 1, 1, 1, 1, 2, 2, 1, 40, 0, 0, 0, 0, 0, 0, 0, 0];

const PLACES: Readonly<Record<string, (input: string) => Partial<Question>>> = {
  'a value': (input) => ({ arguments: canonicalize({ text: input })! }),
  'a key': (input) => ({ arguments: canonicalize({ [input]: 1 })! }),
  'the tool\'s description': (input) => ({ description: input }),
  'the tool\'s own words': (input) => ({ preview: { kind: 'text', text: input } }),
  'an edit': (input) => ({ preview: { kind: 'edits', edits: [{ note: 'Note.md', before: 'was', after: input }] } }),
  'the name of a note': (input) => ({ preview: { kind: 'edits', edits: [{ note: input, before: 'was', after: 'is' }] } }),
  'the caller\'s label': (input) => ({ client: { kind: 'mcp', name: input } }),
};

describe.skipIf(withoutChromium)('text that pretends', () => {
  const browser = useChromium();
  let page: Page;
  beforeAll(async () => {
    page = await openStage(browser());
  });

  it('spoofing.json has the inputs that are counted here', () => {
    expect(inputs.length).toBe(COUNTS.length);
  });

  for (const [place, put] of Object.entries(PLACES)) {
    it(`B27 D14 spoofing.json in ${place} stays text, and what is hidden is marked and counted`, async () => {
      const { others } = await elementsOf(page, question(put('plain')));
      const found = [];
      for (const input of inputs) found.push(await elementsOf(page, question(put(input))));
      expect(found.map((elements) => elements.others)).toEqual(inputs.map(() => others));
      expect(found.map(({ notice }) => notice)).toEqual(COUNTS.map((count) => (count === 0 ? undefined : `Contains ${count} hidden character${count === 1 ? '' : 's'}`)));
      expect(found.map(({ marks }) => marks > 0)).toEqual(COUNTS.map((count) => count > 0));
    });
  }

  it('B27 the shown arguments are the exact text, but for marks that hold the raw character', async () => {
    const text = canonicalize({ keys: inputs, ...Object.fromEntries(inputs.map((input, at) => [`${at} ${input}`, { deep: [input] }])) })!;
    await drawQuestion(page, question({ arguments: text }));
    expect(await page.evaluate(() => {
      const copy = document.querySelector('.mh-text')!.cloneNode(true) as Element;
      for (const mark of copy.querySelectorAll('[data-raw]')) mark.replaceWith(mark.getAttribute('data-raw')!);
      return copy.textContent;
    })).toBe(text);
  });

  it('B27 the copy button yields the raw value, and the hash is shown as it was given', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const text = canonicalize({ text: inputs.join('|') })!;
    await drawQuestion(page, question({ arguments: text }));
    await page.waitForSelector('[data-decision=deny]:not([aria-disabled])');
    await page.click('text=Copy arguments');
    await page.waitForSelector('text=Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    expect(await page.textContent('[data-mh=hash]')).toBe(HASH);
  });

  it('B27 a client that calls itself the hub is shown as one that calls itself so', async () => {
    await drawQuestion(page, question({ client: { kind: 'mcp', name: 'Model Hub (verified)' } }));
    expect(await page.textContent('.mh-fact dd')).toBe('MCP client from outside that calls itself Model Hub (verified)');
  });

  it('B27 an emoji with joiners, and an accent, hide nothing', async () => {
    await drawQuestion(page, question({ description: '\u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F 1\uFE0F\u20E3 e\u0301\tx\r\ny' }));
    expect(await page.$('[data-mh=hidden]')).toBeNull();
  });

  it.each([
    ['tags that spell a message', '\u{E0041}\u{E0042}', 2], ['stacked marks', `a${'\u0301'.repeat(12)}`, 12], ['a space that is none', 'a\u00a0b', 1], ['a filler', '\u3164', 1],
    ['a blank that is drawn', '\u2800', 1], ['line breaks that push words away', `a${'\n'.repeat(30)}b`, 30], ['a lone surrogate', 'a\ud800b', 1],
  ])('B27 %s are counted', async (_, text, count) => {
    await drawQuestion(page, question({ preview: { kind: 'text', text } }));
    expect(await page.textContent('[data-mh=hidden]')).toMatch(`Contains ${count} hidden character`);
  });
});

/** What the question consists of: its elements but the marks, how many marks, and the count that it says. */
async function elementsOf(page: Page, shown: Question): Promise<{ others: string[]; marks: number; notice: string | undefined }> {
  await drawQuestion(page, shown);
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('#stage *')];
    const notice = document.querySelector('[data-mh=hidden]');
    // A piece of edit may be one or several, by its words.
    const others = all.filter((element) => element !== notice && !element.matches('.mh-hidden, .mh-edit *')).map((element) => `${element.tagName}.${element.className}`);
    const edits = new Set(all.filter((element) => element.matches('.mh-edit *:not(.mh-hidden)')).map((element) => `${element.tagName}.${element.className}`));
    return { others: [...others, ...[...edits].sort()], marks: all.filter((element) => element.matches('.mh-hidden')).length, notice: notice?.textContent?.split(':')[0] };
  });
}
