/** `FileSystemAdapter` over the real folder of the vault. */
import type * as nodeFs from 'node:fs';
import type * as obsidian from 'obsidian';

type Fs = typeof nodeFs;
type Written = obsidian.DataWriteOptions | undefined;

export class ShimAdapter implements obsidian.FileSystemAdapter {
  readonly #fs: Fs;
  readonly #base: string;
  /** Changes of one file come after one another. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** `base`: the vault's folder, as an absolute path. */
  constructor(fs: Fs, base: string) {
    this.#fs = fs;
    this.#base = base;
  }

  getName(): string { return this.#base.slice(this.#base.lastIndexOf('/') + 1); }
  getBasePath(): string { return this.#base; }
  getFullPath(path: string): string { return path === '/' || path === '' ? this.#base : `${this.#base}/${path}`; }
  getFilePath(path: string): string { return `file://${encodeURI(this.getFullPath(path))}`; }
  getResourcePath(path: string): string { return `app://shim${encodeURI(this.getFullPath(path))}`; }

  mkdir(path: string): Promise<void> {
    return this.#fs.promises.mkdir(this.getFullPath(path), { recursive: true }).then(() => undefined);
  }

  /** There is no system's trash here. */
  trashSystem(_path: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  async trashLocal(path: string): Promise<void> {
    await this.mkdir('.trash');
    await this.rename(path, `.trash/${path.slice(path.lastIndexOf('/') + 1)}`);
  }

  rmdir(path: string, recursive: boolean): Promise<void> {
    const full = this.getFullPath(path);
    return recursive ? this.#fs.promises.rm(full, { recursive: true }) : this.#fs.promises.rmdir(full);
  }

  read(path: string): Promise<string> {
    return this.#fs.promises.readFile(this.getFullPath(path), 'utf8');
  }

  async readBinary(path: string): Promise<ArrayBuffer> {
    const bytes = await this.#fs.promises.readFile(this.getFullPath(path));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  write(path: string, data: string, options?: Written): Promise<void> {
    return this.#inTurn(path, () => this.#put(path, data, options));
  }

  writeBinary(path: string, data: ArrayBuffer, options?: Written): Promise<void> {
    return this.#inTurn(path, () => this.#put(path, new Uint8Array(data), options));
  }

  append(path: string, data: string, _options?: Written): Promise<void> {
    return this.#inTurn(path, () => this.#fs.promises.appendFile(this.getFullPath(path), data));
  }

  appendBinary(path: string, data: ArrayBuffer, _options?: Written): Promise<void> {
    return this.#inTurn(path, () => this.#fs.promises.appendFile(this.getFullPath(path), new Uint8Array(data)));
  }

  process(path: string, change: (data: string) => string, options?: Written): Promise<string> {
    return this.#inTurn(path, async () => {
      const before = await this.read(path);
      const after = change(before);
      if (after !== before) await this.#put(path, after, options);
      return after;
    });
  }

  remove(path: string): Promise<void> { return this.#fs.promises.rm(this.getFullPath(path)); }
  rename(path: string, to: string): Promise<void> { return this.#fs.promises.rename(this.getFullPath(path), this.getFullPath(to)); }
  copy(path: string, to: string): Promise<void> { return this.#fs.promises.copyFile(this.getFullPath(path), this.getFullPath(to), this.#fs.constants.COPYFILE_EXCL); }

  exists(path: string, _sensitive?: boolean): Promise<boolean> {
    return this.stat(path).then((stat) => stat !== null);
  }

  async stat(path: string): Promise<obsidian.Stat | null> {
    try {
      const stat = await this.#fs.promises.stat(this.getFullPath(path));
      return { type: stat.isDirectory() ? 'folder' : 'file', ctime: Math.round(stat.ctimeMs), mtime: Math.round(stat.mtimeMs), size: stat.size };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async list(path: string): Promise<obsidian.ListedFiles> {
    const entries = await this.#fs.promises.readdir(this.getFullPath(path), { withFileTypes: true });
    const pathOf = (name: string): string => (path === '/' || path === '' ? name : `${path}/${name}`);
    const named = (folder: boolean): string[] => entries.filter((entry) => entry.isDirectory() === folder).map(({ name }) => pathOf(name));
    return { files: named(false), folders: named(true) };
  }

  async #put(path: string, data: string | Uint8Array, options: Written): Promise<void> {
    const full = this.getFullPath(path);
    await this.#fs.promises.writeFile(full, data);
    if (options?.mtime !== undefined) await this.#fs.promises.utimes(full, options.mtime / 1_000, options.mtime / 1_000);
  }

  #inTurn<T>(path: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(act, act);
    this.#turns.set(path, turn);
    return turn;
  }
}
