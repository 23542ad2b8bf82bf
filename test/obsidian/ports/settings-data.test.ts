/** The settings in the plugin's data: in force at once, written behind, and never over what somebody else wrote meanwhile. */
import { describe, expect, it } from 'vitest';
import { NO_TRACES } from '../../../otel/exporter/settings.ts';
import { Settings } from '../../../src/core/settings.ts';
import { PluginData } from '../../../src/obsidian/ports/plugin-data.ts';
import { SettingsData, type DataFile } from '../../../src/obsidian/ports/settings-data.ts';

/** A file that takes its time, as the app's does, and may be changed by others or broken. */
class MemoryData implements DataFile {
  text: string | undefined;
  writes = 0;
  isFull = false;

  constructor(data?: object | string) {
    this.text = typeof data === 'object' ? JSON.stringify(data) : data;
  }

  async read(): Promise<unknown> {
    await Promise.resolve();
    return this.text === undefined ? undefined : (JSON.parse(this.text) as unknown);
  }

  async write(data: object): Promise<void> {
    await Promise.resolve();
    if (this.isFull) throw new Error('ENOSPC');
    this.text = JSON.stringify(data);
    this.writes++;
  }

  get json(): unknown {
    return JSON.parse(this.text ?? 'null');
  }
}

async function open(file: MemoryData) {
  const notices: string[] = [];
  const data = await SettingsData.open(file, (text) => notices.push(text));
  return { data, settings: new Settings(data), notices };
}

describe('the settings of the plugin', () => {
  it('F059 are in force at once, and in the file a moment later', async () => {
    const file = new MemoryData();
    const { data, settings } = await open(file);
    settings.setTool('books', 'books.add_to_shelf', 'deny');
    expect([settings.tool('books', 'books.add_to_shelf'), file.writes]).toEqual(['deny', 0]);
    await data.written();
    expect(file.json).toEqual({ version: 1, mcpRunGrants: false, plugins: { books: { setting: 'default', tools: { 'books.add_to_shelf': 'deny' } } } });
  });

  it('obsidian 38 an edit by another device outlives an unrelated save here, and is in force', async () => {
    const file = new MemoryData({ plugins: { books: { setting: 'allow', tools: {} }, notes: { setting: 'ask', tools: {} } } });
    const { data, settings } = await open(file);
    let told = 0;
    data.onTheirs(() => told++);
    file.text = JSON.stringify({ plugins: { books: { setting: 'deny', tools: { 'books.list_shelves': 'allow' } }, notes: { setting: 'ask', tools: {} } } });
    settings.setPlugin('notes', 'allow');
    await data.written();
    expect(file.json).toMatchObject({ plugins: { books: { setting: 'deny', tools: { 'books.list_shelves': 'allow' } }, notes: { setting: 'allow' } } });
    settings.reload();
    expect([settings.plugin('books').setting, settings.tool('books', 'books.list_shelves'), told]).toEqual(['deny', 'allow', 1]);
  });

  it('F059 two changes in a row both stand, and a save of our own is no news', async () => {
    const file = new MemoryData();
    const { data, settings } = await open(file);
    let told = 0;
    data.onTheirs(() => told++);
    settings.setTool('books', 'books.one', 'allow');
    settings.setTool('books', 'books.two', 'deny');
    settings.setMcpRunGrants(true);
    data.saveTraces({ ...NO_TRACES, endpoint: 'http://localhost:4318' });
    data.savePlainHashes(true);
    expect([data.traces().endpoint, data.plainHashes()]).toEqual(['http://localhost:4318', true]);
    await data.written();
    expect(file.json).toMatchObject({ mcpRunGrants: true, plainHashes: true, traces: { endpoint: 'http://localhost:4318' }, plugins: { books: { tools: { 'books.one': 'allow', 'books.two': 'deny' } } } });
    expect([settings.tool('books', 'books.one'), settings.tool('books', 'books.two'), told]).toEqual(['allow', 'deny', 0]);
  });

  it('F059 a change that is taken back while the file is slow ends as it was left', async () => {
    const file = new MemoryData();
    const { data, settings } = await open(file);
    for (const setting of ['allow', 'deny', 'ask'] as const) settings.setPlugin('books', setting);
    await data.written();
    expect([settings.plugin('books').setting, (file.json as { plugins: { books: { setting: string } } }).plugins.books.setting]).toEqual(['ask', 'ask']);
  });

  it('F257 settings that were taken out go from the file, those of others stay', async () => {
    const file = new MemoryData({ plugins: { books: { setting: 'allow', tools: { 'books.one': 'deny' } }, notes: { setting: 'ask', tools: {} } } });
    const { data, settings } = await open(file);
    settings.forgetPlugin('books');
    await data.written();
    expect((file.json as { plugins: object }).plugins).toEqual({ notes: { setting: 'ask', tools: {} } });
  });

  it('F059 keys that are not known here stay', async () => {
    const file = new MemoryData({ version: 1, fromTheFuture: { a: 1 } });
    const { data, settings } = await open(file);
    settings.setPlugin('books', 'deny');
    await data.written();
    expect(file.json).toMatchObject({ fromTheFuture: { a: 1 } });
  });

  it.each(['{"plugins": {"books"', '[]', '{"plugins": [1]}'])('F059 a damaged file opens nothing: %s', async (text) => {
    await expect(SettingsData.open(new MemoryData(text), () => undefined)).rejects.toMatchObject({ message: 'data.json cannot be read as settings.', advice: expect.stringContaining('Mend it') as string });
  });

  it('F059 a file that is damaged later leaves the last good settings in force, and is told once', async () => {
    const file = new MemoryData({ plugins: { books: 'deny' } });
    const { data, settings, notices } = await open(file);
    file.text = '{"plugins": {';
    await data.reread();
    await data.reread();
    settings.reload();
    expect([settings.plugin('books').setting, notices.length]).toEqual(['deny', 1]);
    file.text = JSON.stringify({ plugins: { books: 'allow' } });
    await data.reread();
    settings.reload();
    expect(settings.plugin('books').setting).toBe('allow');
  });

  it('F059 what cannot be written is told, and holds all the same', async () => {
    const file = new MemoryData();
    const { data, settings, notices } = await open(file);
    file.isFull = true;
    settings.setPlugin('books', 'deny');
    await data.written();
    expect([settings.plugin('books').setting, notices]).toEqual(['deny', [expect.stringContaining('data.json cannot be written')]]);
    file.isFull = false;
    file.text = '{';
    settings.setPlugin('notes', 'deny');
    await data.written();
    expect([file.text, notices.length]).toEqual(['{', 2]);
  });

  it('obsidian 35 D32 no secret has a place in it', async () => {
    const file = new MemoryData();
    const { data } = await open(file);
    data.saveTraces({ ...NO_TRACES, headers: { authorization: 'collector-token' } });
    await data.written();
    expect(file.json).toEqual({ traces: { ...NO_TRACES, headers: { authorization: 'collector-token' } } });
  });
});

describe('data.json through the app', () => {
  const plugin = (loaded: unknown, text: string | undefined): ConstructorParameters<typeof PluginData>[0] => ({
    manifest: { dir: '.config/plugins/model-hub' },
    loadData: () => Promise.resolve(loaded),
    app: { vault: { adapter: { exists: (path: string) => Promise.resolve(path === '.config/plugins/model-hub/data.json' && text !== undefined), read: () => Promise.resolve(text) } } },
  }) as never;

  it('F059 a file that the app cannot read is not taken for a fresh start', async () => {
    await expect(new PluginData(plugin(null, '{"plugins": {"books": "deny"')).read()).rejects.toThrow(SyntaxError);
    expect(await new PluginData(plugin(null, undefined)).read()).toBeUndefined();
    expect(await new PluginData(plugin(null, ' null\n')).read()).toBeUndefined();
    expect(await new PluginData(plugin({ plugins: {} }, '{"plugins":{}}')).read()).toEqual({ plugins: {} });
  });
});

