/** Sending on a clock that the test moves: the real exporter over a log in memory, to a collector in memory. */
import { TraceExporter, type ExporterParts, type Target } from '../../../otel/exporter/exporter.ts';
import type { HttpAnswer, HttpRequest } from '../../../otel/exporter/delivery.ts';
import type { Progress, ProgressStore } from '../../../otel/exporter/progress.ts';
import { Ranges } from '../../../otel/exporter/ranges.ts';
import { spansOf } from '../../../otel/exporter/spans.ts';
import type { Row } from '../../../otel/row.ts';
import { FakeClock, settled } from '../../fakes/clock.ts';
import { MemoryLog } from './memory-log.ts';
import { callRow } from './rows.ts';

export const TARGET: Target = { url: 'http://localhost:4318/v1/traces', headers: {}, sampleRate: 1, serviceName: 'model-hub' };

interface Kept { readonly from: number; readonly sent: Ranges; readonly place: Progress['place']; live: boolean }

/** Progress in memory, one for each endpoint; what is read is what was saved. */
export class MemoryProgress implements ProgressStore {
  readonly kept = new Map<string, Kept>();
  /** Writers that are gone. */
  gone: string[] = [];

  open(writer: string, from: number): Progress {
    return { writer, from, sent: new Ranges(this.kept.get(writer)?.sent.toJSON()), place: undefined };
  }

  adopt(): readonly Progress[] {
    return this.gone.splice(0).flatMap((writer) => {
      const kept = this.kept.get(writer);
      return kept?.live ? [{ writer, ...kept, sent: new Ranges(kept.sent.toJSON()) }] : [];
    });
  }

  save(progress: Progress): void {
    this.#keep(progress, true);
  }

  finish(progress: Progress): void {
    this.#keep(progress, false);
  }

  finishAll(): void {
    for (const each of this.kept.values()) each.live = false;
  }

  #keep({ writer, from, sent, place }: Progress, live: boolean): void {
    this.kept.set(writer, { from, sent: new Ranges(JSON.parse(JSON.stringify(sent)) as [number, number][]), place, live });
  }
}

export type Answering = (request: HttpRequest, spans: readonly string[]) => Partial<HttpAnswer> & { readonly afterMs?: number; readonly deaf?: boolean } | 'silent' | 'down';

export class SessionRig {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly store = new MemoryProgress();
  readonly notices: string[] = [];
  /** Of each request, in order: its spans' ids. */
  readonly asked: string[][] = [];
  /** Ids of the spans that the collector took, in order. */
  readonly taken: string[] = [];
  answer: Answering = () => ({});
  requests = 0;
  underWay = 0;
  exporter: TraceExporter;
  #rows = 0;

  constructor(parts: Partial<ExporterParts> = {}) {
    this.exporter = this.start(parts);
  }

  /** Another start of the host, over the same files. */
  start(parts: Partial<ExporterParts> = {}): TraceExporter {
    this.exporter = new TraceExporter({
      source: this.log, writer: 'w1', newest: () => this.#rows, origin: { serviceVersion: '0', vaultId: 'v' },
      clock: this.clock, notice: (text) => this.notices.push(text), post: (request) => this.#post(request), ...parts,
    });
    return this.exporter;
  }

  on(target: Target = TARGET, earlier = true, store: ProgressStore = this.store): this {
    this.exporter.turnOn(target, store, earlier);
    return this;
  }

  /** Rows of this start, written now. */
  write(count = 1, more: Partial<Row> = {}): Row[] {
    const rows = Array.from({ length: count }, () => callRow(++this.#rows, more as object));
    this.log.append(...rows);
    this.exporter.wake();
    return rows;
  }

  /** What the log's rows come to, in order. */
  inLog(): string[] {
    return this.log.files.size === 0 ? [] : Buffer.concat([...this.log.files].toSorted(([a], [b]) => (a.replace('.jsonl', '.z') < b.replace('.jsonl', '.z') ? -1 : 1)).map(([, bytes]) => bytes)).toString().split('\n').filter(Boolean).flatMap((line) => idsOf(JSON.parse(line) as Row));
  }

  /** Goes on, and lets what is under way end. */
  async pass(ms = 1_500): Promise<void> {
    for (let left = ms; left > 0; left -= 200) {
      await this.clock.advance(Math.min(left, 200));
      for (let i = 0; i < 8; i++) await settled();
    }
  }

  async #post(request: HttpRequest): Promise<HttpAnswer> {
    this.requests++;
    const { resourceSpans } = JSON.parse(new TextDecoder().decode(request.body)) as { resourceSpans: { scopeSpans: { spans: { spanId: string }[] }[] }[] };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(({ spanId }) => spanId)));
    this.asked.push(spans);
    const answer = this.answer(request, spans);
    this.underWay++;
    try {
      await settled();
      if (answer === 'silent') await new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted'))));
      if (answer === 'down' || answer === 'silent') throw new Error('ECONNREFUSED');
      const { afterMs = 0, deaf = false } = answer;
      if (afterMs > 0) await new Promise<void>((resolve) => this.clock.after(afterMs, resolve));
      if (!deaf) request.signal.throwIfAborted();
      const { status = 200 } = answer;
      if (status === 200) this.taken.push(...spans);
      return { status, contentType: 'application/json', retryAfter: '', text: '{}', ...answer };
    } finally {
      this.underWay--;
    }
  }
}

export function idsOf(row: Row): string[] {
  return spansOf(row).map(({ spanId }) => spanId);
}
