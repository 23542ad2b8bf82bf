/** The months of the log: when a file is over, and how it is moved aside while others may do the same. */
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { codeOf, type FileCalls } from './log-write.ts';

export const LOG_NAME = 'tool-calls.jsonl';
/** The log's files: the one written to, those of months that are over, and copies that sync services made of either. */
export const IS_LOG = /^tool-calls.*\.jsonl$/;
const TIME_KEY = '"time":"';

/** `YYYY-MM` of the first row in the text; empty if there is none. */
export function monthOf(text: string): string {
  const at = text.indexOf(TIME_KEY);
  return at < 0 ? '' : text.slice(at + TIME_KEY.length, at + TIME_KEY.length + 'YYYY-MM'.length);
}

/** `YYYY-MM` of the file's first row; empty if there is none. */
export function firstMonth(fs: FileCalls, fd: number): string {
  const head = Buffer.alloc(4096);
  const month = monthOf(head.toString('latin1', 0, fs.readSync(fd, head, 0, head.length, 0)));
  return /^\d{4}-\d\d$/.test(month) ? month : ''; // it becomes part of a file's name
}

/** A file of that month is over when a row of this month comes. */
export function isOver(month: string, now: string): boolean {
  return month !== '' && now > month;
}

/**
 * Moves the file of a month that is over; `isOurs` tells whether a name leads to it. Two processes may both try. The first
 * step gives whatever stands at the path a name that nobody else has; only then is it looked at, so neither can overwrite
 * or unlink what the other has just made.
 */
export function roll(fs: FileCalls, folder: string, month: string, isOurs: (name: string) => boolean): void {
  const log = path.join(folder, LOG_NAME);
  const aside = path.join(folder, `tool-calls.${month} (${randomBytes(4).toString('hex')}).jsonl`);
  try {
    fs.renameSync(log, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Where it was another's new file, that goes back to its place.
  const target = isOurs(aside) ? path.join(folder, `tool-calls.${month}.jsonl`) : log;
  try {
    fs.linkSync(aside, target);
    fs.unlinkSync(aside);
  } catch (error) {
    // The name is taken: the file keeps the name that it has, which is read like any other.
    if (codeOf(error) === 'EEXIST' || fs.statSync(target, { throwIfNoEntry: false })) return;
    // No links on this file system.
    fs.renameSync(aside, target);
  }
}
