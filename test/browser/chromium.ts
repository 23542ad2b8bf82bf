/**
 * Tests in a real Chromium. Where none is installed they are left out, loudly; with `CI=true` that is a failure.
 *
 * `describe.skipIf(withoutChromium)('…', () => { const browser = useChromium(); … })`
 */
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { ARGUMENTS, program } from './chromium-program.ts';

const MISSING = 'No Chromium was found, so nothing that a person sees is tested. Install one (Debian: apt-get install chromium), or set CHROMIUM to its program.';

/** True if tests that need a Chromium are to be left out. With `CI=true` they run, and fail. */
export const withoutChromium = program === undefined && process.env['CI'] !== 'true';

if (withoutChromium) process.stderr.write(`\nLEFT OUT: ${MISSING}\n\n`);

/** One browser for a group of tests; the function answers it while they run. */
export function useChromium(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (program === undefined) throw new Error(MISSING);
    browser = await chromium.launch({ executablePath: program, args: ARGUMENTS });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser is there only while tests run.');
    return browser;
  };
}
