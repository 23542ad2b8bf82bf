/** The page's first script: puts Node and the app together, and leaves on `window.shim` what a test may do. */
import type * as nodeFs from 'node:fs';
import type { Boot } from './host/host.ts';
import { Bridge } from './node/bridge.ts';
import { teachBase64url } from './node/buffer.ts';
import { fileMakers } from './node/fs.ts';
import { makeModules, setNodeGlobals } from './node/modules.ts';
import { makeApp, type Inside } from './obsidian/app.ts';
import { clickNotification, notifications, recordNotifications, setBackground, type Notified } from './obsidian/background.ts';
import { globalHelpers } from './obsidian/dom.ts';
import { makeObsidian } from './obsidian/module.ts';

/** The number under which Node tells what concerns the vault. */
const VAULT = 0;

export interface Shim {
  readonly app: Inside;
  /** Loads the plugins that are switched on, in this order, and then has the layout ready. */
  start(enabled: readonly string[]): Promise<void>;
  setTheme(theme: 'dark' | 'light'): void;
  background(hidden: boolean): void;
  notifications(): Notified[];
  clickNotification(at: number): void;
}

declare global {
  interface Window { shim: Shim }
}

async function begin(): Promise<void> {
  const base = new URL('.', window.location.href).href;
  const boot = (await (await fetch(`${base}boot`)).json()) as Boot;
  const bridge = new Bridge(base);
  bridge.makeBy(fileMakers(bridge));
  await bridge.open();
  teachBase64url();
  const modules = makeModules(bridge, boot);
  setNodeGlobals(modules);
  recordNotifications();
  Object.assign(window, globalHelpers);
  const obsidian = makeObsidian(bridge);
  const require = (name: string): unknown => {
    if (name === 'obsidian') return obsidian;
    const found = modules.get(name.replace(/^node:/, ''));
    if (found === undefined) throw new Error(`Cannot find module '${name}': it is not in the shim.`);
    return found;
  };
  const app = makeApp(modules.get('fs') as typeof nodeFs, boot.vault, require);
  Object.assign(window, { app, require }); // as in Electron
  await app.shimVault.readAll();
  bridge.listen(VAULT, (_, args) => void follow(app, args[0] as readonly string[]));
  window.shim = {
    app,
    start: (enabled) => start(app, enabled),
    setTheme: (theme) => {
      app.windows.setTheme(theme);
      app.workspace.trigger('css-change');
    },
    background: (hidden) => setBackground(app.windows.all(), hidden),
    notifications,
    clickNotification,
  };
}

async function start(app: Inside, enabled: readonly string[]): Promise<void> {
  await app.plugins.loadManifests();
  for (const id of enabled) {
    app.plugins.enabledPlugins.add(id);
    await app.plugins.enablePlugin(id);
  }
  app.shimWorkspace.setLayoutReady();
}

/** The disk changed: the index follows, and plugins whose data others wrote are told. */
async function follow(app: Inside, paths: readonly string[]): Promise<void> {
  for (const path of paths) await app.shimVault.follow(path);
  for (const plugin of Object.values(app.plugins.plugins)) if (paths.includes(`${plugin.manifest.dir}/data.json`)) await plugin.dataMayHaveChanged();
}

void begin();
