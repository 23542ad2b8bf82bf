/**
 * Checks of what was built and of what is tracked, as a user would meet them: the commands answer, the host serves its page
 * and ends when told to, the bundle has its size, and nothing names the machine that made it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'dist', 'model-hub.mjs');
/** Bytes of the host, which is what lies in dist/ itself: a dependency that doubles it should be noticed here. */
const SIZE_BAR = 1_300_000;
const START_LIMIT_MS = 15_000;
const END_LIMIT_MS = 2_000;

const checks = [
  ['--help names every command', helps],
  ['--version is that of package.json', saysVersion],
  ['the host serves its page, and ends within 2 s', serves],
  [`the host in dist/ is at most ${SIZE_BAR / 1000} kB`, fits],
  ['no file names this machine or a registry', isFromNowhere],
  ['the lock file says nothing of where packages come from', lockIsPlain],
];

let failed = 0;
for (const [name, check] of checks) {
  try {
    const note = await check();
    process.stdout.write(`  passed: ${name}${note ? ` (${note})` : ''}\n`);
  } catch (error) {
    failed++;
    process.stdout.write(`  FAILED: ${name}: ${error.message}\n`);
  }
}
process.exit(failed === 0 ? 0 : 1);

function hub(...words) {
  return execFileSync(process.execPath, [main, ...words], { encoding: 'utf8', timeout: START_LIMIT_MS });
}

function helps() {
  const help = hub('--help');
  for (const command of ['serve', 'mcp', 'log', 'verify', 'hash', 'tools']) if (!help.includes(command)) throw new Error(`${command} is missing`);
}

function saysVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (hub('--version').trim() !== version) throw new Error('it says another one');
}

async function serves() {
  const folder = mkdtempSync(join(tmpdir(), 'model-hub-check-'));
  mkdirSync(join(folder, 'vault'));
  const host = spawn(process.execPath, [main, 'serve', '--vault', join(folder, 'vault'), '--state', join(folder, 'state'), '--port', '0', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const login = await addressOf(host);
    const { origin } = new URL(login);
    const entered = await fetch(login, { redirect: 'manual' });
    const cookie = entered.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ');
    for (const path of ['/', '/page.js', '/page.css']) {
      const answer = await fetch(origin + path, { headers: { cookie } });
      if (answer.status !== 200 || (await answer.text()).length < 100) throw new Error(`${path} answers ${answer.status}`);
    }
    const started = Date.now();
    host.kill('SIGINT');
    const [code] = await Promise.race([once(host, 'exit'), late(END_LIMIT_MS, 'it did not end in time')]);
    if (code !== 0) throw new Error(`it ended with code ${code}`);
    return `ended after ${Date.now() - started} ms`;
  } finally {
    host.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page's address, as the terminal prints it. */
function addressOf(host) {
  return Promise.race([
    new Promise((resolve, reject) => {
      let text = '';
      host.stdout.on('data', (bytes) => {
        text += bytes;
        const found = /http:\/\/127\.0\.0\.1:\d+\/login\?key=\S+/.exec(text);
        if (found) resolve(found[0]);
      });
      host.once('exit', (code) => reject(new Error(`it ended with code ${code} before it printed its address`)));
    }),
    late(START_LIMIT_MS, 'it printed no address'),
  ]);
}

function late(ms, sentence) {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(sentence)), ms).unref());
}

function fits() {
  const bytes = built().filter((file) => dirname(file) === 'dist').reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  if (bytes > SIZE_BAR) throw new Error(`it has ${Math.round(bytes / 1000)} kB`);
  return `${Math.round(bytes / 1000)} kB`;
}

function isFromNowhere() {
  const named = new RegExp([root, homedir(), registryHost()].filter((word) => word.length > 5).map(alone).join('|'));
  const files = [...tracked(), ...built()];
  for (const file of files) {
    let text;
    try {
      text = readFileSync(join(root, file), 'latin1');
    } catch {
      continue; // tracked, and deleted in this work tree
    }
    if (named.test(text)) throw new Error(`${file} does`);
  }
  return `${files.length} files`;
}

/** A pattern for a path or host that stands by itself: a checkout in `/source` is not named by `data/source-map`. */
function alone(word) {
  return `(?<![\\w.~-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`;
}

/** The files below dist/. */
function built() {
  return readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

function tracked() {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}

function registryHost() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return new URL(execFileSync(npm, ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' }).trim()).host;
}

function lockIsPlain() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [place, entry] of Object.entries(packages)) {
    if ('resolved' in entry) throw new Error(`${place} has "resolved"`);
    if (place !== '' && !entry.integrity) throw new Error(`${place} has no integrity`);
  }
}
