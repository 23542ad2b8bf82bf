/** The question as it is drawn. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useChromium, withoutChromium } from '../browser/chromium.ts';
import { HASH, question } from '../browser/questions.ts';
import { drawQuestion, inSightTold, openStage, told } from '../browser/stage.ts';

const ALLOW = '[data-decision=allow_once]';

describe.skipIf(withoutChromium)('the question', () => {
  const browser = useChromium();
  let page: Page;
  beforeEach(async () => {
    page = await openStage(browser());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
  });
  afterEach(() => page.close());

  /** Draws, and lets the first moments go by. */
  const ask = async (...[shown, longOver]: [Parameters<typeof drawQuestion>[1], number?]): Promise<void> => {
    await drawQuestion(page, shown, longOver);
    await inSightTold(page);
    await page.clock.runFor(450);
  };

  it('F041 F042 F043 F044 F045 says who asks, which tool, reads or writes, why, the arguments, their hash and what the run spent', async () => {
    await ask(question({ spentUsdMicros: 1_230_000, waiting: 2 }));
    expect(await page.textContent('h2')).toBe('Allow books.add_to_shelf?');
    expect(await page.textContent('[data-mh=effect]')).toBe('Writes');
    expect(await page.$$eval('.mh-facts .mh-fact', (facts) => facts.map((fact) => [...fact.children].map(({ textContent }) => textContent).join(': ')))).toEqual([
      'Asked by: MCP client from outside that calls itself Claude Code', 'Why it asks: Writes ask unless you set otherwise.', 'Undo: Can be taken back afterwards', 'Spent so far: $1.23',
    ]);
    expect(await page.textContent('.mh-text')).toBe('{"book":"The Left Hand of Darkness","shelf":"To read"}');
    expect(await page.textContent('[data-mh=hash]')).toBe(HASH);
    expect(await page.textContent('[data-mh=waiting]')).toBe('2 more questions wait behind this one');
  });

  it('D14 says why a write cannot be taken back, and says nothing of undo for a read', async () => {
    await ask(question({ undo: { possible: false, reason: 'The mail is sent.' } }));
    expect(await page.textContent('.mh-facts')).toContain('Cannot be taken back. The mail is sent.');
    const { undo: _, ...read } = question({ effect: 'read' });
    await ask(read);
    expect(await page.textContent('.mh-facts')).not.toContain('taken back');
    expect(await page.textContent('[data-mh=effect]')).toBe('Reads');
  });

  it.each([['deny', 'Deny'], ['allow_once', 'Allow once'], ['allow_run', 'Allow for this run']])('F047 F048 F049 the button of %s says "%s" and answers it', async (decision, label) => {
    await ask(question());
    expect(await page.textContent(`[data-decision=${decision}]`)).toBe(label);
    await page.click(`[data-decision=${decision}]`);
    await page.click(ALLOW, { force: true });
    expect(await told(page)).toEqual([`${decision}:true`]);
  });

  it('B08 says what "Allow for this run" covers and until when', async () => {
    await ask(question());
    expect(await page.textContent('[data-mh=grant]')).toContain('"Allow for this run" lets books.add_to_shelf run without asking until the run ends (run run-7f3a).');
  });

  it('F085 advises to know the tool before it is allowed for a whole run, and says so if nothing could be taken back', async () => {
    await ask(question());
    expect(await page.textContent('[data-mh=grant]')).toMatch(/ Choose it only if you know what the tool does\.$/);
    await ask(question({ undo: { possible: false, reason: 'The mail is sent.' } }));
    expect(await page.textContent('[data-mh=grant]')).toMatch(/ Choose it only if you know what the tool does; none of it could be taken back\.$/);
  });

  it('F056 without "Allow for this run" the reason stands there', async () => {
    await ask(question({ choices: ['deny', 'allow_once'], withheld: 'Writes of MCP clients ask each time.' }));
    expect(await page.$('[data-decision=allow_run]')).toBeNull();
    expect(await page.textContent('[data-mh=grant]')).toBe('Writes of MCP clients ask each time.');
  });

  it('F060 F066 the tool\'s own words stand in front, the arguments behind "Raw arguments"', async () => {
    await ask(question({ preview: { kind: 'text', text: 'Puts the book on the shelf.' } }));
    expect(await page.isVisible('text=Puts the book on the shelf.')).toBe(true);
    expect(await page.isVisible('.mh-raw .mh-text')).toBe(false);
    await page.click('text=Raw arguments');
    expect(await page.textContent('.mh-raw .mh-text')).toBe('{"book":"The Left Hand of Darkness","shelf":"To read"}');
  });

  it('F061 what the tool says of itself stands above bare arguments, and below what would change', async () => {
    const order = (): Promise<boolean> => page.evaluate(() => {
      const [about, content] = ['.mh-description', '.mh-text, .mh-edits'].map((place) => document.querySelector(place)!);
      return (about!.compareDocumentPosition(content!) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    });
    await ask(question());
    expect(await order()).toBe(true);
    await ask(question({ preview: { kind: 'edits', edits: [{ note: 'A.md', before: 'a', after: 'b' }] } }));
    expect(await order()).toBe(false);
    expect(await page.isVisible('text=Adds a book to a shelf.')).toBe(true);
  });

  it('D14 the warning of hidden characters is read out with the question, before who asks', async () => {
    await ask(question({ description: 'a\u200bb' }));
    expect(await page.$eval('[data-mh=approval]', (dialog) => dialog.getAttribute('aria-describedby')!.split(' ').map((id) => document.getElementById(id)!.textContent.slice(0, 20)))).toEqual(['Contains 1 hidden ch', 'Asked byMCP client f']);
  });

  it('D14 says beside the time what becomes of the question without an answer', async () => {
    await ask(question());
    expect(await page.textContent('.mh-clock')).toBe('2:00then it is a no');
  });

  it.each([[1280, 860], [640, 430], [427, 287], [320, 256]])('B26 at %i × %i pixels, as with a large zoom, the content has room and every answer can be reached', async (width, height) => {
    await page.setViewportSize({ width, height });
    await ask(question({ withheld: 'Writes of MCP clients ask each time.', waiting: 3, preview: { kind: 'edits', edits: [{ note: 'A.md', before: 'old '.repeat(200), after: 'new '.repeat(200) }] } }));
    expect(await page.$eval('.mh-approval-body', (body) => body.clientHeight)).toBeGreaterThanOrEqual(140);
    expect(await page.$$eval('dialog, .mh-approval-body', (boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length)).toBe(0);
    if (height > 500) expect(await page.$eval('dialog', (dialog) => dialog.scrollHeight - dialog.clientHeight)).toBe(0);
    for (const decision of ['allow_run', 'allow_once', 'deny']) {
      await page.locator(`[data-decision=${decision}]`).scrollIntoViewIfNeeded();
      expect(await inSight(page, `[data-decision=${decision}]`)).toBe(true);
    }
  });

  it('B24 keys that come within the first moments answer nothing, and each starts them anew', async () => {
    await drawQuestion(page, question());
    await inSightTold(page);
    await page.focus(ALLOW);
    for (const wait of [0, 100, 200, 300, 300]) {
      await page.clock.runFor(wait);
      for (const key of ['Enter', ' ', 'y', 'a', '1', 'Escape']) await page.keyboard.press(key);
    }
    expect(await told(page)).toEqual([]);
    await page.clock.runFor(400);
    await page.keyboard.press('Enter');
    expect(await told(page)).toEqual(['allow_once:true']);
  });

  it('B24 the focus is on no answer, and Enter and letters answer nothing there', async () => {
    await ask(question());
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-mh'))).toBe('approval');
    for (const key of ['Enter', ' ', 'y', 'a', 'r', '1']) await page.keyboard.press(key);
    expect(await told(page)).toEqual([]);
  });

  it('B24 a key held down since before answers nothing', async () => {
    await page.keyboard.down('Enter');
    await ask(question());
    await page.focus(ALLOW);
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.press('Tab');
    expect(await told(page)).toEqual([]);
  });

  it('B24 a space bar that went down before answers nothing when it is let go', async () => {
    await page.keyboard.down('Space');
    await ask(question());
    await page.focus(ALLOW);
    await page.keyboard.up('Space');
    expect(await told(page)).toEqual([]);
  });

  it('B24 a press that began before the question was there answers nothing', async () => {
    await ask(question());
    const { x, y } = (await page.locator(ALLOW).boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await ask(question({ id: 'q-2' }));
    await page.mouse.up();
    expect(await told(page)).toEqual([]);
    await page.mouse.down();
    await page.mouse.up();
    expect(await told(page)).toEqual(['allow_once:true']);
  });

  it('B24 a press that began within the first moments and ended after them answers nothing', async () => {
    await drawQuestion(page, question());
    await page.clock.runFor(100);
    const { x, y } = (await page.locator(ALLOW).boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await page.clock.runFor(500);
    await page.mouse.up();
    expect(await told(page)).toEqual([]);
  });

  it('B24 a question that replaces another starts the first moments anew', async () => {
    await ask(question());
    await drawQuestion(page, question({ id: 'q-2' }));
    await page.clock.runFor(60);
    await page.click(ALLOW, { force: true });
    await page.clock.runFor(300);
    await page.click(ALLOW, { force: true });
    expect(await told(page)).toEqual([]);
  });

  it('B24 the click that brings the window to the front answers nothing', async () => {
    await ask(question());
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.click(ALLOW, { force: true });
    expect(await told(page)).toEqual([]);
    await page.clock.runFor(450);
    await page.click(ALLOW);
    expect(await told(page)).toEqual(['allow_once:true']);
  });

  it('B24 a click that no person made answers nothing', async () => {
    await ask(question());
    await page.evaluate((selector) => document.querySelector<HTMLElement>(selector)!.click(), ALLOW);
    expect(await told(page)).toEqual([]);
  });

  it('B25 closing is a no, once, and not within the first moments', async () => {
    await drawQuestion(page, question());
    await inSightTold(page);
    await page.clock.runFor(100);
    expect(await page.evaluate(() => window.question.dismiss())).toBe(false);
    await page.clock.runFor(450);
    expect(await page.evaluate(() => [window.question.dismiss(), window.question.dismiss()])).toEqual([true, true]);
    expect(await told(page)).toEqual(['deny:true']);
  });

  it('D14 an answer that was not taken says why, and can be given again', async () => {
    await ask(question());
    await page.click(ALLOW);
    await page.evaluate(() => window.question.failed('The host cannot be reached.'));
    expect(await page.textContent('[data-mh=status]')).toBe('The host cannot be reached.');
    await page.click(ALLOW);
    expect(await told(page)).toEqual(['allow_once:true', 'allow_once:true']);
  });

  it('F053 D14 counts down in words, says the last minute aloud, and takes no answer when the time is up', async () => {
    await drawQuestion(page, question({ remainingMs: 62_000 }));
    await page.clock.runFor(500);
    expect(await page.textContent('[data-mh=countdown]')).toBe('1:02');
    await page.clock.runFor(2_000);
    expect(await page.textContent('[data-mh=countdown]')).toBe('1:00');
    expect(await page.textContent('[aria-live=assertive]')).toBe('1 minute left to answer');
    await page.clock.runFor(60_000);
    expect(await page.textContent('[data-mh=countdown]')).toBe('Time is up');
    await page.click(ALLOW, { force: true });
    expect(await told(page)).toEqual([]);
  });

  it('B26 60 kB of 400 lines can be read to the end, and only then be allowed for the run', async () => {
    const text = JSON.stringify({ content: Array.from({ length: 400 }, (_, line) => `line ${line} ${'word '.repeat(28)}`).join('\n') });
    await ask(question({ arguments: text }));
    expect(await page.textContent('.mh-counter')).toMatch(/^6,\d{3} of 60,302 characters/);
    expect(await page.textContent('[data-mh=grant]')).toContain('read the arguments to their end');
    await page.click('[data-decision=allow_run]', { force: true });
    expect(await told(page)).toEqual([]);

    await scrollToEnd(page);
    expect(await page.textContent('.mh-text')).toBe(text);
    await page.click('[data-decision=allow_run]:not([aria-disabled])');
    expect(await told(page)).toEqual(['allow_run:true']);
  });

  it('B26 a megabyte in one line opens with its first part only, head and buttons in sight, and says so', async () => {
    const text = JSON.stringify({ data: 'x'.repeat(1_000_000) });
    await ask(question({ arguments: text }));
    expect(await page.textContent('.mh-counter')).toMatch(/^[67],\d{3} of 1,000,011 characters; scroll on for the rest$/);
    expect((await page.textContent('.mh-text'))!.length).toBeLessThan(8_100);
    expect(await Promise.all(['h2', '[data-mh=effect]', '[data-decision=deny]', ALLOW].map((place) => inSight(page, place)))).toEqual([true, true, true, true]);
    await page.click(ALLOW);
    expect(await told(page)).toEqual(['allow_once:false']);
  });

  it('B26 a megabyte can be reached to its last character', async () => {
    const text = JSON.stringify({ data: `${'x'.repeat(1_000_000)}THE END` });
    await ask(question({ arguments: text }));
    await scrollToEnd(page);
    expect(await page.evaluate(() => document.querySelector('.mh-text')!.textContent.endsWith('xTHE END"}'))).toBe(true);
  });

  it('B26 long arguments behind a preview must be opened and read as well', async () => {
    await ask(question({ preview: { kind: 'text', text: 'Harmless.' } }), 10);
    await page.evaluate(() => document.querySelector('.mh-approval-body')!.scrollTo(0, 1e6));
    await page.click('[data-decision=allow_run]', { force: true });
    expect(await told(page)).toEqual([]);
    await page.click('text=Raw arguments');
    await page.locator('.mh-hash').scrollIntoViewIfNeeded();
    await page.click('[data-decision=allow_run]:not([aria-disabled])');
    expect(await told(page)).toEqual(['allow_run:true']);
  });

  it('F061 F062 F063 F064 F065 edits stand in place of the arguments, grouped per note, struck and marked, with warnings', async () => {
    await ask(question({ preview: { kind: 'edits', summary: 'Changes the dose.', edits: [
      { note: 'Plan.md', before: 'Take 10 mg.', after: 'Take 100 mg.' }, { note: 'Log.md', before: '', after: 'Done.' }, { note: 'Plan.md', before: 'Old', after: '' },
    ] } }));
    expect(await page.$$eval('[data-mh=note]', (notes) => notes.map((note) => note.querySelector('h4')!.textContent))).toEqual(['Plan.md2 passages', 'Log.md']);
    expect(await page.$$eval('[data-mh=edit]', (edits) => edits.map(({ textContent }) => textContent))).toEqual(['Take [removed] 10[added] 100 mg.', '[removed] Old', '[added] Done.']);
    expect(await page.$$eval('del, ins', (changes) => changes.map((change) => `${change.tagName} ${getComputedStyle(change).textDecorationLine}`))).toEqual(['DEL line-through', 'INS underline', 'DEL line-through', 'INS underline']);
    expect(await page.$$eval('.mh-risk', (risks) => risks.map(({ textContent }) => textContent))).toEqual(['Changed number: 10 becomes 100']);
    expect(await page.isVisible('.mh-raw .mh-text')).toBe(false);
  });

  it('F065 all warnings can be read, the last of many too', async () => {
    const numbers = (plus: number): string => Array.from({ length: 9 }, (_, at) => `row ${at * 100 + plus}\nand so on`).join('\n');
    await ask(question({ preview: { kind: 'edits', edits: [{ note: 'A.md', before: numbers(1), after: numbers(2) }] } }));
    expect(await page.locator('.mh-risk').count()).toBe(6);
    await page.click('text=+ 3 more warnings');
    expect(await page.locator('.mh-risk').last().textContent()).toBe('Changed number: 801 becomes 802');
    expect(await page.locator('.mh-risk').count()).toBe(9);
  });

  it('F063 F064 whole lines are marked without an empty stripe, and a line break that comes or goes alone is seen', async () => {
    const changes = async (before: string, after: string): Promise<(string | null)[]> => {
      await ask(question({ preview: { kind: 'edits', edits: [{ note: 'A.md', before, after }] } }));
      return page.$$eval('del, ins', (found) => found.map(({ textContent }) => textContent));
    };
    expect(await changes('- one', '- one\n- two')).toEqual(['[added] - two']);
    expect(await page.textContent('[data-mh=edit]')).toBe('- one\n[added] - two');
    expect(await changes('- one\n- two\n- three', '- one\n- three')).toEqual(['[removed] - two']);
    expect(await changes('one\ntwo', 'onetwo')).toEqual(['[removed] one\ntwo', '[added] onetwo']);
    expect(await changes('one.\ntwo', 'one. two')).toEqual(['[removed] LINE BREAK\n', '[added]  ']);
    expect(await changes('one.\n(two)', 'one.(two)')).toEqual(['[removed] LINE BREAK\n']);
    expect(await changes('one', 'one\n\n')).toEqual(['[added] LINE BREAK ×2\n\n']);
  });

  it('F061 unchanged lines fold away and can be unfolded', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `Line ${at}`).join('\n');
    await ask(question({ preview: { kind: 'edits', edits: [{ note: 'A.md', before: `${lines}\nold`, after: `${lines}\nnew` }] } }));
    expect(await page.textContent('[data-mh=edit]')).toBe('28 unchanged lines: showLine 28\nLine 29\n[removed] old[added] new');
    await page.click('.mh-fold');
    expect(await page.textContent('[data-mh=edit]')).toBe(`${lines}\n[removed] old[added] new`);
  });
});

async function scrollToEnd(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    document.querySelector('.mh-approval-body')!.scrollTo(0, 1e9);
    return document.querySelector('.mh-counter')!.textContent.startsWith('All ');
  }, undefined, { polling: 50 });
}

function inSight(page: Page, selector: string): Promise<boolean> {
  return page.$eval(selector, (element) => {
    const { top, bottom, left } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + 3, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && hit !== null && (element.contains(hit) || hit.contains(element));
  });
}
