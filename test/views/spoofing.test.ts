/** Texts that try to look like something else in a question. */
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
    expect(await exactText(page)).toBe(text);
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
    ['a blank that is drawn', '\u2800', 1], ['another blank', 'a\u{1D159}b\u{16FE4}', 2], ['a variation selector that carries data', 'a\u{E0123}\ufe01', 2],
    ['letters struck through one by one', 's\u0336a\u0336f\u0336e\u0336', 4], ['a letter in a prohibition sign', 'a\u20e0', 1], ['a mark that is drawn over what stands before', '\u0301a', 1],
    ['line breaks with spaces between', `a${' \n\t\n'.repeat(20)}b`, 40], ['line breaks of another kind', `a${'\r\n'.repeat(30)}b`, 30], ['spaces and tabs in turn', `a${' \t '.repeat(20)}b`, 20],
    ['line breaks that push words away', `a${'\n'.repeat(30)}b`, 30], ['a lone surrogate', 'a\ud800b', 1],
  ])('B27 %s are counted, and marked where they stand', async (_, text, count) => {
    for (const preview of [{ kind: 'text', text }, { kind: 'edits', edits: [{ note: 'A.md', before: '', after: text }] }] as const) {
      await drawQuestion(page, question({ preview }));
      expect(await page.textContent('[data-mh=hidden]')).toMatch(`Contains ${count} hidden character`);
      const marks = await page.$$eval('.mh-section .mh-hidden', (found) => found.map((mark) => mark.getAttribute('data-raw')!));
      expect(marks.length).toBeGreaterThan(0);
      expect(text).toContain(marks[0]);
    }
  });

  it.each([
    ['a mark over the quote', '"\u0338x"', 1], ['spaces and tabs in turn', `"a${' \\t'.repeat(40)}"`, 40], ['letters struck through', '"n\u0336o\u0336"', 2],
  ])('B27 %s is counted in arguments', async (_, value, count) => {
    await drawQuestion(page, question({ arguments: `{"text":${value}}` }));
    expect(await page.textContent('[data-mh=hidden]')).toMatch(`Contains ${count} hidden character`);
    expect(await exactText(page)).toBe(`{"text":${value}}`);
  });

  it.each([
    ['Windows line ends', 'a\r\nb\r\n\r\nc'], ['a paragraph after an empty line', 'a\n\n\nb'], ['decomposed accents, Hindi and Hebrew points', 'e\u0301 \u0939\u093f\u0928\u094d\u0926\u0940 \u05e9\u05c1\u05b8'], ['a table of tabs', 'a\tb\tc'],
  ])('B27 %s are nothing hidden', async (_, text) => {
    await drawQuestion(page, question({ description: text, preview: { kind: 'text', text } }));
    expect(await page.$('[data-mh=hidden]')).toBeNull();
    expect(await page.$('.mh-hidden')).toBeNull();
  });

  it('B27 what the preview repeats of the arguments is counted once', async () => {
    await drawQuestion(page, question({ arguments: '{"book":"a\u200bb\u200bc"}', preview: { kind: 'edits', edits: [{ note: 'A.md', before: '', after: '- a\u200bb\u200bc\u202e' }] } }));
    expect(await page.textContent('[data-mh=hidden]')).toMatch('Contains 3 hidden characters: 2 × zero-width space, 1 × right-to-left override.');
  });

  it('B27 a change between words that are read from the right keeps its order: each side stands by itself', async () => {
    await drawQuestion(page, question({ preview: { kind: 'edits', edits: [{ note: 'A.md', before: 'see [[\u05d0\u05d1]]', after: 'see [[\u05d2\u05d3]]' }] } }));
    expect(await page.textContent('.mh-risk')).toBe('Changed link: [[\u05d0\u05d1]] becomes [[\u05d2\u05d3]]');
    const [from, to] = await page.$$eval('.mh-risk bdi', (sides) => sides.map((side) => side.getBoundingClientRect().left));
    expect(from).toBeLessThan(to!);
  });

  it('B27 a name that closes the quotes around it, and a description that looks like lines of the hub, are seen to go on', async () => {
    await drawQuestion(page, question({ client: { kind: 'mcp', name: 'Claude\u201d, verified by Model Hub \u201c' }, description: 'Adds a book.\n\nAsked by   Model Hub (verified)\nUndo   Can be taken back' }));
    const box = await page.$eval('.mh-fact .mh-name', (name) => ({ text: name.textContent, shadow: getComputedStyle(name).boxShadow }));
    expect(box).toEqual({ text: 'Claude\u201d, verified by Model Hub \u201c', shadow: expect.stringContaining('inset') });
    expect(await page.$eval('.mh-description', (about) => [about.textContent.includes('verified'), getComputedStyle(about).borderLeftWidth])).toEqual([true, '3px']);
  });

  it('B27 buttons drawn with letters and lines are text, and the real ones stay the only ones', async () => {
    const fake = '\u250c\u2500\u2500\u2500\u2510\n\u2502 \u0410llow once \u2502\n\u2514\u2500\u2500\u2500\u2518\n<button data-decision="allow_once">Allow once</button>';
    await drawQuestion(page, question({ description: fake, client: { kind: 'mcp', name: fake }, preview: { kind: 'text', text: fake }, undo: { possible: false, reason: fake } }));
    expect(await page.$$eval('#stage button', (buttons) => buttons.map(({ textContent }) => textContent))).toEqual(['Copy arguments', 'Deny', 'Allow once', 'Allow for this run']);
  });

  it.each([390, 1280])('B27 a word without end widens nothing at %i pixels, wherever it stands', async (width) => {
    const word = 'W'.repeat(5_000);
    await page.setViewportSize({ width, height: 800 });
    await drawQuestion(page, question({
      description: word, plugin: word, why: word, client: { kind: 'mcp', name: word }, undo: { possible: false, reason: word }, arguments: JSON.stringify({ [word]: word }),
      preview: { kind: 'edits', summary: word, edits: [{ note: word, before: word, after: `${word}x` }, { note: 'B.md', before: `[[${word}]]`, after: `https://${word}` }] },
    }));
    await page.click('.mh-raw summary');
    expect(await page.evaluate(() => [...document.querySelectorAll('html, dialog, .mh-approval, .mh-approval-head, .mh-approval-body, .mh-approval-foot, .mh-fact, .mh-note, .mh-raw')].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className))).toEqual([]);
    const { top, bottom } = await page.$eval('[data-decision=deny]', (deny) => deny.getBoundingClientRect());
    expect(top >= 0 && bottom <= 800).toBe(true);
  });
});

/** The arguments as they are shown, each mark read as what it stands for. */
function exactText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const copy = document.querySelector('.mh-text')!.cloneNode(true) as Element;
    for (const mark of copy.querySelectorAll('[data-raw]')) mark.replaceWith(mark.getAttribute('data-raw')!);
    return copy.textContent;
  });
}

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
