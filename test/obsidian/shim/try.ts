/** An app over a fresh vault, with plugins written in a test as the text of their `main.js`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach } from 'vitest';
import { openObsidian, type ObsidianApp, type ObsidianOptions } from '../app.ts';

/** The head of a plugin's code: what most of them need. */
export const HEAD = "const obsidian = require('obsidian');\nconst { Plugin, Modal, Notice, Setting, PluginSettingTab, SettingPage, ItemView } = obsidian;\n";

export interface Tried {
  readonly folder: string;
  readonly vault: string;
  /** Writes a plugin's files outside the vault; answers their folder. */
  plugin(id: string, code: string, more?: Readonly<Record<string, string>>): Promise<string>;
  open(options?: Partial<ObsidianOptions>): Promise<ObsidianApp>;
  /** The app with one plugin whose code is given, already loaded. */
  openWith(code: string, options?: Partial<ObsidianOptions>): Promise<ObsidianApp>;
}

/** A folder for each test; apps and folder go after it. */
export function useTries(browser: () => Browser): () => Promise<Tried> {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shim-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const vault = join(folder, 'vault');
    await mkdir(vault);
    const tried: Tried = {
      folder,
      vault,
      plugin: async (id, code, more = {}) => {
        const into = join(folder, 'built', id);
        await mkdir(into, { recursive: true });
        const manifest = { id, name: `Plugin ${id}`, version: '1.0.0', minAppVersion: '1.13.0', author: 'A', description: '', isDesktopOnly: true };
        const files = { 'main.js': HEAD + code, 'manifest.json': JSON.stringify(manifest), ...more };
        await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(into, name), text)));
        return into;
      },
      open: async (options = {}) => {
        const app = await openObsidian(browser(), { vault, ...options });
        ends.push(() => app.close());
        return app;
      },
      openWith: async (code, options) => tried.open({ plugins: [await tried.plugin('one', code)], ...options }),
    };
    return tried;
  };
}
