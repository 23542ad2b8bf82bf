/** The terminal as a device: what it prints, and which key answers when. */
import { describe, expect, it } from 'vitest';
import { TerminalDevice, type Terminal } from '../../src/host/terminal/terminal-device.ts';
import spoofing from '../cases/spoofing.json' with { type: 'json' };
import { startRig } from '../fakes/rig.ts';

class FakeTerminal implements Terminal {
  text = '';
  #keys: (key: string) => void = () => undefined;
  write(text: string): void {
    this.text += text;
  }
  onKey(callback: (key: string) => void): () => void {
    this.#keys = callback;
    return () => { this.#keys = () => undefined; };
  }
  press(key: string): void {
    this.#keys(key);
  }
}

function asking(input: string, more: { readonly run?: boolean } = {}) {
  const rig = startRig();
  const terminal = new FakeTerminal();
  new TerminalDevice(rig.hub.approvals, terminal, () => rig.clock.monotonic()).start();
  rig.tool('books.add', { effect: 'write', description: input, input: { type: 'object', properties: { book: { type: 'string' } } }, handler: () => Promise.resolve('done') });
  const run = more.run ? rig.hub.openRun('books', { kind: 'plugin', name: 'books' }).id : undefined;
  const calling = rig.call('books.add', { book: input }, run === undefined ? {} : { run }).catch((error: unknown) => error);
  return { rig, terminal, calling };
}

describe('the terminal', () => {
  it('F041 F042 F043 F044 shows who asks, the tool, read or write, the arguments, and how to answer', async () => {
    const { rig, terminal } = asking('Emma', { run: true });
    await rig.settle();
    expect(terminal.text).toBe([
      '', '? books (plugin) wants to write with books.add of Books', '  {"book":"Emma"}', '  Writes ask unless you set otherwise. It cannot be undone: The plugin offers no undo for it.',
      '  a allow once · r allow for this run · d deny · 120 s', '',
    ].join('\n'));
  });

  it.each([['a', { result: 'done' }], ['d', { code: 'tool-denied' }]])('F047 F048 the key %s answers', async (key, outcome) => {
    const { rig, terminal, calling } = asking('Emma');
    await rig.settle();
    await rig.clock.advance(350);
    terminal.press(key);
    expect(await calling).toMatchObject(outcome);
  });

  it('D14 B24 keys that were pressed before the question, or in its first 350 ms, answer nothing; nor do Enter, Space and others', async () => {
    const { rig, terminal } = asking('Emma');
    terminal.press('a');
    await rig.settle();
    await rig.clock.advance(349);
    terminal.press('a');
    await rig.clock.advance(350);
    for (const key of ['\r', ' ', 'y', '1', '\u001b']) terminal.press(key);
    expect(rig.hub.approvals.length).toBe(1);
  });

  it('B24 a key that is held down answers nothing, however long; let go and pressed again, it does', async () => {
    const { rig, terminal, calling } = asking('Emma');
    await rig.settle();
    for (let repeats = 0; repeats < 100; repeats++) {
      terminal.press('a');
      await rig.clock.advance(30);
    }
    expect(rig.hub.approvals.length).toBe(1);
    await rig.clock.advance(350);
    terminal.press('a');
    expect(await calling).toMatchObject({ result: 'done' });
  });

  it('B26 long arguments are allowed when they were printed to their end, and denied at any time', async () => {
    const book = `${'x'.repeat(1_990)}\u{1f4d6}${'y'.repeat(3_000)}`; // the pair stands across the first cut
    const { rig, terminal, calling } = asking(book);
    await rig.settle();
    await rig.clock.advance(350);
    terminal.press('a');
    expect(terminal.text).toMatch(/3004 characters more: m shows them[^]*3004 characters have not been shown yet/);
    terminal.press('m');
    terminal.press('a');
    expect([rig.hub.approvals.length, terminal.text.includes('1004 characters have not been shown yet')]).toEqual([1, true]);
    terminal.press('m');
    terminal.press('m');
    expect([...terminal.text].filter((character) => character === 'y' || character === '\u{1f4d6}').length).toBeGreaterThanOrEqual(3_001);
    terminal.press('a');
    expect(await calling).toMatchObject({ result: 'done' });

    const other = asking(book);
    await other.rig.settle();
    await other.rig.clock.advance(350);
    other.terminal.press('d');
    expect(await other.calling).toMatchObject({ code: 'tool-denied' });
  });

  it('F056 r says why it is not offered where it is not, and leaves the question open', async () => {
    const { rig, terminal } = asking('Emma');
    await rig.settle();
    await rig.clock.advance(350);
    terminal.press('r');
    expect(terminal.text).toContain('The run is this one call.');
    expect(rig.hub.approvals.length).toBe(1);
  });

  it.each(spoofing.inputs.map((input) => [input]))('B27 spoofing.json %j steers nothing: no control, invisible or direction character reaches the terminal', async (input) => {
    const { rig, terminal } = asking(input);
    await rig.settle();
    const hidden = [...terminal.text].filter((character) => character !== '\n' && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character));
    expect(hidden).toEqual([]);
  });
});
