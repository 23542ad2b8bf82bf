/**
 * The settings in the plugin's `data.json`, which Obsidian may sync: read once, changed in memory at once, and written
 * behind it, each time over what stands in the file by then, so that an idle device never puts old settings back.
 */
import { mergePolicies, objectIn, policyFromJson, policyToJson } from '../../core/policy-json.ts';
import type { PolicySettings, SettingsStore } from '../../core/ports.ts';
import { readTraceSettings, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { AdvisedError } from '../../node/advised-error.ts';
import type { TraceSettingsStore } from '../../node/export/traces.ts';

/** The plugin's own data. */
export interface DataFile {
  /** `undefined` if there is none. Rejects with a `SyntaxError` if it cannot be read as JSON. */
  read(): Promise<unknown>;
  write(data: object): Promise<void>;
}

type Json = { readonly [key: string]: unknown };

export class SettingsData implements SettingsStore, TraceSettingsStore {
  readonly #file: DataFile;
  readonly #notice: (text: string) => void;
  #data: Json;
  #policies: PolicySettings;
  /** Of the last write; it never rejects. */
  #writing: Promise<void> = Promise.resolve();
  /** Changes that are not in the file yet. */
  #waiting = 0;
  #onTheirs: () => void = () => undefined;
  #damaged = false;

  private constructor(file: DataFile, notice: (text: string) => void, data: Json) {
    this.#file = file;
    this.#notice = notice;
    this.#data = data;
    this.#policies = policyFromJson(data);
  }

  /** Rejects with an {@link AdvisedError} if the file is damaged: its Deny must not be lost. */
  static async open(file: DataFile, notice: (text: string) => void): Promise<SettingsData> {
    try {
      return new SettingsData(file, notice, await readData(file));
    } catch {
      throw new AdvisedError('data.json cannot be read as settings.', 'Mend it, or delete it to start with every tool at its default.');
    }
  }

  load(): PolicySettings {
    return this.#policies;
  }

  save(settings: PolicySettings): void {
    const before = this.#policies;
    this.#policies = settings;
    this.#write((found) => policyToJson(mergePolicies(before, settings, policyFromJson(found))));
  }

  traces(): TraceSettings {
    return readTraceSettings(this.#data['traces']);
  }

  saveTraces(traces: TraceSettings): void {
    this.#data = { ...this.#data, traces };
    this.#write(() => ({ traces }));
  }

  /** True if the user wants hashes without a key (D25). */
  plainHashes(): boolean {
    return this.#data['plainHashes'] === true;
  }

  savePlainHashes(plainHashes: boolean): void {
    this.#data = { ...this.#data, plainHashes };
    this.#write(() => ({ plainHashes }));
  }

  /** Calls back when a write found what somebody else had written, and that holds now too. */
  onTheirs(callback: () => void): void {
    this.#onTheirs = callback;
  }

  /** The file was changed by somebody else: what stands there now holds. While it is damaged, the last good settings stay. */
  async reread(): Promise<void> {
    await this.#writing;
    try {
      this.#take(await readData(this.#file));
      this.#damaged = false;
    } catch {
      if (!this.#damaged) this.#notice('data.json cannot be read as settings: those from before stay in force. Mend it.');
      this.#damaged = true;
    }
  }

  /** Resolves when what was changed is in the file, or cannot be. */
  written(): Promise<void> {
    return this.#writing;
  }

  #write(change: (found: Json) => object): void {
    this.#waiting++;
    this.#writing = this.#writing.then(async () => {
      try {
        const found = await readData(this.#file);
        const next: Json = { ...found, ...change(found) };
        await this.#file.write(next);
        if (this.#waiting === 1) this.#taken(next);
      } catch (error) {
        const why = error instanceof SyntaxError ? 'data.json cannot be read as settings. Mend it, or delete it.' : 'data.json cannot be written. Let Obsidian write to its plugin folder.';
        this.#notice(`The setting holds only until Model Hub is reloaded: ${why}`);
      } finally {
        this.#waiting--;
      }
    });
  }

  /** What stands in the file after our last write. */
  #taken(data: Json): void {
    const inForce = (): string => JSON.stringify([policyToJson(this.#policies), this.traces()]);
    const before = inForce();
    this.#take(data);
    if (inForce() !== before) this.#onTheirs();
  }

  #take(data: Json): void {
    this.#policies = policyFromJson(data); // throws before anything is taken
    this.#data = data;
  }
}

async function readData(file: DataFile): Promise<Json> {
  const found = await file.read();
  return found === undefined ? {} : objectIn(found);
}
