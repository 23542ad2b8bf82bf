/**
 * What `npm start` and `npm test` do first, tried on a small project of its own with a stand-in for npm.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SETUP = '.config/setup.mjs';
const INSTALLING = 'Installing the packages of package-lock.json (once, up to a minute) …\n';
/** Does what matters here of `npm ci`: its own account of what is installed, without a package for another system. */
const NPM = `
  const { copyFileSync, mkdirSync, readFileSync, writeFileSync, appendFileSync } = require('node:fs');
  appendFileSync('npm-was-called', process.argv.slice(2).join(' ') + '\\n');
  if (process.env.NPM_FAILS) { process.stderr.write('npm error network\\n'); process.exit(1); }
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const [place, { optional }] of Object.entries(lock.packages)) if (optional || place === '') delete lock.packages[place];
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-test-'));
  mkdirSync(join(folder, '.config'));
  copyFileSync(SETUP, join(folder, SETUP));
  writeFileSync(join(folder, '.config/build.mjs'), 'import { writeFileSync } from "node:fs"; export const build = async () => writeFileSync("built", "");');
  writeFileSync(join(folder, 'npm.js'), NPM);
  lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lock(packages: object): void {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
}

function setUp(env: NodeJS.ProcessEnv = {}, ...options: string[]): { readonly status: number | null; readonly said: string; readonly installs: number } {
  const { status, stderr, stdout } = spawnSync(process.execPath, [...options, SETUP], { cwd: folder, encoding: 'utf8', env: { ...process.env, npm_execpath: join(folder, 'npm.js'), ...env } });
  const calls = join(folder, 'npm-was-called');
  return { status, said: stderr + stdout, installs: existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0 };
}

describe('npm start and npm test', () => {
  it('install what the lock file says, in one line, and build', () => {
    expect(setUp()).toEqual({ status: 0, said: INSTALLING, installs: 1 });
    expect(existsSync(join(folder, 'built'))).toBe(true);
  });

  it('install on any Node from 20.19, also where a package for developers asks for another', () => {
    setUp();
    expect(readFileSync(join(folder, 'npm-was-called'), 'utf8')).toBe('ci --no-audit --no-fund --loglevel=warn --engine-strict=false\n');
  });

  it('say and install nothing when everything is there', () => {
    setUp();
    expect(setUp()).toEqual({ status: 0, said: '', installs: 1 });
  });

  it('install again when the lock file names another version or another package', () => {
    setUp();
    lock({ 'node_modules/a': { version: '1.0.1' } });
    expect(setUp()).toMatchObject({ said: INSTALLING, installs: 2 });
    lock({ 'node_modules/a': { version: '1.0.1' }, 'node_modules/c': { version: '1.0.0' } });
    expect(setUp()).toMatchObject({ said: INSTALLING, installs: 3 });
  });

  it('show what npm said when it fails, and what to do', () => {
    expect(setUp({ NPM_FAILS: '1' })).toEqual({
      status: 1, installs: 1,
      said: `${INSTALLING}npm error network\n\nThe packages could not be installed. See above for the reason; is this machine online?\n`,
    });
    expect(existsSync(join(folder, 'built'))).toBe(false);
  });

  it('tell a Node that is too old which one is needed', () => {
    const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.18.1"}})';
    expect(setUp({}, '--import', old)).toEqual({
      status: 1, installs: 0,
      said: 'Model Hub needs Node 20.19 or later; this is 20.18.1. Install a newer Node, then run the command again.\n',
    });
  });

  it('need nothing but Node before the packages are there', () => {
    const imports = [...readFileSync(SETUP, 'utf8').matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name);
    expect(imports).toEqual(['node:child_process', 'node:fs', 'node:path', 'node:url']);
  });
});
