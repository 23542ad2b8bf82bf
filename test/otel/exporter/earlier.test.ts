/** Rows from before it was switched on, or that a crash kept from it: those that are missing, and no others. */
import { describe, expect, it } from 'vitest';
import { sendEarlier, type EarlierParts, type EarlierResult, type EarlierStore } from '../../../otel/exporter/earlier.ts';
import type { HttpAnswer } from '../../../otel/exporter/delivery.ts';
import { Ranges } from '../../../otel/exporter/ranges.ts';
import { MemoryLog } from './memory-log.ts';
import { callRow, lineOf, START } from './rows.ts';
import { idsOf, TARGET } from './session-rig.ts';

class MemoryKnown implements EarlierStore {
  readonly sent = new Map<string, Ranges>();
  readonly from = new Map<string, number>();

  known(writer: string): { readonly sent: Ranges; readonly from: number } {
    return { sent: new Ranges(this.sent.get(writer)?.toJSON()), from: this.from.get(writer) ?? Infinity };
  }

  record(writer: string, sent: Ranges): void {
    this.sent.set(writer, new Ranges(sent.toJSON()));
  }
}

class EarlierRig {
  readonly log = new MemoryLog();
  readonly store = new MemoryKnown();
  readonly taken: string[] = [];
  readonly waits: number[] = [];
  answer: () => Partial<HttpAnswer> | 'down' = () => ({});

  send(since = START): Promise<EarlierResult> {
    const parts: EarlierParts = {
      source: this.log, store: this.store, target: TARGET, origin: { serviceVersion: '0', vaultId: 'v' }, since,
      clock: { monotonic: () => 0, after: (ms, run) => { this.waits.push(ms); queueMicrotask(run); return () => undefined; } },
      post: ({ body }) => {
        const answer = this.answer();
        if (answer === 'down') return Promise.reject(new Error('ECONNREFUSED'));
        if ((answer.status ?? 200) === 200) this.taken.push(...[...new TextDecoder().decode(body).matchAll(/"spanId":"([0-9a-f]{16})","(?:traceState|parentSpanId|name)/g)].map(([, id]) => id!));
        return Promise.resolve({ status: 200, contentType: 'application/json', retryAfter: '', text: '{}', ...answer });
      },
    };
    return sendEarlier(parts);
  }
}

const rows = (...numbers: number[]): string[] => numbers.flatMap((n) => idsOf(callRow(n)));

describe('rows from before', () => {
  it('E03 are sent from a time on, out of every month and copy, each once, and none the second time', async () => {
    const rig = new EarlierRig();
    rig.log.append(callRow(1), callRow(2), callRow(3));
    rig.log.roll('2026-11');
    rig.log.append(callRow(4), callRow(4));
    rig.log.write(`${lineOf(callRow(3))}${lineOf(callRow(5))}`, 'tool-calls (conflict).jsonl');
    expect(await rig.send(START + 2_000)).toMatchObject({ spans: 12, rejected: 0 });
    expect(rig.taken).toEqual(rows(2, 3, 4, 5));
    expect(await rig.send(START + 2_000)).toMatchObject({ spans: 0 });
    expect(await rig.send()).toMatchObject({ spans: 3 });
    expect(rig.taken).toEqual(rows(2, 3, 4, 5, 1));
  });

  it('E03 are left to the host that runs, from its own first on', async () => {
    const rig = new EarlierRig();
    rig.store.from.set('w1', 3);
    rig.log.append(...[1, 2, 3, 4].map((n) => callRow(n)));
    expect(await rig.send()).toEqual({ spans: 6, passed: 2, rejected: 0 });
    expect(rig.taken).toEqual(rows(1, 2));
  });

  it('E03 of an outage in the middle: what went before is remembered, and the rest is sent the next time', async () => {
    const rig = new EarlierRig();
    rig.log.append(...Array.from({ length: 60 }, (_, i) => callRow(i + 1)));
    let requests = 0;
    rig.answer = () => (++requests > 1 ? 'down' : {});
    const first = await rig.send();
    expect(first).toMatchObject({ problem: 'nobody answered' });
    expect([first.spans > 0, rig.waits.length > 1]).toEqual([true, true]);
    rig.answer = () => ({});
    await rig.send();
    expect(rig.taken).toEqual(rows(...Array.from({ length: 60 }, (_, i) => i + 1)));
  });

  it('E03 to a collector that is busy wait as long as it asks, a few times', async () => {
    const rig = new EarlierRig();
    rig.log.append(callRow(1));
    let requests = 0;
    rig.answer = () => (++requests < 3 ? { status: 429, retryAfter: '7' } : {});
    expect(await rig.send()).toEqual({ spans: 3, passed: 0, rejected: 0 });
    expect(rig.waits).toEqual([7_000, 7_000]);
  });

  it('E03 with numbers and writers that are none of ours do not make it forget what was sent', async () => {
    const rig = new EarlierRig();
    rig.log.append(callRow(1), callRow(0), callRow(-5), callRow(2, { w: '../../x' }));
    await rig.send();
    expect(JSON.stringify(rig.store.sent.get('w1'))).toBe('[[1,1]]');
    rig.taken.length = 0;
    await rig.send();
    expect(rig.taken).toEqual([]);
  });

  it('E03 of a log that cannot be read any more: it says so', async () => {
    const rig = new EarlierRig();
    rig.log.append(callRow(1));
    rig.log.broken = true;
    expect(await rig.send()).toEqual({ spans: 0, passed: 0, rejected: 0, problem: 'the log could not be read' });
  });

  it('of no log are none', async () => {
    expect(await new EarlierRig().send()).toEqual({ spans: 0, passed: 0, rejected: 0 });
  });
});
