/**
 * As much of Obsidian as the books plugin touches, over the real files of a temporary vault: a module for its `require`, and
 * an app. Checked against Obsidian's types, so that what is called here is called as it is declared there.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { App, Command, Plugin as RealPlugin, PluginManifest, TAbstractFile, TFile as RealFile, TFolder as RealFolder, Vault } from 'obsidian';
import type { TempVault } from './temp-vault.ts';

class TFile {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  get extension(): string {
    return extname(this.path).slice(1);
  }
  get basename(): string {
    return basename(this.path, extname(this.path));
  }
}

class TFolder {
  readonly path: string;
  readonly children: readonly (TFile | TFolder)[];
  constructor(path: string, children: readonly (TFile | TFolder)[]) {
    this.path = path;
    this.children = children;
  }
}

/** An app, and what a user would see of it. */
export class FakeApp {
  readonly notices: string[] = [];
  readonly commands = new Map<string, Command>();
  /** The suggestions on screen. */
  asking: { readonly items: readonly string[]; choose(item: string): void; close(): void } | undefined;
  active: string | undefined;
  /** True: the disk is full. */
  broken = false;
  readonly storage = new Map<string, string>();
  readonly #vault: TempVault;

  constructor(vault: TempVault) {
    this.#vault = vault;
  }

  /** What plugins get as their app. */
  readonly app = {
    vault: {
      getFileByPath: (path: string) => (this.#kind(path) === 'file' ? (new TFile(path) as unknown as RealFile) : null),
      getFolderByPath: (path: string) => (this.#kind(path) === 'folder' ? (this.#folder(path) as unknown as RealFolder) : null),
      read: async ({ path }: TAbstractFile) => this.#read(path),
      process: async ({ path }: TAbstractFile, change: (text: string) => string) => {
        const text = change(this.#read(path));
        if (this.broken) throw new Error(`ENOSPC: no space left on device, write '${path}'`);
        writeFileSync(join(this.#vault.root, path), text);
        return text;
      },
    } satisfies Partial<Vault>,
    workspace: { getActiveFile: () => (this.active === undefined ? null : (new TFile(this.active) as unknown as RealFile)) },
    loadLocalStorage: (key: string): unknown => JSON.parse(this.storage.get(key) ?? 'null'),
    saveLocalStorage: (key: string, data: unknown) => void this.storage.set(key, JSON.stringify(data)),
  };

  /** Loads a built plugin as Obsidian does: its file, evaluated with a `require` of its own. Answers the function that unloads it. */
  load(code: string, manifest: PluginManifest): () => void {
    const cleanups: (() => void)[] = [];
    const outer = { app: this.app, notices: this.notices, commands: this.commands, ask: (asking: FakeApp['asking']) => { this.asking = asking; } };
    class Plugin {
      readonly app = outer.app;
      readonly manifest = manifest;
      register(cleanup: () => void): void {
        cleanups.push(cleanup);
      }
      addCommand(command: Command): Command {
        outer.commands.set(`${manifest.id}:${command.id}`, command);
        return command;
      }
    }
    class Notice {
      readonly message: string;
      constructor(message: string) {
        this.message = message;
        outer.notices.push(message);
      }
    }
    abstract class FuzzySuggestModal {
      abstract getItems(): string[];
      abstract onChooseItem(item: string): void;
      setPlaceholder(): void {}
      onClose(): void {}
      open(): void {
        outer.ask({ items: this.getItems(), choose: (item) => { this.close(); this.onChooseItem(item); }, close: () => this.close() });
      }
      close(): void {
        outer.ask(undefined);
        this.onClose();
      }
    }
    const module: { exports: { default?: new (app: App, manifest: PluginManifest) => RealPlugin } } = { exports: {} };
    const require = (name: string): object => {
      if (name !== 'obsidian') throw new Error(`Cannot find module '${name}'`);
      return { Plugin, Notice, FuzzySuggestModal, TFile, TFolder };
    };
    (new Function('require', 'module', 'exports', code) as (...parts: unknown[]) => void)(require, module, module.exports);
    const plugin = new module.exports.default!(this.app as unknown as App, manifest);
    void plugin.onload();
    return () => {
      for (const cleanup of cleanups.splice(0).reverse()) cleanup();
      this.commands.clear();
    };
  }

  #read(path: string): string {
    return readFileSync(join(this.#vault.root, path), 'utf8');
  }

  #kind(path: string): 'file' | 'folder' | undefined {
    const found = statSync(join(this.#vault.root, path), { throwIfNoEntry: false });
    return found && (found.isDirectory() ? 'folder' : 'file');
  }

  #folder(path: string): TFolder {
    const children = readdirSync(join(this.#vault.root, path)).map((name) => `${path}/${name}`);
    return new TFolder(path, children.map((child) => (this.#kind(child) === 'file' ? new TFile(child) : new TFolder(child, []))));
  }
}
