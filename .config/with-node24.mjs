/**
 * Runs the unit tests under Node 24, which npm brings as a package of this platform's own; nothing runs at its install.
 * Tests in a browser are left out: what they test does not run in Node. Words go on to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = join(root, 'build', 'node24');
const platform = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${platform}-${process.arch}`;
const program = join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (!existsSync(program)) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--loglevel=error', `${name}@24`], { cwd: home, shell: process.platform === 'win32' });
}
run(program, ['--version'], {});
run(program, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '-c', '.config/vitest.config.ts', '--exclude', 'test/browser/**', '--exclude', 'test/views/**', ...process.argv.slice(2)], { cwd: root });

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status === 0) return;
  if (error) process.stderr.write(`${error.message}\n`);
  process.exit(status ?? 1);
}
