/**
 * `data.json`: the user's settings, the one file that may be synced, with no secrets in it. Read before each save, so that
 * what another window or device wrote is kept; keys that are not known here are kept as they are.
 */
import { existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { NamespaceStore, PluginPolicy, PolicySettings, SettingsStore } from '../core/ports.ts';
import type { Setting } from '../core/types.ts';
import { CommandError } from './command-error.ts';
import { objectOf, readJson, writeJson } from './json-file.ts';

export const SETTINGS_FILE = 'data.json';

export class SettingsFile implements SettingsStore {
  readonly #file: string;
  #lastGood: PolicySettings | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws at the first reading if the file is damaged: its Deny must not be lost. Later, the last good settings stay. */
  load(): PolicySettings {
    try {
      this.#lastGood = readSettings(this.#read());
    } catch {
      if (!this.#lastGood) throw new CommandError(`${SETTINGS_FILE} cannot be read as settings.`, 'Mend it, or delete it to start with every tool at its default.');
    }
    return this.#lastGood;
  }

  save(settings: PolicySettings): void {
    const plugins = Object.fromEntries([...settings.plugins].map(([id, { setting, tools }]) => [id, { setting, tools: Object.fromEntries(tools) }]));
    writeJson(this.#file, { ...this.#read(), version: 1, mcpRunGrants: settings.mcpRunGrants, plugins });
    this.#lastGood = settings;
  }

  /** True if the user wants hashes without a key (D25). */
  plainHashes(): boolean {
    return this.#read()['plainHashes'] === true;
  }

  /** Calls back when somebody else may have changed the file; answers the function that stops it. */
  watch(changed: () => void): () => void {
    if (!existsSync(dirname(this.#file))) return () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(dirname(this.#file), (_, name) => {
      if (name !== basename(this.#file)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, 50); // a save is several events
    });
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  }

  #read(): { readonly [key: string]: unknown } {
    const found = readJson(this.#file);
    if (found !== undefined && objectOf(found) !== found) throw new SyntaxError('The settings are no object.');
    return objectOf(found);
  }
}

function readSettings(found: { readonly [key: string]: unknown }): PolicySettings {
  const plugins = new Map<string, PluginPolicy>();
  for (const [id, value] of Object.entries(objectOf(found['plugins']))) {
    const { setting, tools } = objectOf(value);
    plugins.set(id, { setting: readSetting(setting), tools: new Map(Object.entries(objectOf(tools)).map(([name, tool]) => [name, readSetting(tool)])) });
  }
  return { plugins, mcpRunGrants: found['mcpRunGrants'] === true };
}

/** A word that is no setting asks: a typing error in the file must not open anything. */
function readSetting(value: unknown): Setting {
  if (value === undefined) return 'default';
  return value === 'allow' || value === 'ask' || value === 'deny' || value === 'default' ? value : 'ask';
}

export const NAMESPACES_FILE = 'namespaces.json';

/** `namespaces.json`: who owns which namespace. */
export class NamespacesFile implements NamespaceStore {
  readonly #file: string;
  readonly #notice: (text: string) => void;

  constructor(file: string, notice: (text: string) => void) {
    this.#file = file;
    this.#notice = notice;
  }

  load(): ReadonlyMap<string, string> {
    let found: unknown;
    try {
      found = readJson(this.#file);
    } catch {
      throw new CommandError(`${NAMESPACES_FILE} cannot be read.`, 'Mend it, or delete it: the plugins that load first then own their namespaces again.');
    }
    return new Map(Object.entries(objectOf(found)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }

  save(owners: ReadonlyMap<string, string>): void {
    try {
      writeJson(this.#file, { ...objectOf(readJson(this.#file)), ...Object.fromEntries(owners) });
    } catch {
      this.#notice(`${NAMESPACES_FILE} cannot be written: who owns which namespace holds only until this host ends.`);
    }
  }
}
