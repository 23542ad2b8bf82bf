/**
 * Builds the Obsidian plugin: one file of script, the same to the byte for the same sources. What is loaded later stands in
 * it too, and is evaluated when it is wanted: MCP when it is switched on, the gate when the layout is ready.
 */
import { build as bundle } from 'esbuild';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

/** The files of the plugin's folder, by name. Throws esbuild's error, which it has printed, if the sources do not build. */
export async function obsidianPlugin(root) {
  const shared = { absWorkingDir: root, bundle: true, minify: true, logLevel: 'warning', write: false };
  const [script, styles] = await Promise.all([
    bundle({
      ...shared,
      entryPoints: ['src/obsidian/main.ts'],
      outfile: 'main.js',
      platform: 'node',
      format: 'cjs',
      target: 'es2022',
      // The app hands in its own module, and Electron those of Node.
      external: ['obsidian', 'electron', ...builtinModules.flatMap((name) => [name, `node:${name}`])],
      mainFields: ['module', 'main'],
      legalComments: 'eof',
    }),
    bundle({ ...shared, entryPoints: ['src/obsidian/styles.css'], outfile: 'styles.css' }),
  ]);
  if (script.warnings.length + styles.warnings.length > 0) throw new Error('The build of the plugin has warnings; it must have none.');
  return {
    'main.js': script.outputFiles[0].text,
    'styles.css': styles.outputFiles[0].text,
    'manifest.json': readFileSync(join(root, 'manifest.json'), 'utf8'),
    'versions.json': readFileSync(join(root, 'versions.json'), 'utf8'),
  };
}
