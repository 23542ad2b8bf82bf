/**
 * A folder of the vault is swapped for a link that leads out, and back, by another process as fast as it can, while notes
 * in it are written.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { TempVault } from '../fakes/temp-vault.ts';

// Elsewhere the host has no handle to go through, and says so (src/node/vault-files.ts).
const HAS_HANDLES = existsSync('/proc/self/fd');
if (!HAS_HANDLES) process.stderr.write('SKIPPED: the race for a vault folder needs /proc, which this system has not.\n');

const ROUNDS = 40_000;
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [, sub, aside, outside] = process.argv;
  process.stdout.write('ready');
  for (;;) {
    renameSync(sub, aside);
    symlinkSync(outside, sub);
    unlinkSync(sub);
    renameSync(aside, sub);
  }`;

let swapper: ChildProcess | undefined;

afterEach(() => swapper?.kill('SIGKILL'));

describe.skipIf(!HAS_HANDLES)('a folder swapped for a link while notes are written', () => {
  it(`B32 in ${ROUNDS} rounds nothing outside the vault is written, and writes inside go on`, { timeout: 120_000 }, async () => {
    const vault = new TempVault();
    vault.put('sub/deep/a.md', '0');
    vault.put('../outside/deep/a.md', '0');
    swapper = spawn(process.execPath, ['-e', SWAPPER, join(vault.root, 'sub'), join(vault.root, 'aside'), vault.outside], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(swapper.stdout!, 'data');
    // Not even a temporary file: every change in the folder outside would change its time.
    const changed = (): bigint => statSync(join(vault.outside, 'deep'), { bigint: true }).mtimeNs;
    const before = changed();

    let written = 0;
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // "0" stands in the note inside and in the one outside alike.
      try {
        if (await vault.files.write('sub/deep/a.md', '0', '0')) written++;
      } catch {
        refused++;
      }
    }

    expect([changed(), readdirSync(join(vault.outside, 'deep'))]).toEqual([before, ['a.md']]);
    expect(written).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
