/** Rows that the log cannot take: their traces do not wait for it. */
import { describe, expect, it } from 'vitest';
import type { HttpPost } from '../../../otel/exporter/delivery.ts';
import { TraceExporter } from '../../../otel/exporter/exporter.ts';
import type { Progress, ProgressStore } from '../../../otel/exporter/progress.ts';
import { Ranges } from '../../../otel/exporter/ranges.ts';
import type { LogSource } from '../../../otel/log-source.ts';
import type { CallRow } from '../../../otel/row.ts';
import { FakeClock } from '../../fakes/clock.ts';

const ROW: CallRow = {
  v: 1, kind: 'call', id: 'b7ad6b7169203331', trace: '0af7651916cd43dd8448eb211c80319c', time: '2026-11-30T12:00:00.000000Z', run: 'r-1', client: { kind: 'mcp', name: 'Claude Code' },
  tool: 'books.add', effect: 'write', outcome: 'refused', code: 'tool-denied', reason: 'log', spans: { run: '1111111111111111' }, us: { end: 10 },
};

/** The log's one file, as text. */
class TextSource implements LogSource {
  text = '';

  list(): ReturnType<LogSource['list']> {
    return Promise.resolve(this.text === '' ? [] : [{ name: 'tool-calls.jsonl', size: this.text.length }]);
  }

  read(_: string, from: number, to: number): Promise<Uint8Array> {
    return Promise.resolve(new TextEncoder().encode(this.text).slice(from, to));
  }
}

class NoStore implements ProgressStore {
  open(writer: string, from: number): Progress {
    return { writer, from, sent: new Ranges(), place: undefined };
  }
  adopt(): readonly Progress[] {
    return [];
  }
  save(): void {
    // Nothing is kept.
  }
  finish(): void {
    // As above.
  }
  finishAll(): void {
    // As above.
  }
}

describe('a log that cannot be written', () => {
  it('D24 its refusals reach the collector at once, and are not sent again when they are in the log', async () => {
    const source = new TextSource();
    const clock = new FakeClock();
    const ids: string[] = [];
    const post: HttpPost = ({ body }) => {
      ids.push(...(new TextDecoder().decode(body).match(/(?<="spanId":")[0-9a-f]{16}(?=")/g) ?? []));
      return Promise.resolve({ status: 200, contentType: 'application/json', retryAfter: '', text: '{}' });
    };
    const exporter = new TraceExporter({ source, writer: 'w', newest: () => 0, origin: { serviceVersion: '0', vaultId: 'v' }, post, clock, notice: () => undefined });
    exporter.turnOn({ url: 'http://127.0.0.1:4318/v1/traces', headers: {}, sampleRate: 1, serviceName: 'model-hub' }, new NoStore(), true);
    exporter.keep(ROW);
    await clock.advance(2_000);
    expect(ids).toEqual([ROW.id]);

    const next = { ...ROW, id: 'c7ad6b7169203332', reason: 'user' };
    source.text = `${JSON.stringify({ ...ROW, late: true, w: 'w', n: 1 })}\n${JSON.stringify({ ...next, w: 'w', n: 2, prev: 'p' })}\n`;
    exporter.wake();
    await clock.advance(5_000);
    expect(ids).toEqual([ROW.id, next.id]);
    await exporter.close(100);
  });
});
