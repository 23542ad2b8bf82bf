/** Modals and notices of the shim, as the app is known to show them. */
import { describe, expect, it } from 'vitest';
import { useChromium, withoutChromium } from '../../../browser/chromium.ts';
import { useTries } from '../try.ts';

const ONE = `
module.exports = class extends Plugin {
  onload() {
    this.addCommand({ id: 'ask', name: 'Ask', callback: () => this.ask('First') });
    this.addCommand({ id: 'tell', name: 'Tell', callback: () => new Notice('Soon gone', 300) });
    this.addCommand({ id: 'keep', name: 'Keep', callback: () => new Notice('Stays', 0) });
  }
  ask(title) {
    const modal = new Modal(this.app);
    modal.setTitle(title);
    modal.onOpen = () => {
      modal.contentEl.createEl('button', { text: 'Another' }).addEventListener('click', () => this.ask('Second'));
      modal.contentEl.createEl('button', { text: 'Last' });
    };
    modal.onClose = () => (window.left ??= []).push(title);
    modal.open();
  }
};`;

describe.skipIf(withoutChromium)('modals and notices of the shim', () => {
  const browser = useChromium();
  const trying = useTries(browser);

  it('Escape closes the modal on top only, and the focus goes back to where it was', async () => {
    const app = await (await trying()).openWith(ONE);
    await app.runCommand('one:ask');
    await app.page.getByRole('button', { name: 'Another' }).click();
    expect(await app.page.locator('.modal-title').allInnerTexts()).toEqual(['First', 'Second']);
    await app.page.keyboard.press('Escape');
    expect(await app.page.locator('.modal-title').allInnerTexts()).toEqual(['First']);
    expect(await app.page.evaluate(() => document.activeElement?.textContent)).toBe('Another');
    await app.page.keyboard.press('Escape');
    expect(await app.page.locator('.modal').count()).toBe(0);
    expect(await app.page.evaluate('window.left')).toEqual(['Second', 'First']);
  });

  it('Tab stays in a modal', async () => {
    const app = await (await trying()).openWith(ONE);
    await app.runCommand('one:ask');
    const focused = (): Promise<string | null | undefined> => app.page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Another');
    await app.page.keyboard.press('Tab');
    expect(await focused()).toBe('Last');
    await app.page.keyboard.press('Tab');
    expect(await focused()).toBe('Another');
    await app.page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Last');
  });

  it('a click beside a modal closes it', async () => {
    const app = await (await trying()).openWith(ONE);
    await app.runCommand('one:ask');
    await app.page.mouse.click(5, 400);
    expect(await app.page.locator('.modal').count()).toBe(0);
  });

  it('a notice goes after its time, and one with time 0 when it is clicked', async () => {
    const app = await (await trying()).openWith(ONE);
    await app.runCommand('one:tell');
    await app.runCommand('one:keep');
    expect(await app.notices()).toEqual(['Soon gone', 'Stays']);
    await app.page.waitForFunction(() => document.querySelectorAll('.notice').length === 1);
    expect(await app.notices()).toEqual(['Stays']);
    await app.page.locator('.notice').click();
    expect(await app.notices()).toEqual([]);
    expect(app.faults).toEqual([]);
  });
});
