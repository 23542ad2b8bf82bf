/** Where the log's bytes come from: its files, in which order they are read, and ranges of them. */

/** The file of a month that is over; its month is the first group. */
export const IS_MONTH = /^tool-calls\.(\d{4}-\d\d)\.jsonl$/;
const DAY_MS = 24 * 3600_000;

export interface LogFile {
  readonly name: string;
  readonly size: number;
}

export interface LogSource {
  /** The files of the log and the conflict copies beside them: every `tool-calls*.jsonl` that is not empty. */
  list(): Promise<readonly LogFile[]>;
  /** Bytes `from` (included) to `to` (not included); fewer if the file has become shorter. Answers in a later task, so that a long scan lets others run. */
  read(name: string, from: number, to: number): Promise<Uint8Array>;
}

/** Months first, then the file of this month, then copies that a sync service or a person made: where a row stands twice, the first is taken. */
export function inOrder(files: readonly LogFile[]): LogFile[] {
  const rank = ({ name }: LogFile): number => (IS_MONTH.test(name) ? 0 : name === 'tool-calls.jsonl' ? 1 : 2);
  return [...files].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** `since`: ISO 8601. */
export function endsBefore(file: LogFile, since: string | undefined): boolean {
  const end = endOf(file);
  return end !== undefined && since !== undefined && end < Date.parse(since);
}

/** A month's file holds nothing later than its month; a day more is left for clocks that were set. `undefined` for other files. */
export function endOf({ name }: LogFile): number | undefined {
  const month = IS_MONTH.exec(name)?.[1];
  // Months count from 0 here: this is the first of the month after.
  return month === undefined ? undefined : Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5))) + DAY_MS;
}
