/**
 * Secrets in Obsidian's secret storage, by name; never in a file that may be synced. The origin that a secret is for is
 * kept on this device: whoever changes the endpoint in the settings does not get what was meant for another.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SecretStorage } from 'obsidian';
import { AdvisedError } from '../../node/advised-error.ts';
import type { NamedSecretStore } from '../../node/export/traces.ts';
import type { DeviceStore } from './device-store.ts';

type Storage = Pick<SecretStorage, 'getSecret' | 'setSecret'>;

/** As Obsidian takes them. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Secrets for the headers of traces. */
export class HeaderSecrets implements NamedSecretStore {
  readonly #storage: Storage;
  readonly #store: DeviceStore;

  constructor(storage: Storage, store: DeviceStore) {
    this.#storage = storage;
    this.#store = store;
  }

  get(name: string, origin: string): string | undefined {
    return this.#origins().get(name) === origin ? this.#storage.getSecret(name) || undefined : undefined;
  }

  list(): readonly (readonly [name: string, origin: string])[] {
    return [...this.#origins()].sort();
  }

  set(name: string, value: string, origin: string): void {
    if (!NAME.test(name)) throw new AdvisedError('A secret needs a name of lower-case letters, digits and hyphens.', 'For example: collector-token', 2);
    if (!/^[\t\x20-\x7e]+$/.test(value)) throw new AdvisedError('This cannot stand in a header: plain letters, digits and signs only, on one line.', 'Give the secret as it is, for example: Bearer abc', 2);
    this.#storage.setSecret(name, value);
    this.#keep(this.#origins().set(name, origin));
  }

  /** The storage has no way to take a name out: the value goes. */
  delete(name: string): void {
    const origins = this.#origins();
    if (!origins.delete(name)) throw new AdvisedError('There is no secret of this name.', 'Set it first.');
    this.#storage.setSecret(name, '');
    this.#keep(origins);
  }

  #keep(origins: ReadonlyMap<string, string>): void {
    this.#store.set('secret-origins', Object.fromEntries(origins));
  }

  #origins(): Map<string, string> {
    const found = this.#store.get('secret-origins');
    if (typeof found !== 'object' || found === null) return new Map();
    return new Map(Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }
}

/** The hub's own secrets for one vault, made when they are first asked for. */
export class OwnSecrets {
  readonly #storage: Storage;
  readonly #store: DeviceStore;

  constructor(storage: Storage, store: DeviceStore) {
    this.#storage = storage;
    this.#store = store;
  }

  /** Names the vault in traces; says nothing about its path. */
  vaultId(): string {
    const found = this.#store.get('vault-id');
    if (typeof found === 'string' && found !== '') return found;
    const made = randomUUID();
    this.#store.set('vault-id', made);
    return made;
  }

  /** 32 bytes, hexadecimal (D25). */
  hashKey(): string {
    return this.#get('hash-key', /^[0-9a-f]{64}$/, () => randomBytes(32).toString('hex'));
  }

  /** What MCP clients send as a bearer token. */
  mcpToken(): string {
    return this.#get('mcp-token', /^[\w-]{16,}$/, () => randomBytes(24).toString('base64url'));
  }

  /** The old one opens nothing any more. */
  renewMcpToken(): void {
    this.#storage.setSecret(this.#name('mcp-token'), randomBytes(24).toString('base64url'));
  }

  /** The plugin is uninstalled. */
  clear(): void {
    for (const what of ['hash-key', 'mcp-token']) this.#storage.setSecret(this.#name(what), '');
  }

  #get(what: string, shape: RegExp, make: () => string): string {
    const name = this.#name(what);
    const found = this.#storage.getSecret(name);
    if (found !== null && shape.test(found)) return found;
    const made = make();
    this.#storage.setSecret(name, made);
    return made;
  }

  /** With the vault in it: the storage may be one for all vaults of this device. */
  #name(what: string): string {
    return `model-hub-${what}-${this.vaultId().slice(0, 8)}`;
  }
}
