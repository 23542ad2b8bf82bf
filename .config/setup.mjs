/**
 * What `npm start` and `npm test` do first, with nothing but Node: installs the packages if they are not those of the
 * lock file, and builds. Says one line for each thing that takes time, on stderr; silent when there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_NODE = [20, 19];
const root = dirname(dirname(fileURLToPath(import.meta.url)));

checkNode();
if (!packagesFit()) install();
const { build } = await import('./build.mjs'); // only now: it needs the packages
await build();

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  stop(`Model Hub needs Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}. Install a newer Node, then run the command again.`);
}

/** True if what is installed is what the lock file says. npm keeps its own account of that in node_modules. */
function packagesFit() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf(join('node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (place === '') return true;
    const found = installed[place];
    return found ? found.version === version : optional === true; // optional: for another kind of machine
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  process.stderr.write('Installing the packages of package-lock.json (once, up to a minute) …\n');
  // Node was looked at above. A package that is for developers alone may ask for another: nobody's start shall fail of that.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=warn', '--engine-strict=false'];
  const npm = process.env.npm_execpath; // the npm that runs this; by hand, the one on the path
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`);
  stop('The packages could not be installed. See above for the reason; is this machine online?');
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
