/** What is kept on this device: the witness of the log, how far traces were sent, secrets and what they are for. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Witness } from '../../../src/node/log/witness.ts';
import { DeviceHeads, deviceProgress, DeviceStore, type LocalStorage } from '../../../src/obsidian/ports/device-store.ts';
import { HeaderSecrets, OwnSecrets } from '../../../src/obsidian/ports/secrets.ts';
import { FakeClock } from '../../fakes/clock.ts';

/** Keeps what JSON keeps, as the app's does. */
class MemoryStorage implements LocalStorage {
  readonly kept = new Map<string, string>();

  loadLocalStorage(key: string): unknown {
    const text = this.kept.get(key);
    return text === undefined ? null : JSON.parse(text);
  }

  saveLocalStorage(key: string, data: unknown): void {
    if (data === null) this.kept.delete(key);
    else this.kept.set(key, JSON.stringify(data));
  }
}

/** Refuses the names that Obsidian refuses. */
class MemorySecrets {
  readonly kept = new Map<string, string>();

  getSecret(id: string): string | null {
    return this.kept.get(id) ?? null;
  }

  setSecret(id: string, secret: string): void {
    if (!/^[a-z0-9-]+$/.test(id)) throw new Error('Invalid id');
    this.kept.set(id, secret);
  }
}

let storage: MemoryStorage;
let store: DeviceStore;
beforeEach(() => {
  storage = new MemoryStorage();
  store = new DeviceStore(storage);
});

describe('the witness', () => {
  it('E02 keeps the newest head of each start, the newest 64 of them, outside of the vault', () => {
    const heads = new DeviceHeads(store);
    for (let i = 0; i < 70; i++) heads.save({ w: `w${i}`, n: 1, digest: 'aa' });
    heads.save({ w: 'w69', n: 2, digest: 'bb' });
    const found = heads.load();
    expect([found.length, found.at(-1), found.some(({ w }) => w === 'w5')]).toEqual([64, { w: 'w69', n: 2, digest: 'bb' }, false]);
  });

  it('E02 what somebody made of it in the storage tells nothing', () => {
    store.set('heads', [{ w: 1, n: 1, digest: 'aa' }, null, 'x', { w: 'w', n: 1, digest: 'aa' }]);
    expect(new DeviceHeads(store).load()).toEqual([{ w: 'w', n: 1, digest: 'aa' }]);
    store.set('heads', { w: 'w' });
    expect(new DeviceHeads(store).load()).toEqual([]);
  });

  it('F121 is gone when the log is deleted, and is not born again', () => {
    const witness = new Witness({ store: new DeviceHeads(store), clock: new FakeClock(), head: () => 'w1:1:aa' });
    witness.flush();
    witness.delete();
    witness.flush();
    expect([...storage.kept]).toEqual([]);
  });
});

describe('how far traces were sent', () => {
  it('E03 is known at the next start, which goes on with what was left', () => {
    const first = deviceProgress(store, 'w1').of('http://a');
    const progress = first.open('w1', 3);
    progress.sent.add(3, 5);
    first.save(progress);
    const second = deviceProgress(store, 'w2').of('http://a');
    const adopted = second.adopt();
    expect(adopted.map(({ writer, from, sent }) => [writer, from, sent.toJSON()])).toEqual([['w1', 3, [[3, 5]]]]);
    expect(second.adopt()).toEqual([]);
    second.finish(adopted[0]!);
    expect(deviceProgress(store, 'w3').of('http://a').adopt()).toEqual([]);
    expect(second.open('w1', 1).sent.has(4)).toBe(true);
  });

  it('E03 belongs to one endpoint', () => {
    const progress = deviceProgress(store, 'w1').of('http://a');
    progress.save(progress.open('w1', 1));
    expect(deviceProgress(store, 'w2').of('http://b').adopt()).toEqual([]);
  });

  it('D32 nothing waits to be sent any more after sending was switched off', () => {
    for (const url of ['http://a', 'http://b']) {
      const progress = deviceProgress(store, 'w1').of(url);
      progress.save(progress.open('w1', 1));
    }
    deviceProgress(store, 'w1').of('http://a').finishAll();
    expect(deviceProgress(store, 'w2').of('http://b').adopt()).toHaveLength(1);
    deviceProgress(store, 'w1').finishAll();
    expect(deviceProgress(store, 'w2').of('http://b').adopt()).toEqual([]);
  });

  it('E03 what somebody made of it in the storage is passed over', () => {
    store.set('progress', [{ url: 'http://a', writer: 'w1', from: 1, sent: [['x', 2]], live: true }, 7]);
    expect(deviceProgress(store, 'w2').of('http://a').adopt()).toEqual([]);
  });
});

describe('secrets', () => {
  it('D32 a secret goes to the origin it was set for, and nowhere else', () => {
    const secrets = new HeaderSecrets(new MemorySecrets(), store);
    secrets.set('collector-token', 'Bearer abc', 'https://collector.example');
    expect([secrets.get('collector-token', 'https://collector.example'), secrets.get('collector-token', 'https://other.example')]).toEqual(['Bearer abc', undefined]);
    expect(secrets.list()).toEqual([['collector-token', 'https://collector.example']]);
  });

  it('D32 a secret of another plugin cannot be named into a header: it was not set here', () => {
    const vault = new MemorySecrets();
    vault.setSecret('openai-key', 'sk-1');
    expect(new HeaderSecrets(vault, store).get('openai-key', 'https://collector.example')).toBeUndefined();
  });

  it('obsidian 35 no secret stands in the local storage or anywhere but in the secret storage', () => {
    const vault = new MemorySecrets();
    new HeaderSecrets(vault, store).set('collector-token', 'Bearer abc', 'https://collector.example');
    const own = new OwnSecrets(vault, store);
    const made = [own.hashKey(), own.mcpToken(), 'Bearer abc'];
    for (const secret of made) expect(JSON.stringify([...storage.kept])).not.toContain(secret);
    expect(made.every((secret) => [...vault.kept.values()].includes(secret))).toBe(true);
  });

  it('D32 names and values that cannot be are refused in a sentence, and a deleted one is gone', () => {
    const secrets = new HeaderSecrets(new MemorySecrets(), store);
    expect(() => secrets.set('Token 1', 'x', 'https://a')).toThrow('lower-case letters');
    expect(() => secrets.set('token', 'a\nb', 'https://a')).toThrow('cannot stand in a header');
    expect(() => secrets.delete('token')).toThrow('no secret of this name');
    secrets.set('token', 'abc', 'https://a');
    secrets.delete('token');
    expect([secrets.get('token', 'https://a'), secrets.list()]).toEqual([undefined, []]);
  });

  it('D25 the key of the hashes stays the same from start to start, and is one of its own for each vault', () => {
    const vault = new MemorySecrets();
    const key = new OwnSecrets(vault, store).hashKey();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(new OwnSecrets(vault, new DeviceStore(storage)).hashKey()).toBe(key);
    expect(new OwnSecrets(vault, new DeviceStore(new MemoryStorage())).hashKey()).not.toBe(key);
  });

  it('D25 a key that somebody cut short is not used', () => {
    const vault = new MemorySecrets();
    const own = new OwnSecrets(vault, store);
    own.hashKey();
    for (const name of vault.kept.keys()) vault.kept.set(name, 'abc');
    expect(own.hashKey()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('F121 nothing of the plugin stays after an uninstall', () => {
    const vault = new MemorySecrets();
    const own = new OwnSecrets(vault, store);
    own.hashKey();
    own.mcpToken();
    store.set('mcp', { on: true });
    own.clear();
    store.clear();
    expect([[...storage.kept], [...vault.kept.values()].join('')]).toEqual([[], '']);
  });

  it('a new token takes the place of the old one', () => {
    const own = new OwnSecrets(new MemorySecrets(), store);
    const before = own.mcpToken();
    own.renewMcpToken();
    expect([own.mcpToken() === before, own.mcpToken().length]).toEqual([false, 32]);
  });
});
