/** How far rows have been sent, and what keeps that across restarts. */
import type { Place } from './follower.ts';
import type { Ranges } from './ranges.ts';

/** How far the rows of one writer have been sent to one endpoint. */
export interface Progress {
  readonly writer: string;
  /** Rows before this one are not to be sent by themselves: they were written while sending was off. */
  readonly from: number;
  readonly sent: Ranges;
  /** Where to read on: a short cut, which may be missing. */
  place: Place | undefined;
}

/** Keeps progress, for one endpoint. Throws nothing: what cannot be kept is sent again, the same to the byte. */
export interface ProgressStore {
  /** That of a writer. `from` is for one that is new. */
  open(writer: string, from: number): Progress;
  /** Writers that are gone and had rows left to send. Each is handed out once. */
  adopt(): readonly Progress[];
  save(progress: Progress): void;
  /** There is nothing left to send for it. */
  finish(progress: Progress): void;
  /** Sending was switched off: nothing is left to send for anybody. */
  finishAll(): void;
}
