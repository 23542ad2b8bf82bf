/** A bare page with the views and the styles, for drawing one view. */
import type { Browser, Page } from 'playwright-core';
import type { Question } from '../../src/core/questions.ts';
import { pageTexts, viewsScript } from './assets.ts';

/** A secure context that no server answers for: the clipboard works there. */
const ORIGIN = 'http://localhost:1';

let texts: Promise<readonly [string, string]> | undefined;

export async function openStage(browser: Browser, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  texts ??= Promise.all([viewsScript(), pageTexts().then(({ css }) => css)]);
  const [script, css] = await texts;
  const page = await browser.newPage({ viewport: { width: 900, height: 800 }, ...options });
  await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><html lang="en"><body><dialog id="stage" class="page-dialog"></dialog><main id="plain"></main></body></html>' }));
  await page.goto(`${ORIGIN}/`);
  await page.addStyleTag({ content: css });
  await page.addScriptTag({ content: script });
  return page;
}

/** Draws a question as a dialog, in place of the one before; what is answered is told as `decision:shownWhole`. */
export async function drawQuestion(page: Page, question: Question, longOver = 20_000): Promise<void> {
  await page.evaluate(([shown, long]) => {
    const dialog = document.querySelector<HTMLDialogElement>('#stage')!;
    if (!dialog.open) dialog.showModal();
    window.question?.stop();
    window.question = window.views.drawApproval(dialog, shown, { longOver: long, onAnswer: (decision, shownWhole) => window.told.push(`${decision}:${shownWhole}`) });
  }, [question, longOver] as const);
}

/**
 * Waits until the views have heard what of them is in sight. The browser tells so in a frame, which comes late on a loaded
 * machine; it tells those who watch in the order in which they began, so that the last one hears it last.
 */
export function inSightTold(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((resolve) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body);
  }));
}

/** What the views under test told their caller, since it was last asked. */
export function told(page: Page): Promise<string[]> {
  return page.evaluate(() => window.told.splice(0));
}
