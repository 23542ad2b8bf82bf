/**
 * What a page may call: Node's own functions of files, of the machine and of hashes by their names, and the few that hold
 * something open. Every call is done for real, by this process.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import type { Tagged } from '../wire.ts';
import { openRequest, requestWhole, type Outgoing, type UrlRequest } from './http-send.ts';
import { serveHttp, type ServerSettings } from './http-serve.ts';
import type { Kept } from './kept.ts';
import type { Network } from './network.ts';

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Kinds of file, as `Stats` and `Dirent` tell them apart. */
export const KINDS = ['isFile', 'isDirectory', 'isSymbolicLink', 'isFIFO', 'isSocket', 'isBlockDevice', 'isCharacterDevice'] as const;

/** Answers `name` (`fs.readFileSync`, `fs.promises.open` …) with `args`, or throws as Node does. */
export class Calls {
  readonly #modules: ReadonlyMap<string, Functions>;
  readonly #kept: Kept;

  constructor(kept: Kept, network: Network) {
    this.#kept = kept;
    this.#modules = new Map<string, Functions>([
      ['fs', { ...fs, ...BYTES } as unknown as Functions],
      ['fs.promises', fs.promises as unknown as Functions],
      ['os', os as unknown as Functions],
      ['crypto', { hash: hashed, hmac, timingSafeEqual: crypto.timingSafeEqual }],
      ['process', { kill: (pid: number, signal: number) => process.kill(pid, signal), memoryUsage: () => process.memoryUsage() }],
      ['net', { connect: (url: string) => network.attempt('net', url) }],
      ['http', {
        serve: (settings: ServerSettings, where: (number | string | object)[]) => serveHttp(kept, settings, where),
        send: (outgoing: Outgoing) => openRequest(kept, network, outgoing),
        whole: (request: UrlRequest) => requestWhole(network, request),
      }],
    ]);
  }

  do(name: string, args: readonly unknown[]): unknown {
    const dot = name.lastIndexOf('.');
    const call = this.#modules.get(name.slice(0, dot))?.[name.slice(dot + 1)];
    if (!call) throw new Error(`The bridge has no ${name}.`);
    return call(...(args as never[]));
  }

  /** Objects of Node's own as data: what they know, and which kinds they say they are. */
  readonly special = (value: object): Tagged | undefined => {
    if (value instanceof fs.Stats || value.constructor.name === 'BigIntStats') return { $: 'stats', v: { ...fieldsOf(value), kinds: kindsOf(value as fs.Stats) } };
    if (value instanceof fs.Dirent) return { $: 'dirent', v: { name: value.name, parentPath: value.parentPath, kinds: kindsOf(value) } };
    if (isFileHandle(value)) return { $: 'handle', v: { fd: value.fd, number: this.#keepHandle(value) } };
    return undefined;
  };

  #keepHandle(handle: fs.promises.FileHandle): number {
    const methods = ['appendFile', 'chmod', 'datasync', 'readFile', 'stat', 'sync', 'truncate', 'utimes', 'write', 'writeFile'] as const;
    const doings: Functions = Object.fromEntries(methods.map((method) => [method, (...args: never[]) => (handle[method] as (...args: never[]) => unknown)(...args)]));
    const number = this.#kept.keep(
      { ...doings, readBytes: async (length: number, at: number | null) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
        return buffer.subarray(0, bytesRead);
      }, close: () => {
        this.#kept.forget(number);
        return handle.close();
      } },
      () => void handle.close().catch(() => undefined),
    );
    return number;
  }
}

/** Reading into a buffer of the page's: the bytes go over, the page puts them where they belong. */
const BYTES = {
  readBytes: (fd: number, length: number, at: number | bigint | null): Buffer => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, length, at));
  },
};

function hashed(algorithm: string, parts: readonly Buffer[]): Buffer {
  return crypto.createHash(algorithm).update(Buffer.concat(parts)).digest();
}

function hmac(algorithm: string, key: Buffer, parts: readonly Buffer[]): Buffer {
  return crypto.createHmac(algorithm, key).update(Buffer.concat(parts)).digest();
}

function isFileHandle(value: object): value is fs.promises.FileHandle {
  return value.constructor.name === 'FileHandle' && 'fd' in value;
}

function fieldsOf(stats: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stats).filter(([, value]) => typeof value !== 'function'));
}

function kindsOf(entry: fs.Stats | fs.Dirent): string[] {
  return KINDS.filter((kind) => entry[kind]());
}
