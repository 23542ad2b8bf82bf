/** Where the hub keeps its files. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_NAME } from '../../src/host/log-files.ts';
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
});
