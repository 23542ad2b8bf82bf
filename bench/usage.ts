/**
 * The totals of a log of a million rows: the first figures, another look, and one more call, against what splitting the
 * file's bytes on newlines and parsing each line takes, in a process each. Bars: the first figures in that time; another look, and one
 * more call, in a twentieth of it, and at a million rows no dearer than at a tenth of them; 100 MB of memory at most.
 */
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthOf } from '../otel/local-time.ts';
import { UsageReader } from '../otel/usage-reader.ts';
import { LogFiles } from '../src/node/log/log-files.ts';
import { fillLog } from './fill-log.ts';
import { ask, bar, median, report, table } from './measure.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const NAME = 'tool-calls.jsonl';
const LF = 0x0a;

interface Looks { readonly first: number; readonly again: number; readonly more: number; readonly memory: number; readonly calls: number }
type Work = { readonly parse: string } | { readonly look: string };

process.on('message', (work: Work) => void answer(work));
if (process.send === undefined) await compare();

async function compare(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'model-hub-bench-usage-'));
  const [whole, tenth] = [join(root, 'whole'), join(root, 'tenth')];
  for (const [folder, rows] of [[whole, ROWS], [tenth, ROWS / 10]] as const) {
    mkdirSync(folder);
    fillLog(join(folder, NAME), rows);
  }
  const parsed: number[] = [];
  const looks: Looks[] = [];
  const small: Looks[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    parsed.push(await inProcess<number>({ parse: whole }));
    looks.push(await inProcess<Looks>({ look: whole }));
    small.push(await inProcess<Looks>({ look: tenth }));
  }
  const [parsing, first, again, more, memory] = [median(parsed), ...(['first', 'again', 'more', 'memory'] as const).map((key) => median(looks.map((look) => look[key])))] as [number, number, number, number, number];
  const smallMore = median(small.map((look) => look.more));
  table(['what', 'cost'], [
    [`${looks[0]!.calls.toLocaleString('en')} rows`, `${(statSync(join(whole, NAME)).size / 1e6).toFixed(0)} MB`],
    ['split and parse each line', `${parsing.toFixed(0)} ms`], ['first figures', `${first.toFixed(0)} ms`], ['another look', `${again.toFixed(2)} ms`], ['one more call', `${more.toFixed(2)} ms`],
    ['one more call, with a tenth of the rows', `${smallMore.toFixed(2)} ms`], ['memory above idle', `${memory.toFixed(0)} MB`],
  ]);
  rmSync(root, { recursive: true });
  report({
    first_of_parse: bar(first / parsing, 1), again_of_parse: bar(again / parsing, 0.05), more_of_parse: bar(more / parsing, 0.05),
    // Both are far below a millisecond, where the machine's own noise is as large.
    more_growth_ms: bar(Math.max(0, more - smallMore), 1), memory_mb: bar(memory, 100),
  });
}

async function inProcess<Result>(work: Work): Promise<Result> {
  const child = fork(process.argv[1]!, { execArgv: ['--expose-gc'] });
  try {
    return await ask<Result>(child, work);
  } finally {
    child.kill();
  }
}

async function answer(work: Work): Promise<void> {
  process.send!('parse' in work ? parse(join(work.parse, NAME)) : await lookAt(work.look));
}

/** The floor for whoever parses: bytes read by the megabyte, lines decoded from them, each parsed. */
function parse(file: string): number {
  const begin = performance.now();
  const fd = openSync(file, 'r');
  const chunk = Buffer.alloc(1 << 20);
  let rest = Buffer.alloc(0);
  let calls = 0;
  for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      const row = JSON.parse(bytes.toString('utf8', from, end)) as { readonly kind: string };
      if (row.kind === 'call') calls++;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  closeSync(fd);
  if (calls === 0) throw new Error('no call was read');
  return performance.now() - begin;
}

async function lookAt(folder: string): Promise<Looks> {
  const reader = new UsageReader(new LogFiles(folder));
  const month = monthOf(new Date());
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  const timed = async (): Promise<readonly [ms: number, calls: number]> => {
    const begin = performance.now();
    const { usage } = await reader.month(month);
    return [performance.now() - begin, usage.counts.ran];
  };
  const [first, calls] = await timed();
  const memory = (process.resourceUsage().maxRSS * 1024 - idle) / 1e6;
  const again: number[] = [];
  const more: number[] = [];
  for (let i = 0; i < 20; i++) {
    again.push((await timed())[0]);
    appendFileSync(join(folder, NAME), moreRow(Date.now() * 1000 + i));
    const [ms] = await timed();
    more.push(ms);
  }
  return { first, again: median(again), more: median(more), memory, calls };
}

function moreRow(micros: number): string {
  const time = new Date(micros / 1000).toISOString().replace('Z', '000Z');
  return `{"v":1,"kind":"call","id":"a","trace":"b","time":"${time}","run":"more","client":{"kind":"mcp","name":"c"},"tool":"books.list","outcome":"ok","ms":1,"spans":{"run":"d"},"us":{"end":1},"w":"bench-${process.pid}","n":${micros}}\n`;
}
