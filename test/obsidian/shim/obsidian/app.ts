/** The app: its parts put together, seen from inside (`Inside`) and, by plugins, as Obsidian's `App`. */
import type * as nodeFs from 'node:fs';
import type * as obsidian from 'obsidian';
import { ShimAdapter } from './adapter.ts';
import { ShimKeymap, ShimScope } from './keys.ts';
import { ShimPlugins } from './plugins.ts';
import { ShimSettingsWindow } from './settings-window.ts';
import { ShimCli, ShimCommands, ShimSecrets } from './small-parts.ts';
import { real } from './stands.ts';
import { ShimVault } from './vault.ts';
import { ShimWindows } from './windows.ts';
import { ShimWorkspace } from './workspace.ts';

type Has = 'keymap' | 'scope' | 'workspace' | 'vault' | 'fileManager' | 'lastEvent' | 'secretStorage' | 'isDarkMode' | 'loadLocalStorage' | 'saveLocalStorage';

export interface Inside extends Pick<obsidian.App, Has> {
  readonly commands: ShimCommands;
  readonly cli: ShimCli;
  readonly protocol: Map<string, obsidian.ObsidianProtocolHandler>;
  readonly setting: ShimSettingsWindow;
  readonly plugins: ShimPlugins;
  readonly windows: ShimWindows;
  readonly shimWorkspace: ShimWorkspace;
  readonly shimVault: ShimVault;
  readonly ribbonEl: HTMLElement;
  readonly statusBarEl: HTMLElement;
}

export function makeApp(fs: typeof nodeFs, vaultFolder: string, require: (name: string) => unknown): Inside {
  const keymap = new ShimKeymap();
  const windows = new ShimWindows(keymap);
  const vault = new ShimVault(new ShimAdapter(fs, vaultFolder));
  const inside = {} as { -readonly [K in keyof Inside]: Inside[K] };
  const app = inside as unknown as obsidian.App;
  const ribbonEl = document.body.createDiv('workspace-ribbon');
  const workspace = new ShimWorkspace(app, windows);
  return Object.assign(inside, {
    keymap,
    windows,
    scope: new ShimScope(),
    shimVault: vault,
    vault: real<obsidian.Vault>(vault),
    shimWorkspace: workspace,
    workspace: real<obsidian.Workspace>(workspace),
    fileManager: real<obsidian.FileManager>({ trashFile: (file) => vault.trash(file, false), renameFile: (file, path) => vault.rename(file, path) }),
    secretStorage: new ShimSecrets(),
    commands: new ShimCommands(),
    cli: new ShimCli(),
    protocol: new Map<string, obsidian.ObsidianProtocolHandler>(),
    setting: new ShimSettingsWindow(windows),
    plugins: new ShimPlugins(inside, require),
    ribbonEl,
    statusBarEl: document.body.createDiv('status-bar'),
    lastEvent: null,
    isDarkMode: () => document.body.hasClass('theme-dark'),
    loadLocalStorage: (key: string) => JSON.parse(window.localStorage.getItem(`app:${key}`) ?? 'null') as unknown,
    saveLocalStorage: (key: string, data: unknown) => {
      if (data === null) window.localStorage.removeItem(`app:${key}`);
      else window.localStorage.setItem(`app:${key}`, JSON.stringify(data));
    },
  });
}
