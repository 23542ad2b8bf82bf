/**
 * Builds the collector and Jaeger that the tests run, out of the Go modules in otel/, once: they lie in the user's cache, by a
 * digest of what they are made of, and a build that was cut short leaves nothing there. Needs Node and Go.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `sources`: what a build depends on, beside the target. */
const PARTS = {
  collector: { module: 'otel/collector', target: '.', sources: ['go.mod', 'go.sum', 'main.go'], takes: 'about a minute' },
  jaeger: { module: 'otel/jaeger', target: 'github.com/jaegertracing/jaeger/cmd/jaeger', sources: ['go.mod', 'go.sum'], takes: 'about four minutes' },
};

const root = rootFrom(dirname(fileURLToPath(import.meta.url)));
const GOOS = { win32: 'windows' };
const GOARCH = { x64: 'amd64', ia32: '386' };
const HOST = { os: GOOS[process.platform] ?? process.platform, arch: GOARCH[process.arch] ?? process.arch };

/** Where the program is, or will be. `os` is a name of Go's: containers want `linux` on every machine. */
export function placeOf(name, os = HOST.os) {
  const { module, sources } = PARTS[name];
  const digest = createHash('sha256').update(`${os}/${HOST.arch}\n`);
  for (const source of sources) digest.update(readFileSync(join(root, module, source)));
  return join(cacheFolder(), `${name}-${digest.digest('hex').slice(0, 16)}`, os === 'windows' ? `${name}.exe` : name);
}

/** The program, if it was built before. */
export function builtPart(name, os) {
  const place = placeOf(name, os);
  return existsSync(place) ? place : undefined;
}

export function haveGo() {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** Builds the program unless it is there; answers where it is. Go's own settings come from the environment. */
export async function buildPart(name, os = HOST.os) {
  const place = placeOf(name, os);
  if (existsSync(place)) return place;
  const { module, target, takes } = PARTS[name];
  mkdirSync(cacheFolder(), { recursive: true });
  const work = mkdtempSync(join(cacheFolder(), '.making-'));
  try {
    process.stderr.write(`Building ${name} (once, ${takes}, and as long again for the modules) …\n`);
    const env = { ...process.env, CGO_ENABLED: '0', GOOS: os, GOARCH: HOST.arch };
    await run('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(work, place.slice(dirname(place).length + 1)), target], { cwd: join(root, module), env });
    try {
      renameSync(work, dirname(place));
    } catch (error) {
      if (!existsSync(place)) throw error; // somebody else was faster
    }
    return place;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Found by looking, since benches carry this file inside a bundle that lies elsewhere. */
function rootFrom(folder) {
  return existsSync(join(folder, PARTS.collector.module, 'go.mod')) ? folder : rootFrom(dirname(folder));
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || (process.platform === 'win32' && process.env.LOCALAPPDATA) || join(homedir(), '.cache');
  return join(base, 'model-hub', 'parts');
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} ended with ${code}; see above.`))));
  });
}
