/**
 * File systems and sinks that fail as told: the real calls, with a fault in front of the writes.
 */
import * as nodeFs from 'node:fs';
import type { LineSink } from '../../otel/log-processor.ts';
import type { FileCalls } from '../../src/node/log/log-write.ts';

/** What happens to a write: nothing, an error before or after some bytes went in, or a short count. */
export type WriteFault = 'none' | { readonly code: string; readonly after?: number } | { readonly short: number };

export class FaultyFiles implements FileCalls {
  /** What happens to the writes to come, one each; then all is well, or {@link always}. */
  faults: WriteFault[] = [];
  always: WriteFault = 'none';
  /** An error class for each opening. */
  openFails: string | undefined;
  linkFails: string | undefined;
  writes = 0;

  readonly closeSync = nodeFs.closeSync;
  readonly fstatSync = nodeFs.fstatSync;
  readonly statSync = nodeFs.statSync;
  readonly readSync = nodeFs.readSync;
  readonly renameSync = nodeFs.renameSync;
  readonly unlinkSync = nodeFs.unlinkSync;
  readonly readdirSync = nodeFs.readdirSync;
  readonly mkdirSync = nodeFs.mkdirSync;

  readonly openSync: FileCalls['openSync'] = (...args) => {
    if (this.openFails !== undefined) throw failure(this.openFails);
    return nodeFs.openSync(...args);
  };

  readonly linkSync: FileCalls['linkSync'] = (...args) => {
    if (this.linkFails !== undefined) throw failure(this.linkFails);
    nodeFs.linkSync(...args);
  };

  readonly writeSync = ((fd: number, text: string): number => {
    this.writes++;
    const bytes = Buffer.from(text);
    const fault = this.faults.shift() ?? this.always;
    if (fault === 'none') return nodeFs.writeSync(fd, bytes);
    const count = 'short' in fault ? fault.short : (fault.after ?? 0);
    const written = count > 0 ? nodeFs.writeSync(fd, bytes, 0, Math.min(count, bytes.length)) : 0;
    if ('short' in fault) return written;
    throw failure(fault.code);
  }) as FileCalls['writeSync'];
}

/** As Node throws it, path and all: none of it may travel further than the class. */
function failure(code: string): Error {
  return Object.assign(new Error(`${code}: failed, open '/home/CANARY-7f3a/tool-calls.jsonl'`), { code, path: '/home/CANARY-7f3a/tool-calls.jsonl' });
}

/** Keeps what it is given; each append settles when the test says so. */
export class SlowSink implements LineSink {
  readonly appended: string[] = [];
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  append(text: string): Promise<void> {
    this.appended.push(text);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  get pending(): number {
    return this.#waiting.length;
  }

  settle(error?: Error): void {
    const next = this.#waiting.shift();
    if (error) next?.reject(error);
    else next?.resolve();
  }
}
