/**
 * What sending traces costs the calls: off, to a real collector, to nobody, to one that takes and never answers. Bars: at
 * most 10 % more in the median and 1 ms more at p99; 200 000 spans that nobody takes leave the heap at most 20 MB larger.
 * Also measured: spans in a second to the real collector.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTask, setTimeout as pause } from 'node:timers/promises';
import { NO_TRACES } from '../otel/exporter/settings.ts';
import { sendEarlier } from '../otel/exporter/earlier.ts';
import { SystemClock } from '../src/node/clock.ts';
import { httpPost } from '../src/node/export/http-post.ts';
import { ProgressFiles } from '../src/node/export/progress-files.ts';
import { openGateHost, type GateHost } from '../src/host/gate-host.ts';
import { LogFiles } from '../src/node/log/log-files.ts';
import { findPlaces } from '../src/host/places.ts';
import { writeJson } from '../src/node/json-file.ts';
import { startCollector } from '../test/collector/collector.ts';
import { TempPlace } from '../test/support/host-process.ts';
import { ask, bar, median, report, table, type Bar } from './measure.ts';

/** A call each millisecond is more than any agent makes; flat out, each call has a turn of its own, as over a wire. */
const SHAPES = { 'a call each ms': { count: 400, gapMs: 1 }, 'flat out': { count: 3_000, gapMs: 0 } } as const;
type Shape = keyof typeof SHAPES;
const MODES = ['off', 'collector up', 'collector down', 'collector silent'] as const;
type Mode = (typeof MODES)[number];
const ROUNDS = 31;
const WARM_UP = 5;
const SPANS_DOWN = 200_000;
const HEAP_MB = 20;
const CATCH_UP_CALLS = 10_000;

type Question = { readonly shape: Shape } | { readonly calls: number };
/** Microseconds. */
interface Times { readonly median: number; readonly p99: number; /** The median beside that of the same calls with traces off. */ readonly share: number }

const endpoint = process.env['MODEL_HUB_BENCH_ENDPOINT'];
if (endpoint === undefined) await compare();
else await serve(endpoint);

/** Runs the modes in turns, each in a process of its own. */
async function compare(): Promise<void> {
  const collector = await startCollector();
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoints: { readonly [M in Mode]: string } = {
    off: '', 'collector up': collector.url, 'collector down': 'http://127.0.0.1:9', 'collector silent': `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  };
  const workers = new Map(MODES.map((mode) => [mode, fork(process.argv[1]!, { env: { ...process.env, MODEL_HUB_BENCH_ENDPOINT: endpoints[mode] } })]));
  try {
    const rows: string[][] = [];
    const bars: { [name: string]: Bar } = {};
    for (const shape of Object.keys(SHAPES) as Shape[]) {
      const times = await timesOf(workers, shape);
      const off = times.get('off')!;
      for (const [mode, { median: middle, share, p99 }] of times) {
        rows.push([shape, mode, middle.toFixed(1), share.toFixed(2), p99.toFixed(1), (p99 - off.p99).toFixed(1)]);
        if (mode === 'off') continue;
        const name = `${mode} ${shape}`.replaceAll(' ', '_');
        bars[`${name}_median_share`] = bar(share, 1.1);
        bars[`${name}_p99_more_ms`] = bar((p99 - off.p99) / 1000, 1);
      }
    }
    table(['calls', 'traces', 'median µs', '÷ off', 'p99 µs', '− off'], rows);
    const { grownMb } = await ask<{ grownMb: number }>(workers.get('collector down')!, { calls: SPANS_DOWN / 3 });
    bars['heap_mb_after_200000_spans_down'] = bar(grownMb, HEAP_MB);
    const perSecond = await catchUp(collector.url);
    table(['what', 'value'], [['heap grown after 200 000 spans, collector down', `${grownMb.toFixed(1)} MB`], ['spans a second to the collector, by model-hub export', perSecond.toFixed(0)]]);
    report(bars);
  } finally {
    for (const worker of workers.values()) worker.disconnect();
    silent.close();
    await collector.stop();
  }
}

/** In turns, so that what disturbs one mode disturbs all: the share is the median of the rounds' shares, p99 that of all calls. */
async function timesOf(workers: ReadonlyMap<Mode, ChildProcess>, shape: Shape): Promise<ReadonlyMap<Mode, Times>> {
  const shares = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]));
  const all = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    let off = 0;
    for (const [mode, worker] of workers) {
      const micros = await ask<number[]>(worker, { shape });
      if (mode === 'off') off = median(micros);
      if (round < 0) continue;
      shares.get(mode)!.push(median(micros) / off);
      all.get(mode)!.push(...micros);
    }
  }
  return new Map(MODES.map((mode) => {
    const micros = all.get(mode)!.sort((a, b) => a - b);
    return [mode, { median: median(micros), share: median(shares.get(mode)!), p99: micros[Math.floor(micros.length * 0.99)]! }];
  }));
}

/** A host of its own, over a vault of its own. */
async function openHost(url: string): Promise<{ readonly host: GateHost; readonly place: TempPlace }> {
  const place = new TempPlace();
  const places = findPlaces(place);
  if (url !== '') writeJson(join(places.hubFolder, 'data.json'), { traces: { ...NO_TRACES, send: true, endpoint: url } });
  return { host: await openGateHost({ places, notice: () => undefined }), place };
}

async function serve(url: string): Promise<void> {
  const { host, place } = await openHost(url);
  process.on('disconnect', () => {
    place.remove();
    process.exit();
  });
  process.on('message', (question: Question) => void answer(host, question).then((reply) => process.send!(reply)));
  await new Promise(() => undefined);
}

async function answer(host: GateHost, question: Question): Promise<number[] | { readonly grownMb: number }> {
  if ('shape' in question) return measured(host, SHAPES[question.shape]);
  await callMany(host, 3_000);
  const before = heapMb();
  await callMany(host, question.calls);
  await pause(5_000); // it tries, and tries again
  return { grownMb: heapMb() - before };
}

async function measured(host: GateHost, { count, gapMs }: (typeof SHAPES)[Shape]): Promise<number[]> {
  const micros: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await call(host);
    micros.push((performance.now() - begun) * 1000);
    await (gapMs === 0 ? nextTask() : pause(gapMs));
  }
  return micros;
}

async function callMany(host: GateHost, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await call(host);
    if (i % 64 === 0) await nextTask();
  }
}

/** A read without a run of its own: three spans. */
function call({ hub }: GateHost): Promise<unknown> {
  return hub.call({ owner: 'bench', client: { kind: 'plugin', name: 'bench' }, tool: 'books.list_shelves', input: {} });
}

function heapMb(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed / 1e6;
}

/** How fast rows go out that are there already. */
async function catchUp(url: string): Promise<number> {
  const { host, place } = await openHost('');
  await callMany(host, CATCH_UP_CALLS);
  await host.close();
  const { hubFolder } = findPlaces(place);
  const begun = performance.now();
  const { spans } = await sendEarlier({
    source: new LogFiles(hubFolder), store: new ProgressFiles(join(place.folder, 'progress'), ''), clock: new SystemClock(), post: httpPost, since: 0,
    origin: { serviceVersion: '0', vaultId: 'bench' }, target: { url: `${url}/v1/traces`, headers: {}, sampleRate: 1, serviceName: 'bench' },
  });
  const seconds = (performance.now() - begun) / 1000;
  place.remove();
  return spans / seconds;
}
