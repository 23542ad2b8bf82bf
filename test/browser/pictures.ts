/**
 * Makes the picture of README: the real host over the example vault, an agent that wants to edit a note, the page in a real
 * Chromium. `npm run pictures` writes it to `docs/`.
 */
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { HostProcess } from '../support/host-process.ts';
import { ARGUMENTS, program } from './chromium-program.ts';

const READY = '[data-decision=deny]:not([aria-disabled])';
const PICTURE = 'docs/page.png';
const LARGEST = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'model-hub-pictures-'));
const place = { vault: join(folder, 'Example vault'), state: join(folder, 'state') };
cpSync('examples/vault', place.vault, { recursive: true });
const host = await HostProcess.start(place);
const browser = await chromium.launch({ ...(program === undefined ? {} : { executablePath: program }), args: ARGUMENTS });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, colorScheme: 'light', locale: 'en-GB' });
  await page.goto(`${host.url}/login?key=${host.key}`);
  await page.waitForSelector('[data-state=connected]');

  const agent = await host.client();
  const call = (name: string, input: Record<string, unknown>): Promise<unknown> => agent.callTool({ name, arguments: input });
  await call('books_list_shelves', {});
  const added = call('books_add_to_shelf', { shelf: 'To read', book: 'The Summer Book' });
  await page.click('[data-decision=allow_once]:not([aria-disabled])');
  await added;
  await page.click('#notices >> role=button[name="Close"]');
  const edited = call('vault_edit_note', {
    note: 'Projects/Reading group.md',
    edits: [
      { find: '| 2027-01-07 | [[Reading/Emma\\|Emma]] | Ada |', replace: '| 2027-01-14 | [[Reading/Persuasion\\|Persuasion]] | Ada |' },
      { find: '- Room: 15.00 for each evening, paid in advance until March (45.00)', replace: '- Room: 25.00 for each evening, paid in advance until March (75.00)' },
      { find: '- [ ] Find two more copies of *Emma*', replace: '- [ ] Find four copies of *Persuasion*' },
    ],
  });
  await page.waitForSelector(READY);
  await page.screenshot({ path: PICTURE, animations: 'disabled' });
  await page.click(READY);
  await edited;
  await agent.close();
} finally {
  await browser.close();
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
const { size } = statSync(PICTURE);
if (size > LARGEST) throw new Error(`${PICTURE} has ${size} bytes; it is to have at most ${LARGEST}.`);
process.stdout.write(`${PICTURE}, ${size} bytes\n`);
