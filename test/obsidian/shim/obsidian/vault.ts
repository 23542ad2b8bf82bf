/**
 * The vault: an index of the notes on disk, kept in step with the disk whoever writes there, and the app's own ways to change
 * them. Hidden folders, the configuration's too, are not in the index.
 */
import type * as obsidian from 'obsidian';
import { ShimEvents } from './events.ts';
import { ShimFile, ShimFolder } from './files.ts';

type Missing = 'createBinary' | 'readBinary' | 'modifyBinary' | 'appendBinary' | 'getAllFolders';

export class ShimVault extends ShimEvents implements Omit<obsidian.Vault, Missing> {
  adapter: obsidian.DataAdapter;
  configDir = '.obsidian';
  readonly #byPath = new Map<string, ShimFile | ShimFolder>();
  readonly #root: ShimFolder;

  constructor(adapter: obsidian.DataAdapter) {
    super();
    this.adapter = adapter;
    this.#root = new ShimFolder(this.#asVault(), '/', null);
    this.#byPath.set('/', this.#root);
  }

  /** Reads the index, without events. */
  async readAll(path = '/'): Promise<void> {
    const { files, folders } = await this.adapter.list(path);
    for (const file of files) await this.#look(file, false);
    for (const folder of folders) {
      if (!(await this.#look(folder, false))) continue;
      await this.readAll(folder);
    }
  }

  /** Something may have changed at this path: the index follows, and tells. */
  async follow(path: string): Promise<void> {
    await this.#look(path, true);
  }

  getName(): string { return this.adapter.getName(); }
  getRoot(): obsidian.TFolder { return this.#root; }
  getAbstractFileByPath(path: string): obsidian.TAbstractFile | null { return this.#byPath.get(path) ?? null; }
  getResourcePath(file: obsidian.TFile): string { return this.adapter.getResourcePath(file.path); }
  getAllLoadedFiles(): obsidian.TAbstractFile[] { return [...this.#byPath.values()]; }
  getFiles(): obsidian.TFile[] { return this.getAllLoadedFiles().filter((each) => each instanceof ShimFile); }
  getMarkdownFiles(): obsidian.TFile[] { return this.getFiles().filter(({ extension }) => extension === 'md'); }
  read(file: obsidian.TFile): Promise<string> { return this.adapter.read(file.path); }
  cachedRead(file: obsidian.TFile): Promise<string> { return this.read(file); }

  getFileByPath(path: string): obsidian.TFile | null {
    const found = this.#byPath.get(path);
    return found instanceof ShimFile ? found : null;
  }

  getFolderByPath(path: string): obsidian.TFolder | null {
    const found = this.#byPath.get(path);
    return found instanceof ShimFolder ? found : null;
  }

  async create(path: string, data: string, options?: obsidian.DataWriteOptions): Promise<obsidian.TFile> {
    if (await this.adapter.exists(path)) throw new Error('File already exists.');
    await this.adapter.write(path, data, options);
    return (await this.#look(path, true)) as ShimFile;
  }

  async createFolder(path: string): Promise<obsidian.TFolder> {
    if (await this.adapter.exists(path)) throw new Error('Folder already exists.');
    await this.adapter.mkdir(path);
    return (await this.#look(path, true)) as ShimFolder;
  }

  async modify(file: obsidian.TFile, data: string, options?: obsidian.DataWriteOptions): Promise<void> {
    await this.adapter.write(file.path, data, options);
    await this.#look(file.path, true);
  }

  async append(file: obsidian.TFile, data: string, options?: obsidian.DataWriteOptions): Promise<void> {
    await this.adapter.append(file.path, data, options);
    await this.#look(file.path, true);
  }

  async process(file: obsidian.TFile, change: (data: string) => string, options?: obsidian.DataWriteOptions): Promise<string> {
    const after = await this.adapter.process(file.path, change, options);
    await this.#look(file.path, true);
    return after;
  }

  async delete(file: obsidian.TAbstractFile, force = false): Promise<void> {
    await (file instanceof ShimFolder ? this.adapter.rmdir(file.path, force) : this.adapter.remove(file.path));
    await this.#look(file.path, true);
  }

  async trash(file: obsidian.TAbstractFile, system: boolean): Promise<void> {
    if (!system || !(await this.adapter.trashSystem(file.path))) await this.adapter.trashLocal(file.path);
    await this.#look(file.path, true);
  }

  async rename(file: obsidian.TAbstractFile, newPath: string): Promise<void> {
    const oldPath = file.path;
    await this.adapter.rename(oldPath, newPath);
    const parent = this.getFolderByPath(parentOf(newPath));
    this.#drop(oldPath);
    Object.assign(file, { path: newPath, name: newPath.slice(newPath.lastIndexOf('/') + 1), parent });
    this.#byPath.set(newPath, file as ShimFile | ShimFolder);
    parent?.children.push(file);
    this.trigger('rename', file, oldPath);
  }

  async copy<T extends obsidian.TAbstractFile>(file: T, newPath: string): Promise<T> {
    await this.adapter.copy(file.path, newPath);
    return (await this.#look(newPath, true)) as unknown as T;
  }

  #asVault(): obsidian.Vault {
    return this as unknown as obsidian.Vault;
  }

  /** Brings one path up to date; answers what is there now. */
  async #look(path: string, tell: boolean): Promise<ShimFile | ShimFolder | undefined> {
    if (path.split('/').some((part) => part.startsWith('.'))) return undefined;
    const stat = await this.adapter.stat(path);
    const known = this.#byPath.get(path);
    if (!stat) {
      if (known) {
        this.#drop(path);
        this.trigger('delete', known);
      }
      return undefined;
    }
    const { ctime, mtime, size } = stat;
    if (known) {
      const changed = known instanceof ShimFile && (known.stat.mtime !== mtime || known.stat.size !== size);
      if (changed) known.stat = { ctime, mtime, size };
      if (changed && tell) this.trigger('modify', known);
      return known;
    }
    const parent = this.getFolderByPath(parentOf(path));
    const made = stat.type === 'folder' ? new ShimFolder(this.#asVault(), path, parent) : new ShimFile(this.#asVault(), path, parent, { ctime, mtime, size });
    this.#byPath.set(path, made);
    parent?.children.push(made);
    if (tell) this.trigger('create', made);
    return made;
  }

  #drop(path: string): void {
    const gone = this.#byPath.get(path);
    this.#byPath.delete(path);
    const siblings = gone?.parent?.children;
    if (siblings) siblings.splice(siblings.indexOf(gone), 1);
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '/' : path.slice(0, slash);
}
