/**
 * Where things are: the vault, the hub's own folder in it, and the state of this device outside it.
 *
 * In the hub's folder lie the settings and the log, as the plugin has them too. Outside lie the secrets (who holds the log
 * must not hold the key of its hashes) and the witness of the log's head (who can change the file must not reach it).
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from './command-error.ts';

export interface Places {
  /** By its real path. */
  readonly vault: string;
  /** The vault's name as people see it. */
  readonly vaultName: string;
  /** The hub's own folder in the vault. */
  readonly hubFolder: string;
  /** Outside the vault, not synced. */
  readonly stateFolder: string;
}

const HUB_FOLDER = '.obsidian/plugins/model-hub';

/** The folder of the project, whether this runs bundled in `dist/` or from source. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Finds the folders and makes those that are the hub's own. Without a vault, a copy of the example vault is used, made once. */
export function findPlaces(options: { readonly vault?: string | undefined; readonly state?: string | undefined }): Places {
  const vault = options.vault === undefined ? exampleVault() : existingVault(resolve(options.vault));
  const hubFolder = join(vault, HUB_FOLDER);
  const stateFolder = options.state === undefined ? defaultState(vault, options.vault === undefined) : resolve(options.state);
  makeFolder(stateFolder, 'state');
  try {
    mkdirSync(hubFolder, { recursive: true });
  } catch {
    // A vault that cannot be written is served all the same: reads run, writes are refused for want of a log (D24).
  }
  return { vault, vaultName: vault.split(/[\\/]/).filter(Boolean).at(-1) ?? 'vault', hubFolder, stateFolder };
}

function existingVault(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandError('There is no such vault folder.', 'Give --vault the path of a folder that holds notes, or leave it out for the example vault.');
  }
  return realpathSync(folder);
}

function exampleVault(): string {
  const copy = join(packageRoot(), '.model-hub', 'Example vault');
  if (!existsSync(copy)) cpSync(join(packageRoot(), 'examples', 'vault'), copy, { recursive: true });
  return realpathSync(copy);
}

function defaultState(vault: string, example: boolean): string {
  if (example) return join(dirname(vault), 'state');
  return join(userState(), 'model-hub', createHash('sha256').update(vault).digest('hex').slice(0, 16));
}

/** The platform's place for what a program keeps for a user. */
function userState(): string {
  if (process.platform === 'win32') return process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state');
}

function makeFolder(folder: string, what: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw new CommandError(`The ${what} folder cannot be made.`, 'Name another one with --state.');
  }
}
