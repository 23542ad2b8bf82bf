/**
 * A copy of the example vault in a temporary folder, with a neighbour outside it that no tool may reach. Gone after the test.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { NodeVaultFiles } from '../../src/node/vault-files.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const HUB = '.obsidian/plugins/model-hub';
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export class TempVault {
  readonly #base = mkdtempSync(join(tmpdir(), 'vault-test-'));
  readonly root = join(this.#base, 'vault');
  readonly outside = join(this.#base, 'outside');
  readonly hubFolder = join(this.root, HUB);
  readonly files: NodeVaultFiles;

  constructor() {
    made.push(this.#base);
    cpSync(EXAMPLE, this.root, { recursive: true });
    mkdirSync(this.hubFolder, { recursive: true });
    mkdirSync(this.outside);
    this.files = new NodeVaultFiles(this.root, [this.hubFolder]);
  }

  /** Writes a file, by its path in the vault, or beside it with `../outside/`. */
  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Deletes a note or a folder. */
  drop(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  link(path: string, target: string): void {
    symlinkSync(target, join(this.root, path));
  }

  /** Moves a folder away and puts a link in its place. */
  swapForLink(path: string, target: string): void {
    renameSync(join(this.root, path), join(this.root, `${path} (moved)`));
    this.link(path, target);
  }
}
