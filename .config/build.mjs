/**
 * Builds `dist/`: `model-hub.mjs` and its chunks, the folders of the Obsidian plugin and of the books plugin, and the files that authors copy. MCP and other parts that are not always wanted are chunks of their own,
 * loaded at first use. Files that did not change are left as they are, so a host that runs from them is not disturbed.
 */
import { build as bundle } from 'esbuild';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { booksPlugin } from './build-books.mjs';
import { forAuthors } from './build-for-authors.mjs';
import { obsidianPlugin } from './build-plugin.mjs';
import { pageAssets } from './page-assets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const MAIN = 'model-hub.mjs';

/** What every bundle for Node shares. `module` before `main`: the OpenTelemetry packages are a fifth of the size so. */
export const NODE_BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  plugins: [pageAssets(root)],
};

/** Throws esbuild's error, which it has printed, if the sources do not build. */
export async function build() {
  const { outputFiles, warnings } = await bundle({
    ...NODE_BUNDLE,
    entryPoints: { 'model-hub': 'src/host/main.ts' },
    outdir: dist,
    splitting: true,
    chunkNames: '[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
    write: false,
  });
  if (warnings.length > 0) throw new Error('The build has warnings; it must have none.');
  mkdirSync(dist, { recursive: true });
  const built = new Set();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    built.add(name);
    put(path, name === MAIN ? `#!/usr/bin/env node\n${text}` : text);
  }
  chmodSync(join(dist, MAIN), 0o755);
  built.add(putFolder('plugin', await obsidianPlugin(root)));
  built.add(putFolder('books-plugin', await booksPlugin(root)));
  built.add(putFolder('for-authors', await forAuthors(root)));
  // What is left of an earlier build goes; a .tmp may be another build's that runs at this moment.
  for (const name of readdirSync(dist)) if (!built.has(name) && !name.endsWith('.tmp')) rmSync(join(dist, name), { recursive: true, force: true });
}

/** Writes a folder of `dist/` by its files' names and texts; answers its name. */
function putFolder(folder, files) {
  mkdirSync(join(dist, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) put(join(dist, folder, name), text);
  return folder;
}

/** Whole or not at all: another start may be reading it. */
function put(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // It is new.
  }
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
