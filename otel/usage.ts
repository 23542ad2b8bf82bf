/**
 * Totals of calls: by month, by day, by tool, the runs that there were, and the newest rows. Rows in, figures out; nothing
 * here reads a file. How many tools, runs and rows are kept is bounded, whatever callers send (F130–F133, D45).
 */
import { CallBytes } from './call-bytes.ts';
import { Durations } from './durations.ts';
import { LocalDays, RowTimes } from './local-time.ts';
import { Names } from './names.ts';
import { NewestLines, type Line } from './newest-lines.ts';
import { isRow, lineObject, lineText } from './row-in.ts';
import type { CallOutcome, Row } from './row.ts';
import { SeenRows } from './seen.ts';

/** How calls end, as people count them: they ran, were refused, failed, or were stopped by their caller. */
export type Ending = 'ran' | 'refused' | 'failed' | 'stopped';
export const ENDINGS: readonly Ending[] = ['ran', 'refused', 'failed', 'stopped'];

/** A call that does not fit its schema never reached the tool: it is a refusal, here as in a run's own count. */
const ENDING_OF: ReadonlyMap<string, Ending> = new Map<CallOutcome, Ending>([
  ['ok', 'ran'], ['empty', 'ran'], ['refused', 'refused'], ['invalid', 'refused'], ['failed', 'failed'], ['timeout', 'failed'], ['interrupted', 'failed'], ['aborted', 'stopped'],
]);

export type Counts = { -readonly [E in Ending]: number };

export interface ToolUsage {
  readonly tool: string;
  readonly counts: Counts;
  /** In the handler. */
  readonly durations: Durations;
}

export interface RunUsage {
  readonly run: string;
  readonly client: string;
  /** Microseconds since 1970 of its newest row. */
  last: number;
}

/** What can be said of a line. */
export type LineKind = 'row' | 'known' | 'unknown' | 'damaged';

const MOST_TOOLS = 500;
const MOST_RUNS = 100;
const SHOWN_ROWS = 20;

export class MonthUsage {
  readonly counts: Counts = noCounts();
  /** By the day of the month. */
  readonly days = new Map<number, Counts>();
  readonly tools = new Map<string, ToolUsage>();
  /** Calls of further tools, where there are more than are kept apart. */
  readonly otherTools: Counts = noCounts();
  /** Writes taken back. */
  takenBack = 0;
  readonly newest = new NewestLines(SHOWN_ROWS);
  /** Of calls that were refused or failed, and undos that were not done. */
  readonly problems = new NewestLines(SHOWN_ROWS);
  readonly #runs = new Map<string, RunUsage>();
  #run: RunUsage | undefined;

  /** Runs of more than one call, newest first. */
  runs(): RunUsage[] {
    return [...this.#runs.values()].sort((a, b) => b.last - a.last).slice(0, MOST_RUNS);
  }

  toolOf(tool: string): ToolUsage | undefined {
    let usage = this.tools.get(tool);
    if (!usage && this.tools.size < MOST_TOOLS) this.tools.set(tool, (usage = { tool, counts: noCounts(), durations: new Durations() }));
    return usage;
  }

  dayOf(day: number): Counts {
    let counts = this.days.get(day);
    if (!counts) this.days.set(day, (counts = noCounts()));
    return counts;
  }

  /** `client`: asked for only where the run is new. */
  addRun(run: string, at: number, client: () => string): void {
    let usage = this.#run?.run === run ? this.#run : this.#runs.get(run);
    if (!usage) {
      if (this.#runs.size >= 2 * MOST_RUNS) this.#dropOldRuns();
      this.#runs.set(run, (usage = { run, client: client(), last: at }));
    }
    if (at > usage.last) usage.last = at;
    this.#run = usage;
  }

  #dropOldRuns(): void {
    const kept = this.runs();
    this.#runs.clear();
    for (const usage of kept) this.#runs.set(usage.run, usage);
  }
}

export class UsageTotals {
  readonly #months = new Map<string, MonthUsage>();
  readonly #seen = new SeenRows();
  readonly #call = new CallBytes();
  readonly #names = { writer: new Names(), run: new Names(), client: new Names(), tool: new Names(), outcome: new Names() };
  readonly #times = new RowTimes();
  readonly #days = new LocalDays();

  /** Months with rows, `YYYY-MM`, as the person's clock has them. */
  months(): string[] {
    return [...this.#months.keys()];
  }

  month(month: string): MonthUsage {
    return this.#months.get(month) ?? new MonthUsage();
  }

  /** Counts the whole line that begins there, and answers where its newline stands, if it is a row as this version writes it; else -1, and it is for `addLine`. */
  take(bytes: Uint8Array, from: number): number {
    const call = this.#call;
    const to = call.read(bytes, from);
    const at = to < 0 ? -1 : this.#times.micros(bytes, call.time);
    if (at < 0) return -1;
    const names = this.#names;
    if (!this.#seen.add(names.writer.text(bytes, call.writer), call.n)) return to;
    const { month, day } = this.#placeOf(at);
    if (!call.single) month.addRun(names.run.text(bytes, call.run), at, () => names.client.text(bytes, call.client));
    count(month, day, { tool: names.tool.text(bytes, call.tool), outcome: names.outcome.text(bytes, call.outcome), ms: call.ms, at, line: { bytes, from, to } });
    return to;
  }

  /** `known`: the row was counted before. */
  addLine(bytes: Uint8Array): LineKind {
    const text = lineText(bytes);
    const value = text === undefined ? undefined : lineObject(text);
    if (value === undefined) return 'damaged';
    return isRow(value) ? this.#addRow(value, { bytes, from: 0, to: bytes.length }) : 'unknown';
  }

  /** A row, with its line. */
  #addRow(row: Row, line: Line): LineKind {
    const at = Date.parse(row.time) * 1000;
    if (Number.isNaN(at)) return 'unknown';
    if (!this.#seen.add(row.w, row.n)) return 'known';
    const { month, day } = this.#placeOf(at);
    const client = (): string => row.client.name;
    if (row.kind === 'run') {
      month.addRun(row.run, at, client);
      return 'row';
    }
    if (row.kind === 'undo') {
      if (row.outcome === 'done') month.takenBack++;
      else month.problems.offer(at, line);
      month.newest.offer(at, line);
      return 'row';
    }
    if (!row.single) month.addRun(row.run, at, client);
    count(month, day, { tool: row.tool, outcome: row.outcome, ms: row.ms ?? -1, at, line });
    return 'row';
  }

  #placeOf(at: number): { readonly month: MonthUsage; readonly day: number } {
    const { month: name, day } = this.#days.of(at);
    let month = this.#months.get(name);
    if (!month) this.#months.set(name, (month = new MonthUsage()));
    return { month, day };
  }
}

interface Counted { readonly tool: string; readonly outcome: string; readonly ms: number; readonly at: number; readonly line: Line }

function count(month: MonthUsage, day: number, { tool, outcome, ms, at, line }: Counted): void {
  month.newest.offer(at, line);
  const ending = ENDING_OF.get(outcome);
  if (ending === undefined) return; // of a later version
  if (ending === 'refused' || ending === 'failed') month.problems.offer(at, line);
  month.counts[ending]++;
  month.dayOf(day)[ending]++;
  const usage = month.toolOf(tool);
  (usage?.counts ?? month.otherTools)[ending]++;
  if (ms >= 0) usage?.durations.add(ms);
}

function noCounts(): Counts {
  return { ran: 0, refused: 0, failed: 0, stopped: 0 };
}
