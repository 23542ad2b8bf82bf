/**
 * What belongs to this device and this vault, and is never synced: in the app's local storage, under names of our own. Of
 * one window at a time: Obsidian opens a vault once.
 */
import type { App } from 'obsidian';
import type { Head } from '../../../otel/log-verify.ts';
import type { Progress, ProgressStore } from '../../../otel/exporter/progress.ts';
import { Ranges, type Range } from '../../../otel/exporter/ranges.ts';
import { HEADS_REMEMBERED, type HeadStore } from '../../node/log/witness.ts';
import type { ProgressStores } from '../../node/export/traces.ts';

/** The app's local storage of this vault. */
export type LocalStorage = Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;

const PREFIX = 'model-hub-';
const KEYS = ['heads', 'progress', 'mcp', 'cli', 'vault-id', 'secret-origins', 'installed'] as const;
export type DeviceKey = (typeof KEYS)[number];

export class DeviceStore {
  readonly #storage: LocalStorage;

  constructor(storage: LocalStorage) {
    this.#storage = storage;
  }

  /** What was kept; `undefined` if nothing was. Anybody may have changed it: read it as what it may be. */
  get(key: DeviceKey): unknown {
    return this.#storage.loadLocalStorage(PREFIX + key) ?? undefined;
  }

  /** `null` takes it away. */
  set(key: DeviceKey, value: unknown): void {
    this.#storage.saveLocalStorage(PREFIX + key, value);
  }

  /** The plugin is uninstalled: nothing of it stays. */
  clear(): void {
    for (const key of KEYS) this.set(key, null);
  }
}

/** The witness of the log (E02). */
export class DeviceHeads implements HeadStore {
  readonly #store: DeviceStore;

  constructor(store: DeviceStore) {
    this.#store = store;
  }

  load(): readonly Head[] {
    const found = this.#store.get('heads');
    return Array.isArray(found) ? found.filter(isHead) : [];
  }

  save(head: Head): void {
    this.#store.set('heads', [...this.load().filter(({ w }) => w !== head.w), head].slice(-HEADS_REMEMBERED));
  }

  delete(): void {
    this.#store.set('heads', null);
  }
}

function isHead(value: unknown): value is Head {
  const { w, n, digest } = (value ?? {}) as Partial<Record<keyof Head, unknown>>;
  return typeof w === 'string' && Number.isSafeInteger(n) && typeof digest === 'string';
}

/** Starts of which is remembered how far they were sent, to each endpoint. */
const WRITERS_REMEMBERED = 200;

interface Kept {
  readonly url: string;
  readonly writer: string;
  readonly from: number;
  readonly sent: readonly Range[];
  /** Rows that are not sent yet are still to be sent. */
  readonly live: boolean;
}

/** How far rows were sent. `own`: the writer of this start. */
export function deviceProgress(store: DeviceStore, own: string): ProgressStores {
  const all = (): readonly Kept[] => {
    const found = store.get('progress');
    return Array.isArray(found) ? found.filter(isKept) : [];
  };
  const put = (kept: Kept): void => {
    store.set('progress', [...all().filter(({ url, writer }) => url !== kept.url || writer !== kept.writer), kept].slice(-WRITERS_REMEMBERED));
  };
  const of = (url: string): ProgressStore => {
    const adopted = new Set<string>([own]);
    const save = ({ writer, from, sent }: Progress, live: boolean): void => put({ url, writer, from, sent: sent.toJSON(), live });
    return {
      open: (writer, from) => ({ writer, from, sent: new Ranges(all().find((kept) => kept.url === url && kept.writer === writer)?.sent), place: undefined }),
      adopt: () => all().flatMap((kept): Progress[] => {
        if (kept.url !== url || !kept.live || adopted.has(kept.writer)) return [];
        adopted.add(kept.writer);
        return [{ writer: kept.writer, from: kept.from, sent: new Ranges(kept.sent), place: undefined }];
      }),
      save: (progress) => save(progress, true),
      finish: (progress) => save(progress, false),
      finishAll: () => {
        for (const kept of all()) if (kept.url === url && kept.live) put({ ...kept, live: false });
      },
    };
  };
  return {
    of,
    finishAll: () => {
      for (const kept of all()) if (kept.live) put({ ...kept, live: false });
    },
  };
}

function isKept(value: unknown): value is Kept {
  const { url, writer, from, sent, live } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof url === 'string' && typeof writer === 'string' && Number.isSafeInteger(from) && typeof live === 'boolean'
    && Array.isArray(sent) && sent.every((range: unknown) => Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger));
}
