/** `TFile` and `TFolder`: what the vault knows of the paths on disk. */
import type * as obsidian from 'obsidian';

export class ShimAbstractFile implements obsidian.TAbstractFile {
  vault: obsidian.Vault;
  path: string;
  name: string;
  parent: obsidian.TFolder | null;

  constructor(vault: obsidian.Vault, path: string, parent: obsidian.TFolder | null) {
    this.vault = vault;
    this.path = path;
    this.name = path.slice(path.lastIndexOf('/') + 1);
    this.parent = parent;
  }
}

export class ShimFile extends ShimAbstractFile implements obsidian.TFile {
  stat: obsidian.FileStats;
  basename: string;
  extension: string;

  constructor(vault: obsidian.Vault, path: string, parent: obsidian.TFolder | null, stat: obsidian.FileStats) {
    super(vault, path, parent);
    this.stat = stat;
    const dot = this.name.lastIndexOf('.');
    this.extension = dot > 0 ? this.name.slice(dot + 1) : '';
    this.basename = dot > 0 ? this.name.slice(0, dot) : this.name;
  }
}

export class ShimFolder extends ShimAbstractFile implements obsidian.TFolder {
  children: obsidian.TAbstractFile[] = [];

  isRoot(): boolean {
    return this.path === '/';
  }
}

/** As the app writes paths: `/` between, none at the ends, no two together, plain spaces, composed letters. */
export function normalizePath(path: string): string {
  const cleaned = path.replace(/[\\/]+/g, '/').replace(/^\/+|\/+$/g, '').replace(/[\u00a0\u202f]/g, ' ').normalize('NFC');
  return cleaned === '' ? '/' : cleaned;
}
