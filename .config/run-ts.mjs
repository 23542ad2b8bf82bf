/**
 * Runs one TypeScript file: `node .config/run-ts.mjs bench/gate.ts [words…]`. Node 20 cannot read TypeScript, so the file
 * is bundled into build/run/ first, with its packages, as the host is. Words, signals and the exit code go through.
 */
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_BUNDLE } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...words] = process.argv.slice(2);
if (!entry) {
  process.stderr.write('Name the file to run: node .config/run-ts.mjs bench/gate.ts\n');
  process.exit(2);
}

const out = join(root, 'build', 'run', `${basename(entry, '.ts')}.mjs`);
// Some packages are CommonJS and require what Node has built in.
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
// Playwright finds its own files from where it lies: it cannot be bundled.
await build({ ...NODE_BUNDLE, entryPoints: [entry], outfile: out, external: ['playwright-core'], banner, sourcemap: 'inline', logLevel: 'warning' });

const child = spawn(process.execPath, ['--enable-source-maps', '--expose-gc', out, ...words], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
