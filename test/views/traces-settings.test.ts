/** The settings of traces as they are drawn: what is said, what is sent to whoever keeps them, and that nothing typed is lost. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestResult, TraceFaults, TracesData } from '../../views/traces-settings.ts';
import { useChromium, withoutChromium } from '../browser/chromium.ts';
import { openStage, told } from '../browser/stage.ts';

const OFF: TracesData = {
  settings: { send: false, endpoint: '', headers: {}, sampleRate: 1, serviceName: 'model-hub', traceUrl: '' },
  secrets: [], state: { on: false, delivered: 0, rejected: 0 },
  examples: { endpoint: 'http://localhost:4318', traceUrls: [{ name: 'Jaeger', template: 'http://jaeger.example/{trace}?uiFind={span}' }, { name: 'Grafana', template: 'http://grafana.example/{trace}' }] },
};
const ON: TracesData = {
  ...OFF,
  settings: { send: true, endpoint: 'https://collector.example', headers: { authorization: 'token' }, sampleRate: 0.25, serviceName: 'vault', traceUrl: '' },
  secrets: [{ name: 'token', origin: 'https://collector.example' }], state: { on: true, delivered: 12, rejected: 0 },
};
const TESTED: TestResult = {
  url: 'https://collector.example/v1/traces', headers: ['authorization', 'content-type'], body: `{"resourceSpans":[{"name":"tool_call test.span${'.'.repeat(9_000)}"}]}`,
  arrived: true, sentence: 'The collector took the test span.', trace: 'ab'.repeat(16), traceUrl: `http://jaeger.example/${'ab'.repeat(16)}`,
};

describe.skipIf(withoutChromium)('the settings of traces', () => {
  const browser = useChromium();
  let page: Page;
  beforeEach(async () => {
    page = await openStage(browser(), { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterEach(() => page.close());

  interface Answers { readonly faults?: TraceFaults; readonly tested?: TestResult; readonly refusal?: string }
  /** Draws them; what is answered to each request is said by `answers`. */
  const draw = (data: TracesData, answers: Answers = {}): Promise<void> => page.evaluate(([shown, { faults = {}, tested, refusal }]) => {
    const say = (what: string, value: unknown): void => void window.told.push(`${what} ${JSON.stringify(value)}`);
    const or = <T>(value: T): Promise<T> => (refusal === undefined ? Promise.resolve(value) : Promise.reject(new Error(refusal)));
    window.traces = window.views.drawTraces(document.querySelector('#plain')!, shown, {
      check: () => Promise.resolve(faults),
      save: (settings) => (say('save', settings), or(settings)),
      test: (settings) => (say('test', settings), or(tested!)),
      setSecret: (...secret) => (say('secret', secret), Promise.resolve()),
      deleteSecret: (name) => (say('forget', name), Promise.resolve()),
    });
  }, [data, answers] as const);
  const update = (data: TracesData): Promise<void> => page.evaluate((shown) => window.traces.update(shown), data);
  const field = (label: string): ReturnType<Page['getByLabel']> => page.getByLabel(label, { exact: true });
  const button = (name: string): ReturnType<Page['getByRole']> => page.getByRole('button', { name, exact: true });
  const state = (): Promise<string | null> => page.textContent('[data-mh=traces-state]');
  const status = (): Promise<string | null> => page.textContent('.mh-form-status');
  const saved = async (): Promise<unknown> => {
    const words = (await told(page)).find((each) => each.startsWith('save '));
    return words === undefined ? undefined : (JSON.parse(words.slice(5)) as unknown);
  };

  it('D31 F140 D32 it is off to begin with, shows an address as an example only, and says what is sent and what never is', async () => {
    await draw(OFF);
    expect(await state()).toBe('Off. Nothing is sent.');
    expect(await page.getByRole('switch', { name: 'Send traces' }).isChecked()).toBe(false);
    expect([await field('Endpoint').inputValue(), await field('Endpoint').getAttribute('placeholder')]).toEqual(['', 'http://localhost:4318']);
    expect(await page.textContent('#plain')).toContain('never arguments, results, messages or undo handles');
    expect(await told(page)).toEqual([]);
  });

  it.each<[string, TracesData['state'], string, string]>([
    ['on, and nothing to send yet', { on: true, delivered: 0, rejected: 0 }, 'On. The collector has not been sent anything yet.', ''],
    ['on', { on: true, delivered: 1, rejected: 0 }, 'On. The collector has taken 1 span.', ''],
    ['on, with spans thrown away', { on: true, delivered: 1_200, rejected: 3 }, 'On. The collector has taken 1,200 spans. It has thrown away 3; the log has all of them.', ''],
    ['not arriving', { on: true, delivered: 2, rejected: 0, problem: 'Traces do not arrive: nothing answers.' }, 'On. The collector has taken 2 spans.', 'Traces do not arrive: nothing answers.'],
    ['on with a fault', { on: false, delivered: 0, rejected: 0, problem: 'There is no endpoint.' }, 'On, but nothing is sent.', 'There is no endpoint.'],
  ])('F140 says how sending stands: %s', async (_, now, sentence, problem) => {
    await draw({ ...ON, state: now });
    expect([await state(), await page.textContent('[data-mh=traces-state] + [role=status]')]).toEqual([sentence, problem]);
  });

  it('F140 D32 Save hands over what is typed: switch, endpoint, headers, share, name and address', async () => {
    await draw(OFF);
    await page.getByRole('switch', { name: 'Send traces' }).check();
    await field('Endpoint').fill('  https://collector.example ');
    await button('Add a header').click();
    expect(await page.evaluate(() => document.activeElement?.closest('label')?.textContent)).toBe('Header');
    await page.keyboard.type('authorization');
    await page.keyboard.press('Tab');
    await page.keyboard.type('token');
    await button('Add a header').click(); // and left empty: that is none
    await field('Share sent, in percent').fill('12.5');
    await field('Service name').fill('vault');
    await button('Jaeger').click();
    expect(await page.textContent('.mh-unsaved')).toBe('Not saved yet.');
    await field('Endpoint').press('Enter');
    await page.waitForSelector('text=Saved, and in force.');
    expect(await saved()).toEqual({ send: true, endpoint: 'https://collector.example', headers: { authorization: 'token' }, sampleRate: 0.125, serviceName: 'vault', traceUrl: 'http://jaeger.example/{trace}?uiFind={span}' });
    expect(await page.textContent('.mh-unsaved')).toBe('');
    expect(await button('Discard changes').isVisible()).toBe(false);
  });

  it('D32 what is wrong stands beside its field, in the sentence that was given, and is read out with it', async () => {
    await draw(ON, { faults: { endpoint: 'The endpoint is no address.', headers: 'There is no secret called token.', traceUrl: 'It must hold {trace}.' } });
    await page.waitForSelector('text=The endpoint is no address.');
    const of = (label: string): Promise<string> => field(label).evaluate((input) => `${input.getAttribute('aria-invalid')} ${input.getAttribute('aria-describedby')!.split(' ').map((id) => document.getElementById(id)!.textContent).at(-1)}`);
    expect([await of('Endpoint'), await of('Address of a trace')]).toEqual(['true The endpoint is no address.', 'true It must hold {trace}.']);
    expect(await page.textContent('fieldset > .mh-fault')).toBe('There is no secret called token.');
  });

  it('D32 a refused save says why, and what is typed stays', async () => {
    await draw(OFF, { refusal: 'Port 4317 is for OTLP over gRPC.' });
    await field('Endpoint').fill('http://localhost:4317');
    await button('Save').click();
    await page.waitForSelector('.mh-form-status >> text=Port 4317 is for OTLP over gRPC.');
    expect([await field('Endpoint').inputValue(), await page.textContent('.mh-unsaved')]).toEqual(['http://localhost:4317', 'Not saved yet.']);
  });

  it.each(['', '-1', '101'])('a share of "%s" percent is not handed over', async (typed) => {
    await draw(ON);
    await field('Share sent, in percent').fill(typed);
    await button('Save').click();
    expect([await status(), await page.isVisible('text=The share is a number from 0 to 100.'), await told(page)]).toEqual(['Something above is not right yet.', true, []]);
  });

  it('what is wrong is not shown while a button is pressed: it would move the button away from under the pointer', async () => {
    await draw(OFF);
    const { x, y } = (await button('Save').boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await field('Share sent, in percent').evaluate((input: HTMLInputElement) => {
      input.value = '101';
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect((await button('Save').boundingBox())!.y).toBe(y);
    await page.mouse.up();
    await page.waitForSelector('text=The share is a number from 0 to 100.');
    expect(await status()).toBe('Something above is not right yet.');
  });

  it('a header that stands there twice is not handed over', async () => {
    await draw(ON);
    await button('Add a header').click();
    await page.keyboard.type('Authorization');
    await button('Save').click();
    expect([await page.textContent('fieldset > .mh-fault'), await told(page)]).toEqual(['The header authorization stands there twice. Remove one.', []]);
  });

  it('nothing typed is lost when what comes in is shown; the state is; and Discard shows what is in force', async () => {
    await draw(ON);
    await field('Endpoint').fill('https://other.exam');
    await field('Value of the secret').fill('Bearer abc');
    await field('Endpoint').focus();
    await update({ ...ON, settings: { ...ON.settings, serviceName: 'elsewhere' }, state: { on: true, delivered: 13, rejected: 0 } });
    expect(await state()).toContain('13 spans');
    expect([await field('Endpoint').inputValue(), await field('Value of the secret').inputValue(), await field('Service name').inputValue()]).toEqual(['https://other.exam', 'Bearer abc', 'vault']);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('https://other.exam');
    expect(await page.textContent('.mh-unsaved')).toContain('changed elsewhere meanwhile');
    await button('Discard changes').click();
    expect([await field('Endpoint').inputValue(), await field('Value of the secret').inputValue(), await field('Service name').inputValue()]).toEqual(['https://collector.example', '', 'elsewhere']);
  });

  it('F030 settings that were changed elsewhere are shown where nobody types', async () => {
    await draw(OFF);
    await update(ON);
    expect([await field('Endpoint').inputValue(), await field('Header').inputValue(), await field('Share sent, in percent').inputValue()]).toEqual(['https://collector.example', 'authorization', '25']);
    expect(await button('Discard changes').isVisible()).toBe(false);
  });

  it('a header says whether its secret is set, and for whom', async () => {
    await draw(ON);
    const secret = (): Promise<string | null> => page.textContent('[data-mh=secret]');
    expect(await secret()).toBe('A value is set, for https://collector.example.');
    await field('Endpoint').fill('https://other.example');
    expect(await secret()).toBe('A value is set, but for https://collector.example: it goes nowhere else.');
    await field('Name of the secret').fill('another');
    expect([await secret(), await button('Forget value').isVisible()]).toEqual(['No value is set.', false]);
  });

  it('D32 a secret goes out once, for the endpoint that is typed, and is gone from the field; it can be forgotten', async () => {
    await draw(ON);
    expect(await field('Value of the secret').getAttribute('type')).toBe('password');
    await field('Value of the secret').fill('Bearer abc');
    await button('Set value').click();
    await expect.poll(() => field('Value of the secret').inputValue()).toBe('');
    await button('Forget value').click();
    expect(await told(page)).toEqual(['secret ["token","Bearer abc","https://collector.example"]', 'forget "token"']);
    await field('Value of the secret').fill('Bearer def');
    await button('Save').click();
    await page.waitForSelector('text=Saved, and in force.');
    expect((await told(page)).map((each) => each.split(' ')[0])).toEqual(['secret', 'save']);
    expect(await page.evaluate(() => document.body.innerHTML.includes('Bearer') || [...document.querySelectorAll('input')].some(({ value }) => value.includes('Bearer')))).toBe(false);
  });

  it('a header that is removed is gone with the next save, and the keyboard goes on behind it', async () => {
    await draw(ON);
    await button('Remove header').click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add a header');
    await button('Save').click();
    expect(await saved()).toMatchObject({ headers: {} });
  });

  it('D31 a test span shows what was sent, to the last character and to be copied, and what the collector said', async () => {
    await draw(ON, { tested: TESTED });
    await field('Service name').fill('not saved');
    await button('Send a test span').click();
    await page.waitForSelector('.mh-sent-body .mh-json-key');
    expect(await status()).toBe('The collector took the test span.');
    expect((await told(page))[0]).toContain('"serviceName":"not saved"');
    expect(await page.$$eval('.mh-sent dd', (facts) => facts.map(({ textContent }) => textContent))).toEqual([
      'POST https://collector.example/v1/traces', 'authorization, content-type (names only)', `${TESTED.trace} (opens in a new tab)`,
    ]);
    expect(await page.getAttribute('.mh-sent a', 'href')).toBe(TESTED.traceUrl);
    await button('Copy body').click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(TESTED.body);
    await page.$eval('.mh-sent-body', (box) => box.scrollTo(0, box.scrollHeight));
    await expect.poll(() => page.textContent('.mh-sent-body .mh-text')).toBe(TESTED.body);
  });

  it('a test span that was refused says so, and links to no trace', async () => {
    await draw(ON, { tested: { ...TESTED, arrived: false, sentence: 'The collector refused the test span (status 401).' } });
    await button('Send a test span').click();
    await page.waitForSelector('.mh-form-status.mh-tone-bad >> text=The collector refused the test span (status 401).');
    expect(await page.$('.mh-sent a')).toBeNull();
  });

  it('each field and button has a name, and a keyboard reaches them all', async () => {
    await draw(ON);
    const names: string[] = [];
    for (let at = 0; at < 30; at++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const active = document.activeElement!;
        return active === document.body ? '' : (active.closest('label') ?? active).textContent;
      });
      if (name === '') break;
      names.push(name);
    }
    expect(names).toEqual([
      'Send traces', 'Endpoint', 'Header', 'Name of the secret', 'Value of the secret', 'Set value', 'Forget value', 'Remove header', 'Add a header',
      'Share sent, in percent', 'Service name', 'Address of a trace', 'Jaeger', 'Grafana', 'Save', 'Send a test span',
    ]);
  });
});
