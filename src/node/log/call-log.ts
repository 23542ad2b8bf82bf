/**
 * The log of a vault, put together: the processor that writes rows, the files, the reader, the journal of what is in
 * flight, and the witness of the log's head.
 */
import { randomBytes } from 'node:crypto';
import { LogProcessor, type LogState } from '../../../otel/log-processor.ts';
import { LogReader } from '../../../otel/log-reader.ts';
import type { LogSource } from '../../../otel/log-source.ts';
import { verify, type Verification } from '../../../otel/log-verify.ts';
import type { CallLog, Clock, Crypto, Notices } from '../../core/ports.ts';
import { InFlightJournal } from './journal.ts';
import { LogFiles } from './log-files.ts';
import type { FileCalls } from './log-write.ts';
import { Witness, type HeadStore } from './witness.ts';

export interface CallLogOptions {
  /** The hub's own folder in the vault. */
  readonly hubFolder: string;
  /** False where there is a folder as long as there is to be a log. */
  readonly makeFolder?: boolean;
  readonly heads: HeadStore;
  readonly clock: Clock;
  readonly crypto: Pick<Crypto, 'digest'>;
  readonly notices: Notices;
  /** Told after each write. */
  readonly onWritten?: () => void;
  readonly fs?: FileCalls;
}

export interface HostLog extends CallLog {
  /** Stands first among the processors of the spans. */
  readonly processor: LogProcessor;
  readonly journal: InFlightJournal;
  readonly reader: LogReader;
  /** The files, for those who read rows as they were written. */
  readonly source: LogSource;
  /** Of the rows of this start; and the number of the newest, 0 before the first. */
  readonly writer: string;
  newest(): number;
  state(): LogState;
  verify(): Promise<Verification>;
  /** Removes log, copies, journal and witness; what is still running leaves no row (F121). */
  delete(): void;
  /** The last rows are written, the witness has the head, the files are closed. */
  close(): Promise<void>;
}

export function openCallLog({ hubFolder, makeFolder = true, heads, clock, crypto, notices, onWritten, fs }: CallLogOptions): HostLog {
  const writer = randomBytes(10).toString('hex');
  const digest = (text: string): string => crypto.digest(text);
  const files = new LogFiles(hubFolder, { fs, makeFolder });
  const processor = new LogProcessor({
    sink: files,
    digest,
    writer,
    onState: (state) => notices.notice(sentenceOf(state)),
    onWritten: () => {
      witness.touch();
      journal.release();
      onWritten?.();
    },
  });
  const witness = new Witness({ store: heads, clock, head: () => processor.head() });
  const journal = new InFlightJournal({ folder: hubFolder, writer, now: () => clock.micros(), rowsWait: () => rowsAreKept(processor.state()) });
  const reader = new LogReader(files);
  return {
    processor,
    journal,
    reader,
    source: files,
    writer,
    newest: () => Number(processor.head().split(':')[1] ?? 0),
    written: () => processor.written(),
    writable: () => processor.writable(),
    head: () => processor.head(),
    read: async (filter) => {
      await processor.written();
      return (await reader.read(filter)).rows;
    },
    recent: async (count) => {
      await processor.written();
      return reader.last(count);
    },
    ended: async (run) => {
      await processor.written();
      return reader.ended(run);
    },
    onRow: (callback) => processor.onRow(callback),
    state: () => processor.state(),
    verify: async () => {
      await processor.written();
      witness.flush();
      return verify({ source: files, heads: heads.load(), digest });
    },
    delete: () => {
      processor.discard();
      files.delete();
      journal.delete();
      witness.delete();
    },
    close: async () => {
      await processor.forceFlush();
      const { kept } = processor.state();
      if (kept > 0) notices.notice(`The log still cannot be written: ${kept === 1 ? 'one row is' : `${kept} rows are`} lost with the end of Model Hub.`);
      witness.flush();
      journal.close();
      files.close();
    },
  };
}

function rowsAreKept({ writable, kept }: LogState): boolean {
  return !writable && kept > 0;
}

/** Checks a vault's log without opening it for writing. */
export function verifyLog(hubFolder: string, heads: HeadStore, digest: (text: string) => string): Promise<Verification> {
  return verify({ source: new LogFiles(hubFolder), heads: heads.load(), digest });
}

function sentenceOf({ writable, problem, dropped }: LogState): string {
  if (!writable) return `The log cannot be written (${problem ?? 'unknown error'}). Reads go on, and their rows are kept in memory; writes are refused. Make room on the disk, or let Model Hub write to its folder.`;
  return dropped === 0 ? 'The log can be written again; the rows that waited are in it.' : `The log can be written again. ${dropped} rows were lost, because more waited than are kept.`;
}
