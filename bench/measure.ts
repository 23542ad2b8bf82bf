/**
 * How the benchmarks measure and report: several things side by side in one process, in turns, so that what disturbs one
 * disturbs all; medians; a table, and one JSON line last.
 */
export interface Subject {
  readonly name: string;
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

/** Median microseconds per unit, by subject. Rounds go round all subjects in turn; the first are for warming up. */
export async function measure(subjects: readonly Subject[], options: { readonly rounds: number; readonly count: number; readonly warmUp: number }): Promise<ReadonlyMap<string, number>> {
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = -options.warmUp; round < options.rounds; round++) {
    for (const { name, run } of subjects) {
      const start = performance.now();
      await run(options.count);
      if (round >= 0) times.get(name)!.push(((performance.now() - start) * 1000) / options.count);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
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
