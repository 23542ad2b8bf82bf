/**
 * Builds the Obsidian plugin into `dist/plugin/`: `main.js`, `styles.css`, `manifest.json`, `versions.json`. One file of
 * script, the same to the byte for the same sources: what is loaded later stands in it too, and is evaluated when it is wanted.
 */
import { build as bundle } from 'esbuild';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What every bundle for Obsidian shares: the app hands in its own module, and Electron those of Node. */
export const OBSIDIAN_BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'es2022',
  external: ['obsidian', 'electron', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
  minify: true,
  charset: 'utf8',
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
};

/** Throws esbuild's error, which it has printed, if the sources do not build. Answers the folder. */
export async function buildPlugin(outdir = join(root, 'dist', 'plugin')) {
  const results = await Promise.all([
    bundle({ ...OBSIDIAN_BUNDLE, entryPoints: { main: 'src/obsidian/main.ts' }, outdir, mainFields: ['module', 'main'] }),
    bundle({ absWorkingDir: root, entryPoints: { styles: 'src/obsidian/styles.css' }, outdir, bundle: true, minify: true, logLevel: 'warning', write: false }),
  ]);
  if (results.some(({ warnings }) => warnings.length > 0)) throw new Error('The build has warnings; it must have none.');
  mkdirSync(outdir, { recursive: true });
  for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles)) writeFileSync(join(outdir, basename(path)), contents);
  for (const name of ['manifest.json', 'versions.json']) copyFileSync(join(root, name), join(outdir, name));
  return outdir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlugin();
