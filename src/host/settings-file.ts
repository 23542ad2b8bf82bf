/**
 * `data.json`: the user's settings, the one file that may be synced, with no secrets in it. Read before each save, so that
 * what another window or device wrote is kept; keys that are not known here are kept as they are.
 */
import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readTraceSettings, type TraceSettings } from '../../otel/exporter/settings.ts';
import { objectIn, policyFromJson, policyToJson } from '../core/policy-json.ts';
import type { PolicySettings, SettingsStore } from '../core/ports.ts';
import { AdvisedError } from '../node/advised-error.ts';
import { readJson, writeJson } from '../node/json-file.ts';
import type { TraceSettingsStore } from '../node/export/traces.ts';

export const SETTINGS_FILE = 'data.json';
/** A save may be several events: the file is looked at once more when they are over. */
const SAVED_MS = 50;
const LOOK_MS = 1_000;

export class SettingsFile implements SettingsStore, TraceSettingsStore {
  readonly #file: string;
  readonly #notice: (text: string) => void;
  #lastGood: PolicySettings | undefined;
  #damaged = false;
  #told = false;
  /** Of the file as the policy was read from it last: other readings must not hide a change of it. */
  #stamp = '';

  constructor(file: string, notice: (text: string) => void = () => undefined) {
    this.#file = file;
    this.#notice = notice;
  }

  /**
   * Throws at the first reading if the file is damaged: its Deny must not be lost. Later, the last good settings stay, also
   * while there is no file: whoever syncs it may take it away before the new one comes.
   */
  load(): PolicySettings {
    this.#stamp = this.#stampNow();
    try {
      const found = this.#read();
      if (found !== undefined || !this.#lastGood) this.#lastGood = policyFromJson(found ?? {});
      this.#damaged = false;
    } catch {
      if (!this.#lastGood) throw damaged();
      this.#damaged = true;
    }
    return this.#lastGood;
  }

  /** Throws if the file is damaged or cannot be written: then the settings are as they were, and the user is told. */
  save(settings: PolicySettings): void {
    this.#write(policyToJson(settings));
    this.#lastGood = settings;
  }

  #write(change: object): void {
    try {
      writeJson(this.#file, { ...this.#read(), ...change });
    } catch (error) {
      const fault = error instanceof SyntaxError ? damaged() : new AdvisedError(`${SETTINGS_FILE} cannot be written.`, 'Let Model Hub write to its folder in the vault.');
      this.#notice(`The setting was not changed: ${fault.message} ${fault.advice}`);
      throw fault;
    }
  }

  /** True if the user wants hashes without a key (D25). Throws if the file is damaged. */
  plainHashes(): boolean {
    try {
      return this.#read()?.['plainHashes'] === true;
    } catch {
      throw damaged();
    }
  }

  /** What the user set about traces. Throws if the file is damaged: then nothing is sent, but nothing was switched off either. */
  traces(): TraceSettings {
    try {
      return readTraceSettings(this.#read()?.['traces']);
    } catch {
      throw damaged();
    }
  }

  /** Throws if the file is damaged or cannot be written: then the settings are as they were, and the user is told. */
  saveTraces(traces: TraceSettings): void {
    this.#write({ traces });
  }

  /** Calls back when somebody else may have changed the file; answers the function that stops it. */
  watch(changed: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const saved = (): void => {
      changed();
      this.#tellDamage();
    };
    const watcher = this.#watchFolder(() => {
      changed(); // at once: it may be a Deny
      clearTimeout(timer);
      timer = setTimeout(saved, SAVED_MS);
    });
    // Some folders tell nobody of their changes, one that was made anew is another one, and none tells of what was before.
    const looking = setInterval(() => {
      if (this.#stampNow() !== this.#stamp) saved();
    }, LOOK_MS).unref();
    return () => {
      clearTimeout(timer);
      watcher?.close();
      clearInterval(looking);
    };
  }

  /** Not at the first look: a file that is being written is half there for a moment. */
  #tellDamage(): void {
    if (this.#damaged && !this.#told) this.#notice(`${SETTINGS_FILE} cannot be read as settings: those from before stay in force. Mend it.`);
    this.#told = this.#damaged;
  }

  #watchFolder(changed: () => void): FSWatcher | undefined {
    try {
      const watcher = watch(dirname(this.#file), (_, name) => {
        if (name === basename(this.#file)) changed();
      });
      return watcher.on('error', () => watcher.close());
    } catch {
      return undefined; // there is no such folder, or the system watches no more of them
    }
  }

  /** Another one for each file and each change of it. */
  #stampNow(): string {
    try {
      const { ino, size, mtimeMs } = statSync(this.#file);
      return `${ino} ${size} ${mtimeMs}`;
    } catch {
      return 'none';
    }
  }

  /** `undefined` if there is no file. */
  #read(): { readonly [key: string]: unknown } | undefined {
    const found = readJson(this.#file);
    return found === undefined ? undefined : objectIn(found);
  }
}

function damaged(): AdvisedError {
  return new AdvisedError(`${SETTINGS_FILE} cannot be read as settings.`, 'Mend it, or delete it to start with every tool at its default.');
}
