/**
 * Totals of the log as it stands. Each file is read once, and then from where the last look ended: opening the view again
 * costs what was written since. A file that was replaced, moved or cut is read anew, with all others.
 */
import { scanLines } from './lines.ts';
import { endsBefore, inOrder, IS_MONTH, type LogFile, type LogSource } from './log-source.ts';
import { boundsOf } from './local-time.ts';
import { isTorn, lineText } from './row-in.ts';
import { UsageTotals, type MonthUsage } from './usage.ts';

interface ReadFile {
  /** Behind the last whole line. */
  readonly end: number;
  /** The bytes before that: whether they still stand there tells whether the file is still the one that was read. */
  readonly mark: Uint8Array;
}

export interface Usage {
  readonly usage: MonthUsage;
  /** Months that the log has files or rows of, newest first. */
  readonly months: readonly string[];
  /** Lines that are no rows, among those looked at. */
  readonly damaged: number;
}

const MARK_BYTES = 128;

export class UsageReader {
  readonly #source: LogSource;
  #totals = new UsageTotals();
  #files = new Map<string, ReadFile>();
  #damaged = 0;
  /** The last look; looks do not overlap. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor(source: LogSource) {
    this.#source = source;
  }

  /** What the log says of a month, `YYYY-MM`, now. */
  month(month: string): Promise<Usage> {
    const look = this.#looking.then(() => this.#look(month));
    this.#looking = look.catch(() => undefined);
    return look;
  }

  async #look(month: string): Promise<Usage> {
    const files = inOrder(await this.#source.list());
    if (!(await this.#stillStand(files))) this.#forget();
    const since = boundsOf(month).since.toISOString();
    for (const file of files) {
      // A file read before is read on, whatever its month: what was counted stays whole.
      if (this.#files.has(file.name) || !endsBefore(file, since)) await this.#readOn(file);
    }
    const months = new Set([...this.#totals.months(), ...files.flatMap(({ name }) => IS_MONTH.exec(name)?.[1] ?? [])]);
    return { usage: this.#totals.month(month), months: [...months].sort().reverse(), damaged: this.#damaged };
  }

  async #stillStand(files: readonly LogFile[]): Promise<boolean> {
    const sizes = new Map(files.map(({ name, size }) => [name, size]));
    for (const [name, { end, mark }] of this.#files) {
      if ((sizes.get(name) ?? 0) < end) return false;
      const now = await this.#source.read(name, end - mark.length, end).catch(() => undefined);
      if (now?.length !== mark.length || now.some((byte, i) => byte !== mark[i])) return false;
    }
    return true;
  }

  #forget(): void {
    this.#totals = new UsageTotals();
    this.#files = new Map();
    this.#damaged = 0;
  }

  async #readOn(file: LogFile): Promise<void> {
    const { name } = file;
    const from = this.#files.get(name)?.end ?? 0;
    if (from >= file.size) return;
    const end = await scanLines(this.#source, file, (line, ended) => {
      // A last line without its newline counts if it is a row, and is looked at again: the second time it is known.
      const kind = line === undefined ? 'damaged' : this.#totals.addLine(line);
      if (kind === 'damaged' && ended && !(line && isTorn(lineText(line) ?? '-'))) this.#damaged++;
    }, { from, take: (bytes, at) => this.#totals.take(bytes, at) });
    const mark = end === 0 ? new Uint8Array(0) : await this.#source.read(name, Math.max(0, end - MARK_BYTES), end);
    this.#files.set(name, { end, mark });
  }
}
