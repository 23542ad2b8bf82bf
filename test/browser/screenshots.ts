/**
 * Pictures of everything that a person sees, at two widths, light and dark, in `build/screenshots/`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../build/screenshots', import.meta.url));

/** Opens a page in each of the four ways, lets `act` bring it to what is to be seen, and takes the picture; `fullPage`: to its end. */
export async function takeScreenshots(browser: Browser, name: string, act: (page: Page) => Promise<void>, fullPage = false): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height: width < 600 ? 844 : 860 }, colorScheme });
      await act(page);
      await page.screenshot({ path: `${folder}${name}-${width}-${colorScheme}.png`, animations: 'disabled', fullPage });
      await page.close();
    }
  }
}
