/** The files of a log in memory; counts the bytes that were read. */
import type { LogSource } from '../../otel/log-source.ts';

export class MemorySource implements LogSource {
  readonly files: Map<string, Uint8Array>;
  bytesRead = 0;

  constructor(files: { readonly [name: string]: string | Uint8Array }) {
    this.files = new Map(Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? new TextEncoder().encode(content) : content]));
  }

  list(): Promise<{ name: string; size: number }[]> {
    return Promise.resolve([...this.files].map(([name, { length: size }]) => ({ name, size })).filter(({ size }) => size > 0));
  }

  read(name: string, from: number, to: number): Promise<Uint8Array> {
    const bytes = this.files.get(name)!.slice(from, to);
    this.bytesRead += bytes.length;
    return Promise.resolve(bytes);
  }

  append(name: string, text: string): void {
    this.files.set(name, Buffer.concat([this.files.get(name) ?? new Uint8Array(0), Buffer.from(text)]));
  }
}
