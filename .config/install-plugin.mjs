/**
 * `npm run install-plugin -- --vault DIR`: puts the plugin, as it was just built, into a vault; with `--books` the books
 * plugin beside it. Settings and log that are there stay.
 */
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = 'Use: npm run install-plugin -- --vault DIR [--config-dir .obsidian] [--books]';
const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');

const { vault, configDir, books } = readOptions();
for (const [built, id] of [['plugin', 'model-hub'], ...(books ? [['books-plugin', 'books']] : [])]) {
  const target = join(vault, configDir, 'plugins', id);
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(join(dist, built))) copyFileSync(join(dist, built, name), join(target, name));
  process.stdout.write(`Installed ${id} into ${target}\n`);
}
process.stdout.write('Now in Obsidian: Settings → Community plugins → reload the list, and switch it on.\n');

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({ options: { vault: { type: 'string' }, 'config-dir': { type: 'string', default: '.obsidian' }, books: { type: 'boolean', default: false } } }));
  } catch (error) {
    stop(`${error.message}\n${USAGE}`);
  }
  if (!values.vault) stop(`Say which vault.\n${USAGE}`);
  const folder = resolve(values.vault);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) stop(`There is no folder ${folder}.\n${USAGE}`);
  return { vault: folder, configDir: values['config-dir'], books: values.books };
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
