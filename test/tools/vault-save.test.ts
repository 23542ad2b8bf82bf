/**
 * Somebody saves a note while its new text is on its way to the disk.
 */
import type * as NodeFs from 'node:fs';
import { expect, it, vi } from 'vitest';
import { TempVault } from '../fakes/temp-vault.ts';

const meanwhile = vi.hoisted(() => ({ happens: (): void => undefined }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof NodeFs>();
  return {
    ...real,
    fsyncSync: (handle: number): void => {
      real.fsyncSync(handle);
      meanwhile.happens();
    },
  };
});

it('B37 what was saved meanwhile is not overwritten, and nothing is left behind', async () => {
  const vault = new TempVault();
  vault.put('Sub/a.md', 'old');
  meanwhile.happens = (): void => vault.put('Sub/a.md', 'mine');
  expect(await vault.files.write('Sub/a.md', 'old', 'new')).toBe(false);
  expect([vault.text('Sub/a.md'), await vault.files.list('Sub')]).toEqual(['mine', ['Sub/a.md']]);
  meanwhile.happens = (): void => vault.drop('Sub/a.md');
  expect(await vault.files.write('Sub/a.md', 'mine', 'new')).toBe(false);
  expect(vault.has('Sub/a.md')).toBe(false);
});
