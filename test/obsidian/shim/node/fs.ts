/**
 * `node:fs` in the page: every function of Node's by its name, done by Node on the real disk. What takes a buffer to read
 * into, or answers an object with methods, is written out here.
 */
import { Buffer } from 'node:buffer';
import type { Boot } from '../host/host.ts';
import type { Bridge } from './bridge.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** What is known of a file, with the questions that Node's `Stats` and `Dirent` answer. */
function withKinds(v: unknown): object {
  const { kinds, ...fields } = v as { kinds: readonly string[] };
  const is = (kind: string) => ({ value: () => kinds.includes(kind), enumerable: false });
  return Object.defineProperties(fields, {
    isFile: is('isFile'), isDirectory: is('isDirectory'), isSymbolicLink: is('isSymbolicLink'), isFIFO: is('isFIFO'),
    isSocket: is('isSocket'), isBlockDevice: is('isBlockDevice'), isCharacterDevice: is('isCharacterDevice'),
  });
}

/** Makers for what Node's files answer. */
export function fileMakers(bridge: Bridge): Record<string, (v: unknown) => unknown> {
  return { stats: withKinds, dirent: withKinds, handle: (v) => makeHandle(bridge, v as { fd: number; number: number }) };
}

function makeHandle(bridge: Bridge, { fd, number }: { readonly fd: number; readonly number: number }): object {
  const does = (name: string): AnyFunction => (...args) => bridge.on(number, name, ...args);
  return {
    fd,
    appendFile: does('appendFile'), chmod: does('chmod'), datasync: does('datasync'), readFile: does('readFile'), stat: does('stat'), sync: does('sync'),
    truncate: does('truncate'), utimes: does('utimes'), writeFile: does('writeFile'), close: does('close'),
    write: async (data: unknown, ...rest: unknown[]) => {
      const { bytesWritten } = (await bridge.on(number, 'write', data, ...rest)) as { bytesWritten: number };
      return { bytesWritten, buffer: data };
    },
    read: async (...args: unknown[]) => {
      const { buffer, offset, length, position } = readingInto(args);
      const bytes = (await bridge.on(number, 'readBytes', length, position)) as Buffer;
      buffer.set(bytes, offset);
      return { bytesRead: bytes.length, buffer };
    },
  };
}

/** The places of `read(fd, …)`, given one by one or as an object. */
function readingInto(args: readonly unknown[]): { buffer: Uint8Array; offset: number; length: number; position: number | bigint | null } {
  const [first, second, third, fourth] = args;
  const view = ArrayBuffer.isView(first) ? first : (first as { buffer?: ArrayBufferView } | undefined)?.buffer ?? Buffer.alloc(16_384);
  const given = (ArrayBuffer.isView(first) ? (typeof second === 'object' && second !== null ? second : { offset: second, length: third, position: fourth }) : first ?? {}) as { offset?: number; length?: number; position?: number | bigint };
  const buffer = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const offset = given.offset ?? 0;
  return { buffer, offset, length: given.length ?? buffer.length - offset, position: given.position ?? null };
}

function readSync(bridge: Bridge): AnyFunction {
  return (fd, ...args) => {
    const { buffer, offset, length, position } = readingInto(args);
    const bytes = bridge.sync('fs.readBytes', fd, length, position) as Buffer;
    buffer.set(bytes, offset);
    return bytes.length;
  };
}

function read(bridge: Bridge): AnyFunction {
  return (fd, ...args) => {
    const done = args.pop() as AnyFunction;
    const { buffer, offset, length, position } = readingInto(args);
    bridge.call('fs.readBytes', fd, length, position).then((bytes) => {
      buffer.set(bytes as Buffer, offset);
      done(null, (bytes as Buffer).length, args[0]);
    }, done);
  };
}

/** `fs`, with `promises` and `constants` on it. */
export function makeFs(bridge: Bridge, boot: Boot): Record<string, unknown> {
  const promised = Object.fromEntries(boot.fsPromises.map((name): [string, AnyFunction] => [name, (...args) => bridge.call(`fs.promises.${name}`, ...args)]));
  const named = boot.fs.map((name): [string, AnyFunction] => [name, name.endsWith('Sync') ? (...args) => bridge.sync(`fs.${name}`, ...args) : withCallback(name, bridge)]);
  const realpath = Object.assign(withCallback('realpath', bridge), { native: withCallback('realpath', bridge) });
  const realpathSync = Object.assign((...args: unknown[]) => bridge.sync('fs.realpathSync', ...args), { native: (...args: unknown[]) => bridge.sync('fs.realpathSync', ...args) });
  return {
    ...Object.fromEntries(named), realpath, realpathSync, read: read(bridge), readSync: readSync(bridge), exists: exists(bridge),
    promises: { ...promised, constants: boot.fsConstants }, constants: boot.fsConstants,
    ...Object.fromEntries(NOT_HERE.map((name) => [name, () => { throw new Error(`fs.${name} is not in the shim.`); }])),
  };
}

const NOT_HERE = ['createReadStream', 'createWriteStream', 'watch', 'watchFile', 'unwatchFile', 'openAsBlob', 'opendir', 'opendirSync', 'readv', 'readvSync', 'glob', 'globSync'];

function withCallback(name: string, bridge: Bridge): AnyFunction {
  return (...args) => {
    const done = args.pop() as AnyFunction;
    bridge.call(`fs.${syncName(name)}`, ...args).then((value) => done(null, value), done);
  };
}

/** The callback's form is done by Node's own synchronous one: the page does not wait for it. */
function syncName(name: string): string {
  return `${name}Sync`;
}

function exists(bridge: Bridge): AnyFunction {
  return (path, done) => void bridge.call('fs.existsSync', path).then((found) => (done as AnyFunction)(found));
}
