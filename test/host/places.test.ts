/** Where the hub keeps its files. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_NAME } from '../../src/node/log/log-months.ts';
import { findPlaces } from '../../src/host/places.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'places-test-')));
  mkdirSync(join(folder, 'vault'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the places', () => {
  it('F111 the log lies in the hub\'s plugin folder of the vault, the state of this device outside it', () => {
    const places = findPlaces({ vault: join(folder, 'vault'), state: join(folder, 'state') });
    expect([join(places.hubFolder, LOG_NAME), places.stateFolder, places.vaultName]).toEqual([
      join(folder, 'vault/.obsidian/plugins/model-hub/tool-calls.jsonl'), join(folder, 'state'), 'vault',
    ]);
    expect([existsSync(places.hubFolder), existsSync(places.stateFolder)]).toEqual([true, true]);
  });

  it('a vault that is not there is an error that says what to do', () => {
    expect(() => findPlaces({ vault: join(folder, 'none'), state: join(folder, 'state') })).toThrow(expect.objectContaining({ message: 'There is no such vault folder.', advice: expect.stringContaining('--vault') as string }) as Error);
  });

  it('a vault that is an empty word, as of a shell variable that is not set, is no vault', () => {
    expect(() => findPlaces({ vault: '', state: join(folder, 'state') })).toThrow('There is no such vault folder.');
    expect(() => findPlaces({ vault: join(folder, 'vault'), state: '' })).toThrow('--state names no folder.');
  });

  it.each([['in it', 'vault/state'], ['itself', 'vault'], ['by a link', 'link/state'], ['deep in it, not there yet', 'vault/a/b/c'], ['in it under dots', 'vault/..state']])('D25 a state folder that is the vault, or lies %s, is refused: secrets would be synced', (_, state) => {
    symlinkSync(join(folder, 'vault'), join(folder, 'link'));
    expect(() => findPlaces({ vault: join(folder, 'vault'), state: join(folder, state) })).toThrow('The state folder lies in the vault.');
    expect(existsSync(join(folder, 'vault/state'))).toBe(false);
  });

  it('a state folder beside the vault whose name begins like it is fine', () => {
    expect(findPlaces({ vault: join(folder, 'vault'), state: join(folder, 'vault-state') }).stateFolder).toBe(join(folder, 'vault-state'));
  });

  it('a state folder that cannot be made is an error that says what to do', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => findPlaces({ vault: join(folder, 'vault'), state: join(folder, 'file', 'state') })).toThrow(expect.objectContaining({ advice: expect.stringContaining('--state') as string }) as Error);
  });
});
