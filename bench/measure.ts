/**
 * How the benchmarks measure and report: several subjects side by side in one run, in turns, so that what disturbs one
 * disturbs all; medians; a table, and one JSON line last.
 *
 * Each subject has a process, and so a heap and compiled code, of its own: what one leaves behind, or teaches the compiler
 * about code that they share, does not count against another. Only one works at a time.
 */
import { fork, type ChildProcess, type Serializable } from 'node:child_process';

export interface Subject {
  /** Does `count` units of work. */
  readonly run: (count: number) => Promise<void>;
  readonly close?: () => Promise<void> | void;
}

export interface Bar {
  readonly value: number;
  /** The most that `value` may be. */
  readonly limit: number;
  readonly ok: boolean;
}

export interface Rounds {
  readonly rounds: number;
  /** Units in a round. */
  readonly count: number;
  /** Rounds that are not counted. */
  readonly warmUp: number;
}

/** Processes for each subject: two runs of one program are compiled a little differently. */
const PROCESSES = 3;
const SUBJECT = 'MODEL_HUB_BENCH_SUBJECT';

type Make = () => Subject | Promise<Subject>;

/**
 * Median microseconds per unit, by subject. To be called at the top of a script with all that it measures: the script is
 * run again in each subject's process, where this call never returns.
 */
export async function measure(subjects: { readonly [name: string]: Make }, { rounds, count, warmUp }: Rounds): Promise<ReadonlyMap<string, number>> {
  const mine = process.env[SUBJECT];
  if (mine !== undefined) await serve(subjects[mine]!);
  const names = Array.from({ length: PROCESSES }, () => Object.keys(subjects)).flat();
  const workers = names.map((name) => ({ name, times: [] as number[], child: fork(process.argv[1]!, { env: { ...process.env, [SUBJECT]: name } }) }));
  for (let round = -warmUp; round < rounds; round++) {
    for (const { times, child } of workers) {
      const micros = (await ask<number>(child, count)) / count;
      if (round >= 0) times.push(micros);
    }
  }
  for (const { child } of workers) await ask(child, 'close');
  return new Map(Object.keys(subjects).map((subject) => [subject, median(workers.filter(({ name }) => name === subject).map(({ times }) => median(times)))]));
}

/** Sends a message to a process of this script's own, and answers its reply. */
export function ask<Reply>(child: ChildProcess, message: Serializable): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A subject ended before it answered.'));
    child.once('exit', ended);
    child.once('message', (reply) => {
      child.off('exit', ended);
      resolve(reply as Reply);
    });
    child.send(message);
  });
}

async function serve(make: Make): Promise<never> {
  const subject = await make();
  process.on('message', (message: number | 'close') => void answer(subject, message));
  return new Promise(() => undefined);
}

async function answer({ run, close }: Subject, message: number | 'close'): Promise<void> {
  const start = performance.now();
  if (message === 'close') await close?.();
  else await run(message);
  process.send!((performance.now() - start) * 1000, () => {
    if (message === 'close') process.disconnect();
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function bar(value: number, limit: number): Bar {
  return { value: Math.round(value * 1000) / 1000, limit, ok: value <= limit };
}

/** Prints a table with its columns lined up, figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => cells.map((cell, column) => (/^[\d.]+$/.test(rows[0]?.[column] ?? '') ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join('  ').trimEnd();
  console.log([line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n'));
}

/** The JSON line, and the exit code: 1 where a bar is missed. */
export function report(bars: { readonly [name: string]: Bar }): void {
  console.log(JSON.stringify({ bars }));
  process.exitCode = Object.values(bars).every(({ ok }) => ok) ? 0 : 1;
}
