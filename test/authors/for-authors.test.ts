/** What authors copy, as it is built: the contract test in a test runner that needs no package. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authors-test-'));
  cpSync('dist/for-authors', folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test of an author's, of one tool with this answer. */
function authorsTest(answer: string): { readonly status: number | null; readonly said: string } {
  writeFileSync(join(folder, 'tools.test.mjs'), `
    import assert from 'node:assert/strict';
    import { test } from 'node:test';
    import { contractFaults } from './contract.mjs';
    const look = { name: 'films.look', description: 'Looks.', effect: 'read', input: { type: 'object' }, handler: async () => (${answer}) };
    test('my tools', async () => assert.deepEqual(await contractFaults({ tools: [look], trials: [{ tool: 'films.look', input: {} }] }), []));
  `);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'tools.test.mjs'], { cwd: folder, encoding: 'utf8', env });
  return { status, said: stdout };
}

describe('the folder for authors', () => {
  it('F170 F172 holds the two files to copy, and the contract test with its types', () => {
    expect(readdirSync(folder).sort()).toEqual(['contract.d.mts', 'contract.mjs', 'model-hub-api.d.ts', 'on-hub-ready.ts']);
  });

  it('F197 its contract test runs outside this project, and passes good tools', () => {
    expect(authorsTest('{ films: 3 }')).toMatchObject({ status: 0 });
  });

  it('F197 and fails bad ones, with a sentence', () => {
    const { status, said } = authorsTest('{ empty: true }');
    expect([status, said.includes('films.look: its empty answer has no message that says why.')]).toEqual([1, true]);
  });
});
