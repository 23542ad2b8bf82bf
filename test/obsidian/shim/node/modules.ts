/**
 * What `require` answers for Node's modules, and Node's globals. A member that the shim does not have throws when it is
 * looked at: a plugin that needs one fails where it needs it, and says which.
 */
import { Buffer, INSPECT_MAX_BYTES, kMaxLength } from 'node:buffer';
import events from 'node:events';
import path from 'node:path';
import stream from 'node:stream';
import type { Boot } from '../host/host.ts';
import type { Bridge } from './bridge.ts';
import { makeCrypto } from './crypto.ts';
import { makeFs } from './fs.ts';
import { makeRequests } from './http-client.ts';
import { IncomingMessage, Server, ServerResponse } from './http-server.ts';
import { setImmediate, timers, timersPromises } from './timers.ts';

/** Bundlers and the language look for these on anything. */
const ASKED_OF_ALL = new Set<string | symbol>(['__esModule', 'default', 'then', 'toJSON', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', ...Object.getOwnPropertyNames(Object.prototype)]);

function strict(name: string, members: object): object {
  const missing = new Proxy({}, {
    get: (_, key) => {
      if (typeof key === 'symbol' || ASKED_OF_ALL.has(key)) return undefined;
      throw new Error(`${name}.${key} is not in the shim.`);
    },
  });
  return Object.setPrototypeOf(Object.defineProperties({}, Object.getOwnPropertyDescriptors(members)), missing) as object;
}

/** Node's modules by name, without `node:`. */
export function makeModules(bridge: Bridge, boot: Boot): ReadonlyMap<string, unknown> {
  const fs = makeFs(bridge, boot);
  const server = (options: object, listener?: unknown) => (typeof options === 'function' ? new Server(bridge, {}, options as never) : new Server(bridge, options ?? {}, listener as never));
  class Agent { destroy(): void {} }
  const http = { createServer: server, Server, IncomingMessage, ServerResponse, Agent, globalAgent: new Agent(), ...makeRequests(bridge, 'http:') };
  return new Map<string, unknown>(Object.entries({
    fs, 'fs/promises': fs['promises'], path, 'path/posix': path, events, stream,
    'stream/promises': stream.promises,
    'stream/consumers': strict('stream/consumers', consumers),
    buffer: strict('buffer', { Buffer, INSPECT_MAX_BYTES, kMaxLength, Blob, File, atob: window.atob.bind(window), btoa: window.btoa.bind(window) }),
    os: strict('os', { ...Object.fromEntries(boot.osNames.map((name) => [name, (...args: unknown[]) => bridge.sync(`os.${name}`, ...args)])), EOL: boot.eol, constants: boot.osConstants }),
    crypto: strict('crypto', makeCrypto(bridge)),
    http: strict('http', http),
    https: strict('https', { Agent, globalAgent: new Agent(), ...makeRequests(bridge, 'https:') }),
    net: strict('net', { isIP, isIPv4: (text: string) => isIP(text) === 4, isIPv6: (text: string) => isIP(text) === 6, connect: connect(bridge), createConnection: connect(bridge) }),
    timers: strict('timers', timers),
    'timers/promises': strict('timers/promises', timersPromises),
    util: strict('util', { promisify, TextDecoder, TextEncoder, inspect: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)) }),
    url: strict('url', { URL, URLSearchParams, fileURLToPath, pathToFileURL: (file: string) => new URL(`file://${encodeURI(file)}`) }),
    perf_hooks: strict('perf_hooks', { performance: window.performance, PerformanceObserver }),
    worker_threads: strict('worker_threads', { isMainThread: true, parentPort: null, workerData: null, threadId: 0, Worker: NoWorker }),
    process: makeProcess(bridge, boot),
  }));
}

/** In a window of Electron's, Node's own workers cannot be made. */
function NoWorker(): never {
  throw Object.assign(new Error('The V8 platform used by this instance of Node does not support creating Workers'), { code: 'ERR_MISSING_PLATFORM_FOR_WORKER' });
}

async function bufferOf(source: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

const textOf = async (source: AsyncIterable<Uint8Array>): Promise<string> => (await bufferOf(source)).toString('utf8');

const consumers = {
  buffer: bufferOf,
  text: textOf,
  json: async (source: AsyncIterable<Uint8Array>): Promise<unknown> => JSON.parse(await textOf(source)),
};

function isIP(text: string): 0 | 4 | 6 {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) < 256)) return 4;
  return text.includes(':') && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}

/** Counted, and then refused: what is below HTTP is not in the shim. */
function connect(bridge: Bridge): (...args: unknown[]) => never {
  return (...args) => {
    bridge.sync('net.connect', JSON.stringify(args[0]));
    throw new Error('net.connect is not in the shim.');
  };
}

function promisify(takesCallback: (...args: unknown[]) => void): (...args: unknown[]) => Promise<unknown> {
  return (...args) => new Promise((resolve, reject) => takesCallback(...args, (error: Error | null, value: unknown) => (error ? reject(error) : resolve(value))));
}

function fileURLToPath(url: string | URL): string {
  return decodeURIComponent(new URL(url).pathname);
}

function makeProcess(bridge: Bridge, boot: Boot): object {
  const began = performance.now();
  const hrtime = Object.assign(() => {
    const ms = performance.now() - began;
    return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
  }, { bigint: () => BigInt(Math.round((performance.now() - began) * 1e6)) });
  return Object.assign(new events.EventEmitter(), boot.process, {
    type: 'renderer', browser: false, argv: [], execArgv: [], title: 'Obsidian', exitCode: undefined,
    cwd: () => boot.process.cwd,
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => callback(...args)),
    kill: (pid: number, signal: number) => bridge.sync('process.kill', pid, signal),
    memoryUsage: () => bridge.sync('process.memoryUsage'),
    uptime: () => (performance.now() - began) / 1_000,
    emitWarning: () => undefined,
    hrtime,
  });
}

/** Puts Node's globals on the window, as Electron does. */
export function setNodeGlobals(modules: ReadonlyMap<string, unknown>): void {
  Object.assign(window, { process: modules.get('process'), Buffer, global: window, setImmediate, clearImmediate: timers.clearImmediate });
}
