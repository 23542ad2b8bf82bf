/** From ended spans to rows: the order of writing and answering, and a log that is slow or cannot be written. */
import { describe, expect, it } from 'vitest';
import { LogProcessor, type LineSink, type LogState } from '../../otel/log-processor.ts';
import type { RowBody } from '../../otel/row.ts';
import { createTracing, type HubSpans } from '../../otel/tracing.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { startCall } from '../fakes/call-spans.ts';
import { SlowSink } from '../fakes/sink.ts';

const AT = 1_796_000_000_000_000;
const digest = (text: string): string => new NodeCrypto(undefined).digest(text);

function over(sink: LineSink, keep = 1000): { processor: LogProcessor; spans: HubSpans; states: LogState[]; end: (count?: number) => void } {
  const states: LogState[] = [];
  const processor = new LogProcessor({ sink, digest, writer: 'w1', keep, onState: (state) => states.push(state) });
  const { spans } = createTracing({ processors: [processor], serviceVersion: '0.9.0', instanceId: 'i', vaultId: 'v' });
  const end = (count = 1): void => {
    for (let i = 0; i < count; i++) startCall(spans).end(AT + 300);
  };
  return { processor, spans, states, end };
}

/** Keeps lines; fails as long as `fault` is set. */
class Lines implements LineSink {
  readonly appended: string[] = [];
  fault: unknown;

  append(text: string): void {
    if (this.fault !== undefined) throw this.fault as Error;
    if (text !== '') this.appended.push(text);
  }
}

function counters(text: string): unknown[] {
  return text.trimEnd().split('\n').map((line) => (JSON.parse(line) as { n: unknown }).n);
}

describe('writing', () => {
  it('D24 rows that end together are written together, and what is awaited settles after they are', async () => {
    const sink = new Lines();
    const { processor, end } = over(sink);
    expect(processor.written()).toBeUndefined();
    end(3);
    expect(sink.appended).toEqual([]);
    await processor.written();
    expect(sink.appended).toHaveLength(1);
    expect(counters(sink.appended[0]!)).toEqual([1, 2, 3]);
    expect(processor.written()).toBeUndefined();
  });

  it('E02 each row names the digest of the row before, and the head that of the newest', async () => {
    const sink = new Lines();
    const { processor, end } = over(sink);
    expect(processor.head()).toBe('');
    end(2);
    await processor.written();
    const [first = '', second = ''] = sink.appended.join('').split('\n');
    expect(JSON.parse(first)).toMatchObject({ w: 'w1', n: 1 });
    expect(JSON.parse(first)).not.toHaveProperty('prev');
    expect(JSON.parse(second)).toMatchObject({ w: 'w1', n: 2, prev: digest(first) });
    expect(processor.head()).toBe(`w1:2:${digest(second)}`);
    expect(JSON.stringify(JSON.parse(second))).toBe(second);
  });

  it('D24 while a slow write is under way, further rows wait for it and go out together', async () => {
    const sink = new SlowSink();
    const { processor, end } = over(sink);
    end();
    await Promise.resolve();
    expect(sink.appended).toHaveLength(1);
    const first = processor.written();
    end(2);
    await Promise.resolve();
    expect(sink.appended).toHaveLength(1);
    const second = processor.written();

    sink.settle();
    await first;
    await Promise.resolve();
    expect(counters(sink.appended[1]!)).toEqual([2, 3]);
    let settled = false;
    void second?.then(() => (settled = true));
    await Promise.resolve();
    expect(settled).toBe(false);
    sink.settle();
    await second;
    expect(processor.written()).toBeUndefined();
  });

  it('D24 a slow write that fails leaves no gap in the chain, and its rows are written late', async () => {
    const sink = new SlowSink();
    const { processor, end, states } = over(sink);
    end(2);
    await Promise.resolve();
    sink.settle(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await processor.written();
    expect(processor.state()).toEqual({ writable: false, problem: 'ENOSPC', kept: 2, dropped: 0 });

    const writable = processor.writable();
    sink.settle();
    await new Promise((resolve) => setTimeout(resolve));
    sink.settle();
    expect(await writable).toBe(true);
    expect(sink.appended.slice(1).map(counters)).toEqual([[1], [2]]);
    expect(sink.appended[1]).toContain('"late":true,"w":"w1","n":1}');
    expect(states).toEqual([{ writable: false, problem: 'ENOSPC', kept: 2, dropped: 0 }, { writable: true, kept: 0, dropped: 0 }]);
  });

  it('D24 a log that was never written to says whether it can be', () => {
    const sink = new Lines();
    expect(over(sink).processor.writable()).toBe(true);
    sink.fault = Object.assign(new Error('no'), { code: 'EROFS' });
    const { processor, states } = over(sink);
    expect(processor.writable()).toBe(false);
    expect(states).toEqual([{ writable: false, problem: 'EROFS', kept: 0, dropped: 0 }]);
    sink.fault = undefined;
    expect(processor.writable()).toBe(true);
    expect(states[1]).toEqual({ writable: true, kept: 0, dropped: 0 });
  });

  it('D24 of more rows than are kept the oldest go, and are counted', async () => {
    const sink = new Lines();
    sink.fault = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const { processor, end } = over(sink, 5);
    for (let i = 0; i < 8; i++) {
      end();
      await processor.written();
    }
    expect(processor.state()).toEqual({ writable: false, problem: 'ENOSPC', kept: 5, dropped: 3 });
    sink.fault = undefined;
    end();
    await processor.written();
    expect(sink.appended.flatMap(counters)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    [Object.assign(new Error('x'), { code: '/home/secret' }), 'EUNKNOWN'],
    [new Error('EACCES: /home/secret'), 'EUNKNOWN'],
    ['a text', 'EUNKNOWN'],
    [null, 'EUNKNOWN'],
    [Object.assign(new Error('x'), { code: 'EACCES' }), 'EACCES'],
  ])('B40 of whatever a sink throws only an error class is told', (fault, problem) => {
    const sink = new Lines();
    sink.fault = fault;
    const { processor } = over(sink);
    expect(processor.writable()).toBe(false);
    expect(processor.state().problem).toBe(problem);
  });

  it('F121 once the log is deleted rows are dropped, and nobody is told', async () => {
    const sink = new Lines();
    const { processor, end, states } = over(sink);
    processor.discard();
    end(2);
    await processor.forceFlush();
    expect([sink.appended, states, processor.writable(), processor.written()]).toEqual([[], [], false, undefined]);
  });
});

describe('listening', () => {
  it('F122 listeners get each call and undo once, written or kept, and no listener hurts another', async () => {
    const sink = new Lines();
    const { processor, end, spans } = over(sink);
    const rows: RowBody[] = [];
    processor.onRow(() => {
      throw new Error('broken');
    });
    const stop = processor.onRow((row) => rows.push(row));
    sink.fault = new Error('no');
    end();
    await processor.written();
    expect(rows).toHaveLength(1);
    sink.fault = undefined;
    const run = spans.start('invoke_agent', 'books', AT);
    run.set('modelhub.run.kind', 'explicit');
    run.end(AT + 1);
    spans.start('undo', 'books.add', AT, run).end(AT + 1);
    await processor.written();
    expect(rows.map(({ kind }) => kind)).toEqual(['call', 'undo']);
    expect(sink.appended.flatMap(counters)).toEqual([1, 2, 3]);
    stop();
    end();
    await processor.written();
    expect(rows).toHaveLength(2);
  });

  it('D30 what is in flight is what has started and not ended', () => {
    const { processor, spans } = over(new Lines());
    const span = startCall(spans);
    const undo = spans.start('undo', 'books.add', AT);
    expect(processor.inFlight()).toBe(2);
    span.end(AT + 300);
    undo.end(AT + 300);
    expect(processor.inFlight()).toBe(0);
  });
});
