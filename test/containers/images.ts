/**
 * The images of the collector and of Jaeger: the published ones where a registry can be reached, else made here, from the
 * static programs and otel/collector/Dockerfile. Without a Docker the tests are left out, loudly; with `CI=true` that is a failure.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GenericContainer } from 'testcontainers';
import { buildPart, haveGo, builtPart, placeOf, type PartName } from '../../.config/parts.mjs';
import { PUBLISHED } from './published.ts';

const DOCKERFILE = fileURLToPath(new URL('../../otel/collector/Dockerfile', import.meta.url));

const PULL_MS = 180_000;
const MISSING = 'No Docker answers, so nothing is tried in containers. Start one, and look with "docker info".';

const docker = (...args: readonly string[]): boolean => spawnSync('docker', args, { stdio: 'ignore', timeout: PULL_MS }).status === 0;

/** True if tests in containers are to be left out; says so. With `CI=true` they run, and fail. */
export function withoutDocker(): boolean {
  if (process.env['CI'] === 'true' || docker('info')) return false;
  process.stderr.write(`\nLEFT OUT: ${MISSING}\n\n`);
  return true;
}

/** Answers an image that is on this machine. */
export async function imageOf(name: PartName): Promise<string> {
  if (!docker('info')) throw new Error(MISSING);
  // testcontainers' reaper is an image too. Without it each test stops what it started.
  if (!have('testcontainers/ryuk:0.14.0')) process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  if (have(PUBLISHED[name])) return PUBLISHED[name];
  if (!haveGo() && !builtPart(name, 'linux')) throw new Error(`${PUBLISHED[name]} cannot be pulled, and there is no Go to build it.`);
  return buildImage(name, await buildPart(name, 'linux'));
}

const have = (image: string): boolean => docker('image', 'inspect', image) || docker('pull', '--quiet', image);

async function buildImage(name: PartName, program: string): Promise<string> {
  const tag = `model-hub-test/${basename(dirname(placeOf(name, 'linux')))}:latest`;
  if (docker('image', 'inspect', tag)) return tag;
  const context = mkdtempSync(join(tmpdir(), 'model-hub-image-'));
  try {
    copyFileSync(program, join(context, 'program'));
    copyFileSync(DOCKERFILE, join(context, 'Dockerfile'));
    await GenericContainer.fromDockerfile(context).build(tag, { deleteOnExit: false });
    return tag;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
