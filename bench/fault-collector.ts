/**
 * Collectors as they fail, and a real one that is killed. Beside each fault agents work: calls keep their speed, the user is
 * told once, the end takes two seconds at most, no credential goes elsewhere; when the collector is well again, it gets
 * every span of the log, and the user is told once more. Then 10 000 calls while the real collector is killed and started
 * again five times at random: Jaeger must hold what the log holds, no span missing and none twice.
 */
import type { Client } from '@modelcontextprotocol/client';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spansOf } from '../otel/exporter/spans.ts';
import type { Row } from '../otel/row.ts';
import { startCollector } from '../test/collector/collector.ts';
import { startJaeger } from '../test/collector/jaeger.ts';
import { FaultyCollector, FAULTS, type Fault } from '../test/support/faulty-collector.ts';
import { HostProcess, modelHub, MODEL_HUB, TempPlace } from '../test/support/host-process.ts';
import { bar, median, report, table, type Bar } from './measure.ts';

const CALLS_BESIDE_A_FAULT = 300;
/** Until the user must have been told: a try may take ten seconds. */
const TOLD_MS = 13_000;
/** Until a collector that is well again must have everything: one may have asked for a minute. */
const WELL_MS = 80_000;
const CALLS = 10_000;
const KILLS = 5;
const AGENTS = 8;
const SECRET = 'Bearer bench-secret';

if (!existsSync(MODEL_HUB)) throw new Error('Build the host first: npm run build');
const bars: { [name: string]: Bar } = {};

async function faults(): Promise<void> {
  const rows: string[][] = [];
  for (const fault of FAULTS) {
    const seen = await beside(fault);
    rows.push([fault, seen.median.toFixed(2), seen.quiet.toFixed(2), String(seen.told), seen.exitMs.toFixed(0), String(seen.elsewhere), String(seen.missing), String(seen.toldWell), seen.rssMb.toFixed(0)]);
    const name = fault.replaceAll(/\W+/g, '_');
    bars[`${name}_median_share`] = bar(seen.median / seen.quiet, 1.5); // between two processes and over a wire: the share itself is measured in bench:export
    bars[`${name}_told`] = bar(Math.abs(seen.told - (fault === 'partial success' ? 0 : 1)), 0);
    bars[`${name}_told_well`] = bar(Math.abs(seen.toldWell - (fault === 'partial success' ? 0 : 1)), 0);
    bars[`${name}_exit_ms`] = bar(seen.exitMs, 2_000);
    bars[`${name}_credentials_elsewhere`] = bar(seen.elsewhere, 0);
    bars[`${name}_spans_missing_when_well`] = bar(seen.missing, 0);
    bars[`${name}_unclean_ends`] = bar(seen.unclean, 0);
  }
  table(['fault', 'median ms', 'traces off', 'told', 'exit ms', 'credentials elsewhere', 'missing when well', 'told well', 'RSS MB'], rows);
}

/** A host that sends nothing, as young as the one that does, and called in turns with it. */
class Quiet {
  readonly #place: TempPlace;
  readonly #host: HostProcess;
  readonly #client: Client;

  private constructor(place: TempPlace, host: HostProcess, client: Client) {
    this.#place = place;
    this.#host = host;
    this.#client = client;
  }

  static async start(): Promise<Quiet> {
    const place = new TempPlace();
    const host = await HostProcess.start(place);
    return new Quiet(place, host, await host.client());
  }

  /** Milliseconds of calls, as a client sees them. */
  async beside(client: Client, calls: number): Promise<{ readonly times: readonly number[]; readonly quiet: readonly number[] }> {
    const times: number[] = [];
    const quiet: number[] = [];
    for (let i = 0; i < calls; i++) {
      quiet.push(await timed(this.#client));
      times.push(await timed(client));
    }
    return { times, quiet };
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.#host.stop();
    this.#place.remove();
  }
}

interface Seen {
  readonly median: number;
  /** The median of the calls beside it, with traces off. */
  readonly quiet: number;
  readonly told: number;
  readonly toldWell: number;
  readonly exitMs: number;
  readonly elsewhere: number;
  readonly missing: number;
  readonly unclean: number;
  readonly rssMb: number;
}

async function beside(fault: Fault): Promise<Seen> {
  const place = new TempPlace();
  const quiet = await Quiet.start();
  const collector = await FaultyCollector.start(fault);
  await modelHub(place, 'traces', '--set', `endpoint=${collector.url}`, '--set', 'header.Authorization=token', '--set', 'send=on');
  await setSecret(place, 'token', SECRET);
  const host = await HostProcess.start(place);
  const client = await host.client();
  const first = await quiet.beside(client, CALLS_BESIDE_A_FAULT);
  await until(() => isTold(host), fault === 'partial success' ? 3_000 : TOLD_MS);
  const second = await quiet.beside(client, CALLS_BESIDE_A_FAULT);
  await quiet.stop();
  const rssMb = rssOf(host);
  await pause(2_000); // once, and not again
  const told = count(host.said(), /Traces do not arrive/g);

  // The end, in the middle of it.
  await client.close();
  const begun = performance.now();
  const code = await host.stop();
  const exitMs = performance.now() - begun;

  // Well again: the next start sends what is missing, and so does a host that goes on.
  const again = await HostProcess.start(place);
  const other = await again.client();
  for (let i = 0; i < 20; i++) await timed(other);
  await until(() => isTold(again), fault === 'partial success' ? 3_000 : TOLD_MS);
  await collector.mend();
  const inLog = (): Set<string> => new Set(rowsOf(place).filter(({ kind }) => kind !== 'run').flatMap(spansOf).map(({ traceId, spanId }) => traceId + spanId));
  const missing = (): number => [...inLog()].filter((id) => !collector.spans.has(id)).length;
  await until(() => missing() === 0, WELL_MS);
  await pause(200);
  const seen: Seen = {
    median: median([...first.times, ...second.times]), quiet: median([...first.quiet, ...second.quiet]), told, exitMs, rssMb, missing: missing(), elsewhere: collector.credentialsElsewhere(SECRET),
    toldWell: count(again.said(), /Traces arrive again/g),
    unclean: Number(code !== 0) + count(host.said() + again.said(), /unhandled|UnhandledPromise/gi),
  };
  await other.close();
  await again.stop();
  await collector.stop();
  place.remove();
  return seen;
}

async function kills(): Promise<void> {
  const jaeger = await startJaeger();
  const collector = await startCollector({ jaeger });
  const place = new TempPlace();
  await modelHub(place, 'traces', '--set', `endpoint=${collector.url}`, '--set', 'send=on');
  const host = await HostProcess.start(place);
  let answered = 0;
  const agent = async (name: string): Promise<void> => {
    const client = await host.client(name);
    while (answered < CALLS) {
      answered++;
      await client.callTool({ name: 'books_list_shelves', arguments: {} });
    }
    await client.close();
  };
  let killed = 0;
  const killer = async (): Promise<void> => {
    for (; killed < KILLS; killed++) {
      const next = ((killed + 0.2 + 0.6 * Math.random()) * CALLS) / KILLS;
      await until(() => answered >= next, 60_000);
      await collector.child.kill();
      await pause(Math.random() * 1_500);
      await collector.child.start();
    }
  };
  const begun = performance.now();
  await Promise.all([killer(), ...Array.from({ length: AGENTS }, (_, n) => agent(`agent-${n}`))]);
  const seconds = (performance.now() - begun) / 1000;
  await host.stop();
  // What the end of the host had no time for goes out at the next start.
  const next = await HostProcess.start(place);
  const inLog = new Set(rowsOf(place).flatMap(spansOf).map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  const look = async (): Promise<string[]> => {
    const traces = await Promise.all([...new Set(rowsOf(place).map(({ trace }) => trace))].map((id) => jaeger.trace(id)));
    return traces.flatMap((trace) => trace?.spans ?? []).map(({ traceID, spanID }) => `${traceID} ${spanID}`);
  };
  let held = await look();
  for (const end = Date.now() + 120_000; Date.now() < end && new Set(held).size < inLog.size; held = await look()) await pause(500);
  const set = new Set(held);
  const missing = [...inLog].filter((id) => !set.has(id)).length;
  const strange = [...set].filter((id) => !inLog.has(id)).length;
  table(['10 000 calls, five kills', 'count'], [
    ['calls answered', String(answered)], ['rows', String(rowsOf(place).length)], ['spans of the log', String(inLog.size)], ['spans in Jaeger', String(held.length)],
    ['missing', String(missing)], ['doubled', String(held.length - set.size)], ['in Jaeger alone', String(strange)], ['kills', String(killed)], ['seconds of calls', seconds.toFixed(1)],
  ]);
  bars['kills_missing'] = bar(KILLS - killed, 0);
  bars['spans_missing'] = bar(missing, 0);
  bars['spans_doubled'] = bar(held.length - set.size, 0);
  bars['spans_in_jaeger_alone'] = bar(strange, 0);
  await next.stop();
  await collector.stop();
  await jaeger.stop();
  place.remove();
}

async function timed(client: Client): Promise<number> {
  const begun = performance.now();
  await client.callTool({ name: 'books_list_shelves', arguments: {} });
  return performance.now() - begun;
}

function rowsOf(place: TempPlace): Row[] {
  return readFileSync(join(place.vault, '.obsidian/plugins/model-hub/tool-calls.jsonl'), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
}

function rssOf({ child }: HostProcess): number {
  const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function isTold(host: HostProcess): boolean {
  return host.said().includes('Traces do not arrive');
}

async function until(is: () => boolean, ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end && !is();) await pause(20);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

async function setSecret(place: TempPlace, name: string, value: string): Promise<void> {
  const { code, err } = await modelHub(place, { stdin: value }, 'secret', 'set', name);
  if (code !== 0) throw new Error(err);
}

await faults();
await kills();
report(bars);
