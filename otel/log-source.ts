/** Where the log's bytes come from: its files, and ranges of them. */

/** The file of a month that is over; its month is the first group. */
export const IS_MONTH = /^tool-calls\.(\d{4}-\d\d)\.jsonl$/;

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
