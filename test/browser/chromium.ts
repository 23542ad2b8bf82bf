/**
 * Tests in a real Chromium. Where none is installed they are left out, loudly; with `CI=true` that is a failure.
 *
 * `describe.skipIf(withoutChromium)('…', () => { const browser = useChromium(); … })`
 */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const MISSING = 'No Chromium was found, so nothing that a person sees is tested. Install one (Debian: apt-get install chromium), or set CHROMIUM to its program.';

const program = PLACES.find((place) => place !== undefined && place !== '' && existsSync(place));

/** True if tests that need a Chromium are to be left out. With `CI=true` they run, and fail. */
export const withoutChromium = program === undefined && process.env['CI'] !== 'true';

if (withoutChromium) process.stderr.write(`\nLEFT OUT: ${MISSING}\n\n`);

/** One browser for a group of tests; the function answers it while they run. */
export function useChromium(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (program === undefined) throw new Error(MISSING);
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser is there only while tests run.');
    return browser;
  };
}
