/**
 * Where things are: the vault, the hub's own folder in it, and the state of this device outside it.
 *
 * In the hub's folder lie the settings and the log, as the plugin has them too. Outside lie the secrets (who holds the log
 * must not hold the key of its hashes) and the witness of the log's head (who can change the file must not reach it).
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, cpSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AdvisedError } from '../node/advised-error.ts';

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
  const vault = options.vault === undefined ? exampleVault() : existingVault(options.vault);
  const hubFolder = join(vault, HUB_FOLDER);
  const stateFolder = outside(vault, options.state ?? defaultState(vault, options.vault === undefined));
  makeState(stateFolder);
  try {
    mkdirSync(hubFolder, { recursive: true });
  } catch {
    // A vault that cannot be written is served all the same: reads run, writes are refused for want of a log (D24).
  }
  return { vault, vaultName: vault.split(/[\\/]/).filter(Boolean).at(-1) ?? 'vault', hubFolder, stateFolder };
}

function existingVault(given: string): string {
  const folder = resolve(given);
  // An empty word is a shell variable that was not set: taken for a path it would be the folder that one happens to be in.
  if (given === '' || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AdvisedError('There is no such vault folder.', 'Give --vault the path of a folder that holds notes, or leave it out for the example vault.');
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
  const named = process.env['XDG_STATE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(homedir(), '.local', 'state'); // the standard asks for a path that is absolute
}

/** Throws for a folder in the vault, by its real path: what lies there is synced with the notes, and in the reach of tools. */
function outside(vault: string, given: string): string {
  if (given === '') throw new AdvisedError('--state names no folder.', 'Give it a path outside the vault, or leave it out.', 2);
  const folder = resolve(given);
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  const real = join(realpathSync(there), relative(there, folder));
  const way = relative(vault, real);
  if (way.split(sep)[0] !== '..' && !isAbsolute(way)) {
    throw new AdvisedError('The state folder lies in the vault.', 'Name one outside it with --state: it holds secrets, and the vault may be synced.');
  }
  return folder;
}

function makeState(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new AdvisedError('The state folder cannot be made, or not be written.', 'Name another one with --state, or let your user write to it.');
  }
}
