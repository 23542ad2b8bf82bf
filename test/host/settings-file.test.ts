/**
 * The settings in their file: what is written there by hand, by another window or by a sync while the host runs.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Settings } from '../../src/core/settings.ts';
import { SettingsFile } from '../../src/host/settings-file.ts';

let folder = '';
let file = '';
let said: string[] = [];
let stop: () => void = () => undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-test-'));
  file = join(folder, 'data.json');
  said = [];
});

afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

function open(): SettingsFile {
  return new SettingsFile(file, (text) => said.push(text));
}

const DENIED = '{"plugins":{"books":{"setting":"deny","tools":{"books.list":"ask"}}}}';

describe('data.json', () => {
  it.each(['{', '', 'null', '[]', '5', '{"plugins":5}', '{"plugins":["books"]}', '{"plugins":{"books":{"tools":["books.add"]}}}'])('D33 %j is damaged: no host starts over it, and it says what to do', (text) => {
    writeFileSync(file, text);
    const fault = { message: 'data.json cannot be read as settings.', advice: 'Mend it, or delete it to start with every tool at its default.' };
    expect(() => open().load()).toThrow(expect.objectContaining(fault) as Error);
    if (!text.startsWith('{"')) expect(() => open().plainHashes()).toThrow(expect.objectContaining(fault) as Error);
  });

  it.each([
    ['{"plugins":{"books":"deny"}}', 'deny'], ['{"plugins":{"books":{"setting":"Deny"}}}', 'deny'], ['{"plugins":{"books":{"setting":"denied"}}}', 'ask'],
    ['{"plugins":{"books":{"setting":true}}}', 'ask'], ['{"plugins":{"books":null}}', 'ask'], ['{"plugins":{"books":[]}}', 'ask'], ['{"plugins":{"__proto__":{"setting":"allow"}}}', 'default'],
  ])('B17 %s is %s for the plugin: nothing is opened by mistake', (text, setting) => {
    writeFileSync(file, text);
    const settings = new Settings(open());
    expect([settings.plugin('books').setting, settings.plugin('constructor').setting]).toEqual([setting, 'default']);
  });

  it.each(['{', '', '{"plugins":[]}', undefined])('D33 F059 becomes %j while the host runs: what was denied stays denied', (text) => {
    writeFileSync(file, DENIED);
    const settings = new Settings(open());
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    settings.reload();
    expect([settings.plugin('books').setting, settings.tool('books', 'books.list')]).toEqual(['deny', 'ask']);
  });

  it('D33 is damaged while the host runs: the user is told', async () => {
    writeFileSync(file, DENIED);
    const told = new Promise<string>((resolve) => {
      const store = new SettingsFile(file, resolve);
      const settings = new Settings(store);
      stop = store.watch(() => settings.reload());
    });
    writeFileSync(file, '{"plugins":');
    expect(await told).toBe('data.json cannot be read as settings: those from before stay in force. Mend it.');
  });

  it('D33 is damaged when the user changes a setting: it is left alone, and the user is told', () => {
    const settings = new Settings(open());
    writeFileSync(file, '{"plugins":{"books":');
    expect(() => settings.setPlugin('books', 'allow')).toThrow(expect.objectContaining({ message: 'data.json cannot be read as settings.' }) as Error);
    expect([readFileSync(file, 'utf8'), settings.plugin('books').setting, said.at(-1)]).toEqual([
      '{"plugins":{"books":', 'default', 'The setting was not changed: data.json cannot be read as settings. Mend it, or delete it to start with every tool at its default.',
    ]);
  });

  it('cannot be written: the setting is as it was, and the user is told what to do', () => {
    const settings = new Settings(open());
    rmSync(folder, { recursive: true });
    expect(() => settings.setPlugin('books', 'allow')).toThrow(expect.objectContaining({ message: 'data.json cannot be written.', advice: 'Let Model Hub write to its folder in the vault.' }) as Error);
    expect([settings.plugin('books').setting, said]).toEqual(['default', ['The setting was not changed: data.json cannot be written. Let Model Hub write to its folder in the vault.']]);
  });

  it('keeps what it does not know, and what another window wrote meanwhile', () => {
    const settings = new Settings(open());
    writeFileSync(file, '{"theirs":1,"plugins":{"__proto__":{"setting":"ask"},"films":{"setting":"deny"}}}');
    settings.setTool('books', 'books.add', 'deny');
    expect(readFileSync(file, 'utf8').replace(/\s/g, '')).toBe('{"theirs":1,"plugins":{"__proto__":{"setting":"ask","tools":{}},"films":{"setting":"deny","tools":{}},"books":{"setting":"default","tools":{"books.add":"deny"}}},"version":1,"mcpRunGrants":false}');
  });

  it.each([['is changed', false], ['comes into a folder that was not there before', true]])('F059 %s by somebody else: the host hears of it', async (_, later) => {
    if (later) rmSync(folder, { recursive: true });
    const store = open();
    const settings = new Settings(store);
    await new Promise<void>((resolve) => {
      stop = store.watch(() => {
        settings.reload();
        if (settings.plugin('books').setting !== 'deny') return;
        resolve();
      });
      if (!existsSync(folder)) mkdirSync(folder);
      writeFileSync(file, DENIED);
    });
    expect(settings.plugin('books').setting).toBe('deny');
  });

  it('F059 is changed in a folder that tells nobody, and read for another reason first: the host hears of it all the same', async () => {
    rmSync(folder, { recursive: true });
    const store = open();
    const settings = new Settings(store);
    const heard = new Promise<void>((resolve) => {
      stop = store.watch(() => {
        settings.reload();
        resolve();
      });
    });
    mkdirSync(folder);
    writeFileSync(file, DENIED);
    store.traces();
    await heard;
    expect(settings.plugin('books').setting).toBe('deny');
  });
});
