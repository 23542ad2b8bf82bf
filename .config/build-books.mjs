/**
 * Builds the books plugin as its author would: one CommonJS file with its own copy of `on-hub-ready.ts`, for Obsidian on any
 * device. Nothing of Node's is at hand there, so importing it fails the build.
 */
import { build as bundle } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = 'examples/books-plugin';

/** The files of the plugin's folder, by name. Throws esbuild's error, which it has printed, if the sources do not build. */
export async function booksPlugin(root) {
  const { outputFiles, warnings } = await bundle({
    absWorkingDir: root,
    entryPoints: [`${SOURCE}/main.ts`],
    outfile: 'main.js',
    bundle: true,
    platform: 'browser',
    format: 'cjs',
    target: 'es2022',
    external: ['obsidian'],
    minify: true,
    logLevel: 'warning',
    write: false,
  });
  if (warnings.length > 0) throw new Error('The build of the books plugin has warnings; it must have none.');
  return { 'main.js': outputFiles[0].text, 'manifest.json': readFileSync(join(root, SOURCE, 'manifest.json'), 'utf8') };
}
