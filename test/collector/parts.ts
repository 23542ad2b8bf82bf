/**
 * The programs that these tests run. In this order: one that is named (MODEL_HUB_COLLECTOR, MODEL_HUB_JAEGER), one that was built
 * before, a fresh build where Go is. Else the tests are left out, loudly; with `CI=true` that is a failure.
 *
 * `describe.skipIf(without('collector', 'jaeger'))('…', () => { … })`
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { builtPart, buildPart, haveGo, type PartName } from '../../.config/parts.mjs';

type Program = PartName | 'prometheus' | 'promtool';

const NAMED = { collector: 'MODEL_HUB_COLLECTOR', jaeger: 'MODEL_HUB_JAEGER', prometheus: 'MODEL_HUB_PROMETHEUS', promtool: 'MODEL_HUB_PROMTOOL' } as const;

export const findCollector = (): Promise<string> => find('collector');
export const findJaeger = (): Promise<string> => find('jaeger');

/** On the path, or named. Debian has both in its package `prometheus`. */
export const findPrometheus = (): string => installed('prometheus') ?? absent('prometheus');
export const findPromtool = (): string => installed('promtool') ?? absent('promtool');

/** True if tests that need these are to be left out; says so. With `CI=true` they run, and fail. */
export function without(...names: readonly Program[]): boolean {
  const missing = names.filter((name) => !canHave(name));
  if (missing.length === 0 || process.env['CI'] === 'true') return false;
  for (const name of missing) process.stderr.write(`\nLEFT OUT: ${howToGet(name)}\n\n`);
  return true;
}

async function find(name: PartName): Promise<string> {
  return named(name) ?? builtPart(name) ?? (haveGo() ? await buildPart(name) : absent(name));
}

function canHave(name: Program): boolean {
  if (name === 'prometheus' || name === 'promtool') return installed(name) !== undefined;
  return named(name) !== undefined || builtPart(name) !== undefined || haveGo();
}

/** A program that is named and not there is an error, never a reason to take another. */
function named(name: Program): string | undefined {
  const program = process.env[NAMED[name]];
  if (program === undefined || program === '') return undefined;
  if (!existsSync(program)) throw new Error(`${NAMED[name]} names ${program}, which is not there.`);
  return program;
}

function installed(name: 'prometheus' | 'promtool'): string | undefined {
  return named(name) ?? (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)).find((program) => existsSync(program));
}

function absent(name: Program): never {
  throw new Error(howToGet(name));
}

function howToGet(name: Program): string {
  switch (name) {
    case 'collector':
    case 'jaeger':
      return `No ${name} was found, so nothing is sent to a real one. Install Go 1.26 or later and run "npm run parts", or set ${NAMED[name]} to its program.`;
    case 'prometheus':
    case 'promtool':
      return `No ${name} was found, so dashboard and alerts are not tried. Install it (Debian: apt-get install prometheus), or set ${NAMED[name]} to its program.`;
  }
}
