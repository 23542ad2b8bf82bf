/**
 * The real host in a process of its own, over a copy of the example vault, with a real MCP client and a person at the page.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Question, Settlement } from '../../src/core/questions.ts';
import type { Decision, Receipt } from '../../src/core/questions.ts';
import type { PageEvents } from '../../src/host/page/wire.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MODEL_HUB = join(ROOT, 'dist', 'model-hub.mjs');

/** A vault and a state folder that are gone after the test. */
export class TempPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'model-hub-test-'));
  readonly vault = join(this.folder, 'vault');
  readonly state = join(this.folder, 'state');

  constructor() {
    cpSync(join(ROOT, 'examples', 'vault'), this.vault, { recursive: true });
  }

  note(path: string): string {
    return readFileSync(join(this.vault, path), 'utf8');
  }

  /** Everything that the hub keeps in its own folder, and the state beside it but for what undo keeps. */
  logBytes(): string {
    const hub = join(this.vault, '.obsidian', 'plugins', 'model-hub');
    return readdirSync(hub, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => readFileSync(join(hub, name), 'utf8')).join('\n');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class HostProcess {
  readonly url: string;
  readonly token: string;
  readonly key: string;
  readonly child: ChildProcess;
  /** Everything that it printed until now. */
  readonly said: () => string;

  private constructor(child: ChildProcess, said: () => string) {
    const greeting = said();
    this.child = child;
    this.said = said;
    this.url = /Page {3}(http:\/\/[^/]+)/.exec(greeting)![1]!;
    this.key = /login\?key=(\S+)/.exec(greeting)![1]!;
    this.token = /Bearer (\S+)/.exec(greeting)![1]!;
  }

  static async start(place: Pick<TempPlace, 'vault' | 'state'>, args: readonly string[] = []): Promise<HostProcess> {
    const child = spawn(process.execPath, [MODEL_HUB, '--vault', place.vault, '--state', place.state, '--no-open', ...(args.includes('--port') ? [] : ['--port', '0']), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    return new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        if (said.includes('Ctrl-C ends')) resolve(new HostProcess(child, () => said));
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => reject(new Error(`the host ended with ${code}: ${said}`)));
    });
  }

  /** Ends it as Ctrl-C does; answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill(signal);
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }

  async client(name = 'Claude Code'): Promise<Client> {
    const client = new Client({ name, version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${this.token}` } } }));
    return client;
  }

  person(): Promise<Person> {
    return Person.at(this);
  }
}

/** Runs a command of `model-hub` to its end. */
export async function modelHub(place: Pick<TempPlace, 'vault' | 'state'>, first: string | { readonly stdin: string }, ...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const words = typeof first === 'string' ? [first, ...args] : args;
  const child = spawn(process.execPath, [MODEL_HUB, ...words, '--vault', place.vault, '--state', place.state], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(typeof first === 'string' ? '' : first.stdin);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { err += chunk.toString(); });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Somebody who sits at the page: sees what its stream tells, and answers by its requests. */
export class Person {
  readonly #url: string;
  readonly #cookie: string;
  readonly #left = new AbortController();
  readonly settlements: Settlement[] = [];
  #page = '';
  #question: Question | undefined;
  #look: () => void = () => undefined;

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  static async at({ url, key }: HostProcess): Promise<Person> {
    const login = await fetch(`${url}/login?key=${key}`, { redirect: 'manual' });
    const person = new Person(url, login.headers.get('set-cookie')!.split(';')[0]!);
    await person.#connect();
    return person;
  }

  /** The question on screen, once there is one. */
  async question(): Promise<Question> {
    while (!this.#question) await new Promise<void>((resolve) => { this.#look = resolve; });
    await this.#post('seen', { page: this.#page, id: this.#question.id });
    return this.#question;
  }

  async answer(decision: Decision, id?: string): Promise<Receipt> {
    const question = id ?? (await this.question()).id;
    const receipt = (await this.#post('answer', { page: this.#page, id: question, decision, shownWhole: true })) as Receipt;
    // The stream says so too, perhaps a little later: until then the next question would be taken for this one.
    if (receipt.accepted && this.#question?.id === question) this.#question = undefined;
    return receipt;
  }

  async undo(call: string): Promise<{ readonly sentence?: string; readonly code?: string; readonly message?: string }> {
    return (await this.#post('undo', { call, from: 'view' })) as { sentence?: string };
  }

  set(body: object): Promise<unknown> {
    return this.#post('settings', body);
  }

  leave(): void {
    this.#left.abort();
  }

  async #connect(): Promise<void> {
    const response = await fetch(`${this.#url}/api/events`, { headers: { cookie: this.#cookie }, signal: this.#left.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = async (): Promise<void> => {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        text += chunk.value;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.#heard(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    };
    read().catch(() => undefined);
    while (this.#page === '') await new Promise<void>((resolve) => { this.#look = resolve; });
  }

  #heard(event: string): void {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
    if (name === 'state') {
      const state = JSON.parse(data!) as PageEvents['state'];
      this.#page = state.page;
      this.#question = state.question;
    }
    if (name === 'question') this.#question = JSON.parse(data!) as Question;
    if (name === 'close') {
      const settlement = JSON.parse(data!) as Settlement;
      this.settlements.push(settlement);
      if (this.#question?.id === settlement.id) this.#question = undefined;
    }
    this.#look();
  }

  async #post(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/${path}`, { method: 'POST', headers: { 'content-type': 'application/json', cookie: this.#cookie, origin: this.#url }, body: JSON.stringify(body) });
    return response.json();
  }
}
