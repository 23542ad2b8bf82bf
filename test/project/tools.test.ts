/** The project's own tools, and what package.json promises of set-up and packages. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'project-test-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, stdout };
}

describe('run-ts', () => {
  it('runs a TypeScript file with the words that follow, and ends with its code', () => {
    const file = join(folder, 'sample.ts');
    writeFileSync(file, 'const words: readonly string[] = process.argv.slice(2);\nconsole.log(words.join("|"));\nprocess.exit(7);\n');
    expect(node(['.config/run-ts.mjs', file, '--rows', 'two words'])).toEqual({ status: 7, stdout: '--rows|two words\n' });
  });
});

describe('the sum of tests', () => {
  const report = {
    numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1,
    testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }] }, { status: 'failed', assertionResults: [] }, { status: 'passed', assertionResults: [{ status: 'passed' }] }],
  };
  const sums = (env: NodeJS.ProcessEnv): string => {
    const file = join(folder, 'report.json');
    writeFileSync(file, JSON.stringify(report));
    return node(['.config/count-tests.mjs', file], env).stdout;
  };

  it('counts a file that could not be loaded as failed', () => {
    expect(sums({ CI: '' })).toBe('10 2\n');
  });

  it('counts what was left out as failed where CI=true', () => {
    expect(sums({ CI: 'true' })).toBe('10 5\n');
  });

  it('is nought where there is no report', () => {
    expect(node(['.config/count-tests.mjs', join(folder, 'none.json')]).stdout).toBe('0 0\n');
  });
});

describe('package.json', () => {
  const text = readFileSync('package.json', 'utf8');
  const { scripts, engines, allowScripts, dependencies, devDependencies } = JSON.parse(text) as Record<'scripts' | 'engines' | 'allowScripts' | 'dependencies' | 'devDependencies', Record<string, string>>;

  it('sets up before npm start and npm test, with nothing but Node', () => {
    expect([scripts['prestart'], scripts['pretest']]).toEqual(['node .config/setup.mjs', 'node .config/setup.mjs']);
  });

  it('names the Node that the set-up asks for', () => {
    expect(engines['node']).toBe('>=20.19.0');
    expect(readFileSync('.config/setup.mjs', 'utf8')).toContain('const LEAST_NODE = [20, 19];');
  });

  it('names every package that wants to run something at install, and pins every version', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { hasInstallScript?: boolean }> };
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(running.filter((name) => !(name in allowScripts))).toEqual([]);
    for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/);
  });
});
