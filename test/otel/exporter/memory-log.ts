/** The log's files in memory: appended to, rolled over, replaced, deleted and broken as the test says. */
import type { LogFile, LogSource } from '../../../otel/log-source.ts';
import { lineOf } from './rows.ts';

export const LOG = 'tool-calls.jsonl';

export class MemoryLog implements LogSource {
  readonly files = new Map<string, Buffer>();
  /** Reading fails while it is true. */
  broken = false;
  /** Runs before each reading: what others do meanwhile. */
  meanwhile: () => void = () => undefined;
  bytesRead = 0;

  append(...rows: readonly object[]): void {
    this.write(rows.map(lineOf).join(''));
  }

  write(text: string | Uint8Array, name = LOG): void {
    this.files.set(name, Buffer.concat([this.files.get(name) ?? Buffer.alloc(0), Buffer.from(text as string)]));
  }

  /** The month is over. */
  roll(month: string): void {
    this.files.set(`tool-calls.${month}.jsonl`, this.files.get(LOG)!);
    this.files.delete(LOG);
  }

  list(): Promise<readonly LogFile[]> {
    if (this.broken) return Promise.reject(new Error('EACCES'));
    return Promise.resolve([...this.files].filter(([, bytes]) => bytes.length > 0).map(([name, bytes]) => ({ name, size: bytes.length })).sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  read(name: string, from: number, to: number): Promise<Uint8Array> {
    this.meanwhile();
    const bytes = this.files.get(name);
    if (this.broken || !bytes) return Promise.reject(new Error('ENOENT'));
    const part = bytes.subarray(from, Math.max(from, to));
    this.bytesRead += part.length;
    return Promise.resolve(new Uint8Array(part));
  }
}
