/**
 * Takes the guard of each invariant away, one at a time, in a copy of the sources, and names the tests that go red. A guard
 * that can go without a red test is no guard. The invariants stand in docs/architecture.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bar, report, table, type Bar } from './measure.ts';

interface Guard {
  readonly invariant: string;
  /** What is changed: the file, the text, and what stands there without the guard. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Where the tests are that should notice. */
  readonly tests: readonly string[];
}

const GUARDS: readonly Guard[] = [
  {
    invariant: '1 the handler sees only cleared calls', file: 'src/core/gate.ts',
    find: 'const cleared = await clear(judged, clearing);', replace: 'const cleared = judged as unknown as Cleared; void clear; void clearing;', tests: ['test/core'],
  },
  {
    invariant: '2 a Deny set meanwhile wins', file: 'src/core/clear.ts',
    find: "if (now.verdict === 'deny' || now.verdict === 'defer') throw refusal(now);", replace: '', tests: ['test/core'],
  },
  {
    invariant: '3 hashed is shown is run', file: 'src/core/handler.ts',
    find: 'call.tool.handler(call.input,', replace: 'call.tool.handler(call.request.input,', tests: ['test/core'],
  },
  {
    invariant: '4 the row before the answer', file: 'src/core/gate.ts',
    find: 'if (written) await written;', replace: '', tests: ['test/core'],
  },
  {
    invariant: '5 nobody opts out of the log', file: 'otel/tracing.ts',
    find: 'sampler: new AlwaysOnSampler(),', replace: '', tests: ['test/otel/tracing.test.ts'],
  },
];

/** Red tests that are named for each guard. */
const NAMED = 6;

const copy = mkdtempSync(join(tmpdir(), 'model-hub-guards-'));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n').filter(Boolean);
for (const file of tracked) cpSync(file, join(copy, file), { force: true });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
// The host is not started by these tests, so it is not built for them.
writeFileSync(join(copy, 'guards.config.ts'), "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { include: ['test/**/*.test.ts'], pool: 'forks' } });\n");

const bars: { [name: string]: Bar } = {};
const rows: string[][] = [];
try {
  const untouched = redTests([...new Set(GUARDS.flatMap(({ tests }) => tests))]);
  if (untouched.length > 0) throw new Error(`Red with every guard in place: ${untouched.join(' · ')}`);
  for (const { invariant, file, find, replace, tests } of GUARDS) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(find).length !== 2) throw new Error(`The guard of "${invariant}" is not where this script looks for it, in ${file}.`);
    writeFileSync(path, source.replace(find, replace));
    const red = redTests(tests);
    writeFileSync(path, source);
    const named = [...(red.length === 0 ? ['none'] : red.slice(0, NAMED)), ...(red.length > NAMED ? [`… and ${red.length - NAMED} more`] : [])];
    rows.push(...named.map((name, n) => [n === 0 ? invariant : '', name]));
    bars[`green_without_guard_${invariant[0]!}`] = bar(red.length > 0 ? 0 : 1, 0);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
table(['guard taken away', 'tests that go red'], rows);
report(bars);

/** Full names of the tests that fail. */
function redTests(paths: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '-c', 'guards.config.ts', '--reporter=json', ...paths], { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 26 });
  const start = stdout.indexOf('{"num');
  if (start < 0) throw new Error(`The tests did not run: ${stderr.slice(-2_000)}`);
  const result = JSON.parse(stdout.slice(start)) as { testResults: { status: string; name: string; assertionResults: { status: string; title: string }[] }[] };
  return result.testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title));
}
