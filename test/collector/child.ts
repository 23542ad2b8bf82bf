/**
 * A server in a process of its own, on ports of 127.0.0.1 that stay its own over stops and starts. It never outlives the
 * tests: whatever ends them, a guard on the other end of a pipe notices and kills it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export const HOST = '127.0.0.1';

const START_MS = 30_000;
const STOP_MS = 10_000;
const LOG_CHARS = 200_000;
const GUARD = "process.stdin.resume().once('end', () => { try { process.kill(Number(process.argv[1]), 'SIGKILL'); } catch {} })";

export interface Plan {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers 200 once it serves. */
  readonly health: string;
}

/** Ports that nobody has now; taken together, so that they differ. */
export async function freePorts<const N extends readonly string[]>(...names: N): Promise<Record<N[number], number>> {
  const servers = await Promise.all(names.map(async (name) => {
    const server = createServer().listen(0, HOST);
    await once(server, 'listening');
    return { name, server, port: (server.address() as AddressInfo).port };
  }));
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(servers.map(({ name, port }) => [name, port])) as Record<N[number], number>;
}

export class Child {
  readonly #plan: Plan;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** What it wrote, over all its starts; the newest part if that is much. */
  get log(): string {
    return this.#log;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Starts it, also again after a stop or a kill; returns once it serves. */
  async start(): Promise<void> {
    if (this.#child) throw new Error(`${this.#plan.name} runs already.`);
    const { program, args, env } = this.#plan;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { this.#log = (this.#log + chunk.toString()).slice(-LOG_CHARS); });
    child.once('exit', () => { if (this.#child === child) this.#child = undefined; });
    let failed: Error | undefined;
    child.once('error', (error) => {
      failed = error;
      this.#child = undefined;
    });
    if (child.pid !== undefined) guard(child, child.pid);
    await this.#served(child, () => failed);
  }

  /** Ends it in order. One that is held, or does not end in time, is killed. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await once(child, 'exit');
    clearTimeout(late);
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** It keeps its connections and says nothing, until `resume`. Returns once all its threads stand: a signal is taken a little later. */
  async hold(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    this.#child?.kill('SIGSTOP');
    for (const end = Date.now() + STOP_MS; Date.now() < end && !stands(pid);) await pause(10);
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async #served(child: ChildProcess, failed: () => Error | undefined): Promise<void> {
    const { name, health } = this.#plan;
    for (const end = Date.now() + START_MS; Date.now() < end; await pause(50)) {
      if (this.#child !== child) throw new Error(`${name} did not start: ${failed()?.message ?? this.#log}`);
      const answer = await fetch(health, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      if (answer?.ok) return;
    }
    await this.kill();
    throw new Error(`${name} does not answer at ${health}: ${this.#log}`);
  }
}

/** Where the system shows no threads, nobody knows: then it is taken to. */
function stands(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}

/** Its pipe ends with this process, also if that is killed; then the child is killed. */
function guard(child: ChildProcess, pid: number): void {
  const watcher = spawn(process.execPath, ['-e', GUARD, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}

/** Looks until there is an answer, at most so long. */
export async function eventually<T>(look: () => Promise<T | undefined>, what: string, ms = 15_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what}: not within ${ms / 1000} s`);
}
