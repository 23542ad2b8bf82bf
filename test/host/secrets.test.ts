import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets, SECRETS_FILE } from '../../src/host/secrets.ts';

describe('the secrets of a device', () => {
  let folder: string;
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'model-hub-secrets-')); });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('D25 M33 are made once, differ from vault to vault, and are readable by the user alone', () => {
    const made = loadSecrets(folder);
    expect(loadSecrets(folder)).toEqual(made);
    expect(made.hashKey).toMatch(/^[0-9a-f]{64}$/);
    expect(made.mcpToken).not.toBe(made.pageKey);
    if (process.platform !== 'win32') expect(statSync(join(folder, SECRETS_FILE)).mode & 0o077).toBe(0);
  });

  it.each([['no JSON', '{'], ['a key that is missing', '{"vaultId":"v","mcpToken":"t","pageKey":"p"}'], ['a hash key that is not hexadecimal', '{"vaultId":"v","mcpToken":"t","pageKey":"p","hashKey":"zz"}'], ['a list', '[]']])(
    'D25 a file with %s stops the start with a sentence, and is left as it is', (_, text) => {
      writeFileSync(join(folder, SECRETS_FILE), text);
      expect(() => loadSecrets(folder)).toThrow(/secrets\.json/);
    });

  it('D25 of two starts that find none, both end with the secrets of the first', async () => {
    const script = `import { loadSecrets } from ${JSON.stringify(new URL('../../src/host/secrets.ts', import.meta.url).pathname)}; console.log(loadSecrets(process.argv[2]).hashKey);`;
    const bundle = join(folder, 'load.mjs');
    await build({ stdin: { contents: script, resolveDir: folder, loader: 'ts' }, bundle: true, platform: 'node', format: 'esm', outfile: bundle });
    const state = join(folder, 'state');
    mkdirSync(state);
    const keys = await Promise.all(Array.from({ length: 6 }, async () => (await promisify(execFile)(process.execPath, [bundle, state])).stdout.trim()));
    expect(new Set(keys)).toEqual(new Set([loadSecrets(state).hashKey]));
  });
});
