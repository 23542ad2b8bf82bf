/**
 * The whole gate on a fake clock: the real hub, the real spans, the real log processor, over memory. Every test that uses
 * it has its spans watched; `afterEach` fails a test whose spans broke a rule.
 */
import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect } from 'vitest';
import { spansOf, type SentSpan } from '../../otel/exporter/spans.ts';
import { LogProcessor, type LineSink } from '../../otel/log-processor.ts';
import { Monitor, type Violation } from '../../otel/monitor.ts';
import type { CallRow, Row, RowBody } from '../../otel/row.ts';
import { createTracing } from '../../otel/tracing.ts';
import type { CallRequest } from '../../src/core/call.ts';
import { HubError } from '../../src/core/errors.ts';
import { Hub } from '../../src/core/hub.ts';
import type { CallLog } from '../../src/core/ports.ts';
import type { Decision, Device } from '../../src/core/questions.ts';
import type { CallAnswer, HubTool, ToolCallFilter, UndoFunction } from '../../src/core/types.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { travelling } from './travelling.ts';
import { FakeClock, settled } from './clock.ts';
import { FakeDevice } from './device.ts';
import { MemoryJournal, MemoryNamespaces, MemorySettings } from './stores.ts';

export interface RigOptions {
  /** The log's writes settle when the test says so. */
  readonly asyncLog?: boolean;
  /** False: the test calls `hub.start()` itself. */
  readonly start?: boolean;
  readonly askSeconds?: number;
  /** The rig of an earlier start: its files are found again. */
  readonly after?: Rig;
}

const rigs: Rig[] = [];

afterEach(() => {
  const ended = rigs.splice(0);
  expect(ended.flatMap((rig) => rig.violations), 'the monitor saw the spans break a rule').toEqual([]);
  for (const rig of ended) expect(rig.rebuilt(), 'a row does not rebuild its spans (E03)').toEqual(rig.ended());
});

export function startRig(options: RigOptions = {}): Rig {
  const rig = new Rig(options);
  rigs.push(rig);
  return rig;
}

/** The log's lines in memory. Can be broken, mended, and made to wait. */
class MemorySink implements LineSink {
  text = '';
  broken = false;
  readonly #waits: boolean;
  #held: (() => void)[] = [];

  constructor(waits: boolean) {
    this.#waits = waits;
  }

  append(text: string): void | Promise<void> {
    if (this.broken) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    if (!this.#waits) {
      this.text += text;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#held.push(() => {
        this.text += text;
        resolve();
      });
    });
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }
}

export class Rig {
  readonly clock: FakeClock;
  readonly crypto = new NodeCrypto('ab'.repeat(32));
  readonly settings: MemorySettings;
  readonly namespaces: MemoryNamespaces;
  readonly journal = new MemoryJournal();
  readonly violations: Violation[] = [];
  readonly hub: Hub;
  /** True: whoever reads the log hears that it cannot be read. */
  unreadable = false;
  readonly #writer: string;
  readonly #sink: MemorySink;
  readonly #exported = new InMemorySpanExporter();
  readonly #tools = new Map<string, HubTool>();

  constructor(options: RigOptions) {
    const { after } = options;
    this.clock = after?.clock ?? new FakeClock();
    this.settings = after?.settings ?? new MemorySettings();
    this.namespaces = after?.namespaces ?? new MemoryNamespaces();
    this.#sink = new MemorySink(options.asyncLog ?? false);
    if (after) this.#sink.text = after.bytes();
    this.#writer = `w${rigs.length}`;
    const processor = new LogProcessor({ sink: this.#sink, digest: (text) => this.crypto.digest(text), writer: this.#writer });
    const monitor = new Monitor({ onViolation: (violation) => this.violations.push(violation), strict: true });
    const { spans } = createTracing({
      processors: [processor, monitor, new SimpleSpanProcessor(this.#exported)], serviceVersion: '0.0.0', instanceId: 'i', vaultId: 'v',
    });
    const log: CallLog = {
      written: () => processor.written(),
      writable: () => processor.writable(),
      head: () => processor.head(),
      read: (filter) => this.unreadable ? Promise.reject(new Error('EACCES: permission denied, open \'/home/me/vault/tool-calls.jsonl\'')) : Promise.resolve(this.rows().filter((row) => row.kind !== 'run' && fits(row, filter))),
      recent: (n) => Promise.resolve(this.rows().filter((row) => row.kind !== 'run').slice(-n).reverse()),
      ended: (run) => Promise.resolve(this.rows().some((row) => row.kind === 'run' && row.run === run)),
      onRow: (callback) => processor.onRow(callback),
    };
    this.hub = new Hub({
      clock: this.clock, crypto: this.crypto, spans, log, journal: this.journal, namespaces: this.namespaces, settings: this.settings,
      ...(options.askSeconds === undefined ? {} : { askSeconds: options.askSeconds }),
    });
  }

  /** Registers one more tool of the plugin "books", besides those it has. */
  tool(name: string, more: Partial<HubTool> & Pick<HubTool, 'effect' | 'handler'>, undo?: UndoFunction): void {
    this.#tools.set(name, { name, description: 'Does it.', input: { type: 'object' }, ...more });
    this.hub.register({ id: 'books', name: 'Books' }, [...this.#tools.values()], undo ? { undo } : {});
  }

  device(options: { readonly name?: string; readonly kind?: Device['kind']; readonly silent?: boolean; readonly auto?: Decision } = {}): FakeDevice {
    return new FakeDevice(this.hub.approvals, options);
  }

  /** Calls as the plugin "books", unless said otherwise. */
  call(tool: string, input: unknown, more: Partial<CallRequest> = {}): Promise<CallAnswer> {
    return this.hub.call({ owner: 'books', client: { kind: 'plugin', name: 'books' }, tool, input, ...more });
  }

  /** The error of a call that must fail. */
  async refused(tool: string, input: unknown, more: Partial<CallRequest> = {}): Promise<HubError> {
    try {
      await this.call(tool, input, more);
    } catch (error) {
      if (error instanceof HubError) return error;
      throw error;
    }
    throw new Error(`${tool} was not refused`);
  }

  /** Resolves with `value` when the clock has gone on by `ms`. */
  later<T>(ms: number, value: T): Promise<T> {
    return new Promise((resolve) => this.clock.after(ms, () => resolve(value)));
  }

  settle(): Promise<void> {
    return settled();
  }

  rows(): Row[] {
    return this.#sink.text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
  }

  calls(): (CallRow & Row)[] {
    return this.rows().filter((row) => row.kind === 'call');
  }

  lastCall(): CallRow & Row {
    const last = this.calls().at(-1);
    if (!last) throw new Error('there is no call row');
    return last;
  }

  /** Ended spans of one kind. */
  spans(kind: string): ReadableSpan[] {
    return this.#exported.getFinishedSpans().filter(({ name }) => name.startsWith(`${kind} `));
  }

  /** What the log's rows come to as spans, by id. */
  rebuilt(): ReadonlyMap<string, SentSpan> {
    return new Map(this.#ownRows().flatMap(spansOf).map((span) => [span.spanId, span]));
  }

  /** Those spans as the SDK ended them, but for what never travels. */
  ended(): ReadonlyMap<string, SentSpan> {
    const rebuilt = this.rebuilt();
    return new Map(this.#exported.getFinishedSpans().map(travelling).filter(({ spanId }) => rebuilt.has(spanId)).map((span) => [span.spanId, span]));
  }

  /** Every span that the SDK ended. */
  allEnded(): readonly ReadableSpan[] {
    return this.#exported.getFinishedSpans();
  }

  /** Of this start: those before have their spans in another rig. */
  #ownRows(): Row[] {
    return this.rows().filter(({ w }) => w === this.#writer);
  }

  /** The log's file, to the byte. */
  bytes(): string {
    return this.#sink.text;
  }

  breakLog(): void {
    this.#sink.broken = true;
  }

  mendLog(): void {
    this.#sink.broken = false;
  }

  releaseLog(): void {
    this.#sink.release();
  }
}

function fits(row: Exclude<RowBody, { kind: 'run' }>, { run, plugin, tool, since, until }: ToolCallFilter): boolean {
  return (run === undefined || row.run === run) && (plugin === undefined || row.plugin === plugin) && (tool === undefined || row.tool === tool)
    && (since === undefined || Date.parse(row.time) >= Date.parse(since)) && (until === undefined || Date.parse(row.time) < Date.parse(until));
}
