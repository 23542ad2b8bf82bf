/**
 * What the log costs: a row from its ended span to its line, and a log of a million rows read from the end, by run, whole,
 * and checked. Bars: a row in 6 µs; with a million rows there, the first call is logged within 200 ms and the last twenty are
 * on screen without the memory growing by 50 MB (log-faults 24).
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chain } from '../otel/chain.ts';
import { openJson } from '../otel/row-json.ts';
import { rowOf } from '../otel/row-of.ts';
import { createTracing } from '../otel/tracing.ts';
import { openCallLog } from '../src/node/log/call-log.ts';
import { HeadFolder } from '../src/node/log/head-folder.ts';
import { SystemClock } from '../src/node/clock.ts';
import { NodeCrypto } from '../src/node/node-crypto.ts';
import { startCall } from '../test/fakes/call-spans.ts';
import { endedCall, fillLog } from './fill-log.ts';
import { bar, measure, report, table } from './measure.ts';

const ROWS = 1_000_000;
const crypto = new NodeCrypto(undefined);
const clock = new SystemClock();
const digest = (text: string): string => crypto.digest(text);
const table1: string[][] = [];

// A row: span → row → JSON → its place in the chain. The write to the file is the system's.
const { call, exec } = endedCall();
const chain = new Chain('bench', digest);
const micros = await measure({
  'span → row': () => ({ run: repeat(() => rowOf(call, { exec })) }),
  'span → row → line in its chain': () => ({ run: repeat(() => chain.commit(chain.extend([{ json: openJson(rowOf(call, { exec })!), late: false }]), 1)) }),
}, { rounds: 9, count: 20_000, warmUp: 3 });
for (const [name, value] of micros) table1.push([name, `${value.toFixed(2)} µs`]);
const aRow = bar(micros.get('span → row → line in its chain')!, 6);

// A million rows, of this month, in ten thousand runs.
const root = mkdtempSync(join(tmpdir(), 'model-hub-bench-log-'));
const folder = join(root, 'hub');
mkdirSync(folder);
fillLog(join(folder, 'tool-calls.jsonl'), ROWS);
table1.push([`${ROWS.toLocaleString('en')} rows`, `${(statSync(join(folder, 'tool-calls.jsonl')).size / 1e6).toFixed(0)} MB`]);
const memory = heap();

const start = performance.now();
const log = openCallLog({ hubFolder: folder, heads: new HeadFolder(join(root, 'state')), clock, crypto, notices: { notice: (text) => console.log(text) } });
const { spans } = createTracing({ processors: [log.processor], serviceVersion: '0', instanceId: 'i', vaultId: 'v' });
await log.writable();
startCall(spans, { at: clock.micros(), run: 'run-new' }).end(clock.micros());
await log.written();
const firstCall = performance.now() - start;
table1.push(['opened, and the first call logged', `${firstCall.toFixed(1)} ms`]);

await timed('last 20 rows', async () => (await log.recent(20)).length);
const growth = (heap() - memory) / 1e6;
table1.push(['memory grown by then', `${growth.toFixed(1)} MB`]);
await timed('one run of 100 calls', async () => (await log.read({ run: 'run-77' })).length);
await timed('writes that can be taken back', async () => (await log.reader.read({ has: 'undo' })).rows.length);
await timed('the last minute', async () => (await log.read({ since: new Date(Date.now() - 60_000).toISOString() })).length);
await timed('verify', async () => {
  const { green, rows } = await log.verify();
  return `${rows} rows, ${green ? 'green' : 'red'}`;
});
await log.close();
rmSync(root, { recursive: true });

table(['what', 'cost'], table1);
report({ row_micros: aRow, first_call_ms: bar(firstCall, 200), last_rows_memory_mb: bar(growth, 50) });

function repeat(one: () => unknown): (count: number) => Promise<void> {
  return (count) => {
    for (let i = 0; i < count; i++) one();
    return Promise.resolve();
  };
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  const result = await work();
  table1.push([`${name}: ${String(result)}`, `${(performance.now() - begin).toFixed(1)} ms`]);
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}
