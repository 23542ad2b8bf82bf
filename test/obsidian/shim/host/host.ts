/**
 * The Node that one app's page has: a server on the loopback that gives the page its files, does its calls and tells it what
 * happened. Its address holds a key, so that nobody else can call.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { json } from 'node:stream/consumers';
import { pack, unpack, type Answer, type Call, type Told } from '../wire.ts';
import { Calls } from './calls.ts';
import { Kept } from './kept.ts';
import { Network } from './network.ts';
import { watchVault } from './watch.ts';

/** What the page must know before its first line runs. */
export interface Boot {
  readonly vault: string;
  readonly fs: readonly string[];
  readonly fsPromises: readonly string[];
  readonly fsConstants: object;
  readonly osConstants: object;
  readonly osNames: readonly string[];
  readonly eol: string;
  readonly process: { readonly platform: string; readonly arch: string; readonly pid: number; readonly ppid: number; readonly version: string; readonly versions: object; readonly cwd: string; readonly env: object };
}

/** The page's number for what concerns the vault as a whole. */
export const VAULT = 0;

export class Host {
  readonly network = new Network();
  readonly #kept = new Kept((told) => this.#tell(told));
  readonly #calls = new Calls(this.#kept, this.network);
  readonly #key = randomBytes(12).toString('hex');
  readonly #files: ReadonlyMap<string, readonly [type: string, body: string]>;
  readonly #vault: string;
  readonly #server = http.createServer((req, res) => void this.#answer(req, res).catch((error: unknown) => res.destroy(error as Error)));
  #watcher: fs.FSWatcher | undefined;
  #listener: http.ServerResponse | undefined;

  /** `files`: what the page may load, by name. */
  constructor(vault: string, files: ReadonlyMap<string, readonly [type: string, body: string]>) {
    this.#vault = vault;
    this.#files = files;
  }

  /** Starts, and answers the address of the page's folder, with a slash at its end. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#watcher = watchVault(this.#vault, (paths) => this.#kept.tell(VAULT, 'changed', paths));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.#key}/`;
  }

  /** Everything that the page holds open ends, as when the app's process goes. */
  endPage(): void {
    this.#kept.endAll();
    this.#listener?.end();
    this.#listener = undefined;
  }

  async stop(): Promise<void> {
    this.#watcher?.close();
    this.endPage();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const [, key, name = ''] = (req.url ?? '').split(/[/?]/);
    if (key !== this.#key) return void res.writeHead(404).end();
    if (name === 'call') {
      const answer = JSON.stringify(await this.#call((await json(req)) as Call));
      return void res.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    }
    if (name === 'told') {
      this.#listener?.end();
      this.#listener = res.writeHead(200, { 'content-type': 'application/x-ndjson' });
      return void res.write('\n'); // the page waits for the first byte
    }
    if (name === 'boot') return void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(bootOf(this.#vault)));
    const file = this.#files.get(name);
    if (!file) return void res.writeHead(404).end();
    res.writeHead(200, { 'content-type': file[0], 'cache-control': 'no-store' }).end(file[1]);
  }

  async #call({ name, args, on }: Call): Promise<Answer> {
    try {
      const given = args.map((each) => unpack(each));
      const value = await (on === undefined ? this.#calls.do(name, given) : this.#kept.do(on, name, given));
      return { value: pack(value, this.#calls.special) };
    } catch (error) {
      return { error: pack(error) };
    }
  }

  #tell({ to, what, args }: Told): void {
    this.#listener?.write(`${JSON.stringify({ to, what, args: args.map((each) => pack(each)) })}\n`);
  }
}

function bootOf(vault: string): Boot {
  const functionsOf = (module: object): string[] => Object.entries(module).filter(([name, value]) => typeof value === 'function' && !/^[A-Z_]/.test(name)).map(([name]) => name);
  return {
    vault,
    fs: functionsOf(fs),
    fsPromises: functionsOf(fs.promises),
    fsConstants: fs.constants,
    osConstants: os.constants,
    osNames: functionsOf(os),
    eol: os.EOL,
    process: { platform: process.platform, arch: process.arch, pid: process.pid, ppid: process.ppid, version: process.version, versions: { ...process.versions, electron: '39.0.0' }, cwd: process.cwd(), env: { HOME: os.homedir() } },
  };
}
