/**
 * The notes of a vault folder. Every path is judged by where it really leads, at every call, and what is read or written is
 * reached through the very folder that was judged: a folder swapped for a link in between leads nowhere.
 *
 * Where the system has /proc (Linux), the folder is held open and everything goes through that handle. Elsewhere the
 * folder's real path is looked at a second time just before the note is replaced, which leaves a swap a few microseconds.
 */
import { accessSync, closeSync, constants, existsSync, fchmodSync, fchownSync, fstatSync, fsyncSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { folderPathFault, notePathFault, segmentFault } from '../tools/note-path.ts';
import type { VaultFiles } from '../tools/vault-files.ts';

const NOTE_LIMIT_BYTES = 10_000_000;
const HANDLES = '/proc/self/fd';
const OUTSIDE = 'The path leads out of the vault.';
const OWN = 'That is Model Hub\'s own folder. No tool may touch it.';
const LINK = 'The path is a link, not a note. Use the path of the note itself.';
const NO_FILE = 'The path is not a note.';
const TOO_LARGE = `The note is over ${NOTE_LIMIT_BYTES / 1_000_000} MB, too large for tools.`;
const READ_ONLY = 'The note is read-only. Make it writable first, if it is to be changed.';
const TEMPORARY = /^\.model-hub-[0-9a-f]{16}\.tmp$/;
/** A write takes a moment: what is older was left by a crash. */
const LEFT_BEHIND_MS = 3600_000;
const NOWHERE = 'A step of the path is not a folder that can be entered.';

/** Where a path leads: the real folder, and the name in it. */
interface Place {
  readonly folder: string;
  readonly name: string;
}

export class NodeVaultFiles implements VaultFiles {
  readonly #root: string;
  readonly #own: readonly string[];

  /** `own`: folders that no tool may touch, besides the hidden ones. */
  constructor(root: string, own: readonly string[] = []) {
    this.#root = realpathSync(root);
    this.#own = own.map((folder) => realPathOf(folder) ?? resolve(folder));
  }

  async objection(note: string): Promise<string | undefined> {
    const place = this.#place(note);
    return typeof place === 'string' ? place : undefined;
  }

  async list(folder: string): Promise<readonly string[]> {
    const fault = folderPathFault(folder);
    if (fault) throw new Error(fault);
    const real = realPathOf(join(this.#root, folder));
    const objection = real === undefined ? NOWHERE : this.#folderFault(real);
    if (real === undefined || objection) throw new Error(objection);
    if (!existsSync(real)) return [];
    return this.#inside(real, (base) =>
      readdirSync(base, { withFileTypes: true })
        .filter((entry) => entry.isFile() && notePathFault(entry.name) === undefined)
        .map(({ name }) => `${folder}/${name}`)
        .sort());
  }

  async read(note: string): Promise<string | undefined> {
    const { folder, name } = this.#placeOrThrow(note);
    return existsSync(folder) ? this.#inside(folder, (base) => readNote(join(base, name))?.text) : undefined;
  }

  async write(note: string, before: string, after: string): Promise<boolean> {
    const { folder, name } = this.#placeOrThrow(note);
    if (!existsSync(folder)) return false;
    return this.#inside(folder, (base) => {
      const path = join(base, name);
      const found = readNote(path);
      if (found?.text !== before) return false;
      // What could not be read again could not be taken back.
      if (Buffer.byteLength(after) > NOTE_LIMIT_BYTES) throw new Error(TOO_LARGE);
      if (isReadOnly(path, found)) throw new Error(READ_ONLY);
      sweep(base);
      const temporary = join(base, `.model-hub-${randomBytes(8).toString('hex')}.tmp`); // hidden: Obsidian does not take it for a note
      try {
        writeLike(temporary, after, found);
        if (!base.startsWith(HANDLES)) this.#throwIfMoved(folder);
        // Bringing the new text to the disk can take long, and somebody may have saved the note meanwhile.
        if (readNote(path)?.text !== before) {
          rmSync(temporary, { force: true });
          return false;
        }
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
      return true;
    });
  }

  #placeOrThrow(note: string): Place {
    const place = this.#place(note);
    if (typeof place === 'string') throw new Error(place);
    return place;
  }

  /** Where the path leads, or why it may not be used. */
  #place(note: string): Place | string {
    const fault = notePathFault(note);
    if (fault) return fault;
    const path = join(this.#root, note);
    const folder = realPathOf(dirname(path));
    if (folder === undefined) return NOWHERE;
    const name = basename(path);
    return this.#folderFault(folder) ?? fileFault(join(folder, name)) ?? { folder, name };
  }

  /** Why nothing in this folder may be touched, given its real path. */
  #folderFault(real: string): string | undefined {
    if (this.#own.some((own) => isWithin(own, real))) return OWN;
    if (real === this.#root) return undefined;
    if (!isWithin(this.#root, real)) return OUTSIDE;
    for (const step of relative(this.#root, real).split(sep)) {
      const fault = segmentFault(step);
      if (fault) return fault;
    }
    return undefined;
  }

  /** Runs `work` with a path of the folder that stays the folder, whatever is done to its name meanwhile. */
  #inside<T>(folder: string, work: (base: string) => T): T {
    if (!existsSync(HANDLES)) {
      this.#throwIfMoved(folder);
      return readable(() => work(folder));
    }
    const handle = readable(() => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    try {
      const base = join(HANDLES, String(handle));
      const fault = this.#folderFault(readlinkSync(base)); // where the handle is, which is not always where the path was
      if (fault) throw new Error(fault);
      return readable(() => work(base));
    } finally {
      closeSync(handle);
    }
  }

  #throwIfMoved(folder: string): void {
    if (realPathOf(folder) !== folder) throw new Error(OUTSIDE);
  }
}

/**
 * The real path of what exists of it, and the rest as it is: a folder that is not there yet is where it would be made.
 * `undefined` if a step is a file, a link to nothing, or closed to us.
 */
function realPathOf(path: string): string | undefined {
  const rest: string[] = [];
  for (let step = resolve(path); ; step = dirname(step)) {
    try {
      return join(realpathSync.native(step), ...rest);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || dirname(step) === step || isThere(step)) return undefined;
      rest.unshift(basename(step));
    }
  }
}

/** Something of this name is there, be it a link whose target is missing. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function fileFault(path: string): string | undefined {
  let stat;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return NO_FILE; // a note on the way where a folder should be
  }
  if (!stat || stat.isFile()) return undefined;
  return stat.isSymbolicLink() ? LINK : NO_FILE;
}

interface Note {
  readonly text: string;
  readonly mode: number;
  readonly owner: readonly [uid: number, gid: number];
}

/** `undefined` if there is none. Does not follow a link, and does not wait for a pipe. */
function readNote(path: string): Note | undefined {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw codeOf(error) === 'ELOOP' ? new Error(LINK) : error;
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error(NO_FILE);
    if (stat.size > NOTE_LIMIT_BYTES) throw new Error(TOO_LARGE);
    return { text: decode(readFileSync(handle)), mode: stat.mode & 0o7777, owner: [stat.uid, stat.gid] };
  } finally {
    closeSync(handle);
  }
}

/** A note takes its new text by another's taking its place, which asks the folder's leave and not its own. */
function isReadOnly(path: string, { mode }: Note): boolean {
  if ((mode & 0o222) === 0) return true; // also to those whom the system lets write everything
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Byte for byte: a byte order mark stays, and what is not UTF-8 is refused rather than mended. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('The note is not UTF-8 text, so tools leave it alone.');
  }
}

/** Takes away what a crash in the middle of a write left in this folder. */
function sweep(base: string): void {
  for (const name of readdirSync(base).filter((each) => TEMPORARY.test(each))) {
    const path = join(base, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && Date.now() - stat.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true });
  }
}

/** A new file with the mode, and if possible the owner, of the note whose place it will take; on the disk when it returns. */
function writeLike(path: string, text: string, { mode, owner }: Note): void {
  const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    writeFileSync(handle, text);
    const { uid, gid } = fstatSync(handle);
    if (uid !== owner[0] || gid !== owner[1]) takeOwner(handle, owner);
    fchmodSync(handle, mode);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function takeOwner(handle: number, [uid, gid]: Note['owner']): void {
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Only the system's administrator may give files away; the note is then the writer's own.
  }
}

/** The file system's errors name absolute paths, and errors are logged: only their code goes on. */
function readable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : new Error(`The vault's files could not be read or written (${code}).`);
  }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
