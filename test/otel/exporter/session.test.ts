/** Sending, on a clock that the test moves: each span once, in order, across outages; off means off. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callRow, lineOf } from './rows.ts';
import { idsOf, MemoryProgress, SessionRig, TARGET } from './session-rig.ts';

const unhandled: unknown[] = [];
const hear = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => { process.on('unhandledRejection', hear); });
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  process.off('unhandledRejection', hear);
  expect(unhandled.splice(0), 'telemetry 15: a rejection that nobody handled').toEqual([]);
});

describe('in a good run', () => {
  it('telemetry 21 E03 each span is handed to the collector once, in order', async () => {
    const rig = new SessionRig().on();
    for (let i = 0; i < 30; i++) {
      rig.write(7);
      await rig.pass(700);
    }
    await rig.pass(5_000);
    expect(rig.taken).toEqual(rig.inLog());
    expect(rig.asked.flat()).toEqual(rig.inLog());
    expect(rig.notices).toEqual([]);
    expect(rig.exporter.state()).toEqual({ on: true, delivered: 630, rejected: 0 });
  });

  it('E03 what is written at once goes together, a second later', async () => {
    const rig = new SessionRig().on();
    await rig.pass();
    rig.write(3);
    rig.write(2);
    await rig.pass(900);
    expect(rig.requests).toBe(0);
    await rig.pass(200);
    expect(rig.asked.map((ids) => ids.length)).toEqual([15]);
  });

  it('telemetry 19 E03 a row that is written while others are being sent is sent too', async () => {
    const rig = new SessionRig().on();
    let wrote = 0;
    rig.answer = () => {
      if (wrote++ < 5) rig.write();
      return {};
    };
    rig.write();
    for (let i = 0; i < 12; i++) await rig.pass();
    expect(rig.taken).toEqual(rig.inLog());
    expect(rig.inLog()).toHaveLength(18);
  });

  it('E03 a row that is written while the log is being read is sent too', async () => {
    const rig = new SessionRig().on();
    let reads = 0;
    rig.log.meanwhile = () => {
      if (++reads % 3 === 0 && reads < 60) rig.write();
    };
    rig.write();
    for (let i = 0; i < 40; i++) await rig.pass();
    expect(rig.taken).toEqual(rig.inLog());
    expect(rig.inLog().length).toBeGreaterThan(30);
  });

  it('telemetry 30 E03 a long log is sent in requests of a size that every collector takes', async () => {
    const rig = new SessionRig();
    let largest = 0;
    rig.answer = ({ body }) => {
      largest = Math.max(largest, body.length);
      return {};
    };
    rig.write(500);
    rig.on();
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
    expect(largest).toBeLessThan(200_000);
  });

  it('E03 goes on across the end of a month', async () => {
    const rig = new SessionRig().on();
    rig.write(3);
    await rig.pass();
    rig.write(2);
    rig.log.roll('2026-11');
    rig.write(2);
    await rig.pass(3_000);
    expect(rig.taken).toHaveLength(21);
    expect(new Set(rig.taken).size).toBe(21);
  });

  it('E03 sends no row of another writer, however many stand between', async () => {
    const rig = new SessionRig().on();
    rig.log.append(...Array.from({ length: 200 }, (_, i) => callRow(i + 1, { w: 'w2' })));
    const own = rig.write(2, { id: 'f'.repeat(16) });
    await rig.pass(3_000);
    expect(rig.taken).toEqual(own.flatMap(idsOf));
  });

  it('D30 sends a share of the traces, whole ones', async () => {
    const rig = new SessionRig().on({ ...TARGET, sampleRate: 0.5 });
    const sent = rig.write(1, { trace: `${'0'.repeat(18)}1${'0'.repeat(13)}` });
    rig.write(1, { trace: 'f'.repeat(32) });
    await rig.pass();
    expect(rig.taken).toEqual(sent.flatMap(idsOf));
  });

  it('D30 of which none is to be sent asks nobody, and is still alive', async () => {
    const rig = new SessionRig().on({ ...TARGET, sampleRate: 0 });
    rig.write(5);
    await rig.pass(5_000);
    expect([rig.requests, rig.exporter.state()]).toEqual([0, { on: true, delivered: 0, rejected: 0 }]);
  });
});

describe('in an outage', () => {
  it('telemetry 19 E03 everything is sent after it, in order, each once', async () => {
    const rig = new SessionRig().on();
    rig.write(2);
    await rig.pass();
    rig.answer = () => 'down';
    for (let i = 0; i < 20; i++) {
      rig.write(5);
      await rig.pass(5_000);
    }
    rig.answer = () => ({});
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
    rig.write();
    await rig.pass();
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('telemetry 12 the tries become fewer, and a foolish wait is not obeyed', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => ({ status: 429, retryAfter: '31536000' });
    rig.write();
    await rig.pass(600_000);
    expect(rig.requests).toBeGreaterThan(6);
    expect(rig.requests).toBeLessThan(20);
    rig.answer = () => ({});
    await rig.pass(90_000);
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('the user is told once, and once when it is over', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'down';
    rig.write();
    await rig.pass(1_100);
    expect([rig.notices, rig.exporter.state().problem]).toEqual([[], 'Traces do not arrive: nobody answered.']);
    await rig.pass(300_000);
    expect(rig.notices).toEqual(['Traces do not arrive: nobody answered. Calls go on as before, and what is missing is sent when it can be. Look at the settings of the traces.']);
    rig.answer = () => ({});
    await rig.pass(60_000);
    expect(rig.notices.slice(1)).toEqual(['Traces arrive again.']);
    expect(rig.exporter.state()).toEqual({ on: true, delivered: 3, rejected: 0 });
    rig.write();
    await rig.pass(60_000);
    expect(rig.notices).toHaveLength(2);
  });

  it('telemetry 23 nothing grows while the collector is down: no timer, no request, no row in memory', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'down';
    rig.write();
    await rig.pass(60_000);
    const waiting = rig.clock.waiting;
    for (let i = 0; i < 50; i++) {
      rig.write(40);
      await rig.pass(1_000);
      expect([rig.clock.waiting <= waiting, rig.underWay <= 1]).toEqual([true, true]);
    }
    expect(Math.max(...rig.asked.map((ids) => ids.length))).toBeLessThan(200);
    const size = rig.store.kept.get('w1')!.sent.toJSON().length;
    expect(size).toBe(0);
  });

  it('telemetry 19 E03 the log could not be read for a moment: what is written later is sent', async () => {
    const rig = new SessionRig().on();
    rig.log.broken = true;
    rig.exporter.wake();
    await rig.pass(1_100);
    expect(rig.exporter.state().problem).toContain('the log could not be read');
    rig.log.broken = false;
    await rig.pass(10_000);
    expect(rig.exporter.state().problem).toBeUndefined();
    rig.write();
    await rig.pass(10_000);
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('telemetry 19 E03 the log was deleted in it: what is written later is sent', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'down';
    rig.write();
    await rig.pass(20_000);
    rig.log.files.clear();
    rig.answer = () => ({});
    await rig.pass(60_000);
    rig.write();
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
    expect(rig.notices.at(-1)).toBe('Traces arrive again.');
  });

  it('telemetry 20 E03 an answer that was lost: the same is sent again, to the byte', async () => {
    const rig = new SessionRig().on();
    const bodies: string[] = [];
    rig.answer = ({ body }) => {
      bodies.push(Buffer.from(body).toString('hex'));
      return bodies.length === 1 ? 'down' : {};
    };
    rig.write(3);
    await rig.pass(10_000);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
  });
});

describe('a collector that refuses', () => {
  it('E03 one row of many: it alone is left out, once, and the user hears it once', async () => {
    const rig = new SessionRig().on();
    const rows = rig.write(12);
    const poison = idsOf(rows[4]!)[0]!;
    rig.answer = (_, spans) => (spans.includes(poison) ? { status: 400, text: '{"message":"bad span"}' } : {});
    await rig.pass(5_000);
    expect(rig.taken.toSorted()).toEqual(rows.filter((_, i) => i !== 4).flatMap(idsOf).toSorted());
    rig.write(3);
    await rig.pass(5_000);
    expect(rig.asked.filter((ids) => ids.includes(poison)).length).toBeLessThan(8);
    expect(rig.notices).toEqual(['The collector threw away 3 spans: "{"message":"bad span"}". The log has all of them.']);
    expect(rig.exporter.state()).toEqual({ on: true, delivered: 42, rejected: 3 });
    const ranges = rig.store.kept.get('w1')!.sent.toJSON();
    expect(ranges).toEqual([[1, 15]]);
  });

  it.each([400, 413, 415, 422])('E03 everything (status %d): nothing is lost, and all is sent when it is well', async (status) => {
    const rig = new SessionRig().on();
    rig.answer = () => ({ status });
    rig.write(10);
    await rig.pass(100_000);
    expect([rig.taken, rig.exporter.state().rejected, rig.notices.length]).toEqual([[], 0, 1]);
    rig.answer = () => ({});
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
  });

  it.each([401, 403, 404, 302])('E03 our credentials or our address (status %d): nothing is lost', async (status) => {
    const rig = new SessionRig().on();
    rig.answer = () => ({ status, text: 'no' });
    rig.write(4);
    await rig.pass(100_000);
    expect(rig.notices).toEqual([expect.stringContaining('("no")')]);
    rig.answer = () => ({});
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('E03 some spans of a request (partial success): they are counted, not sent again, and the user hears it once', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => ({ text: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' });
    rig.write();
    await rig.pass();
    rig.write();
    await rig.pass();
    expect([rig.requests, rig.notices]).toEqual([2, ['The collector threw away 2 spans: "too old". The log has all of them.']]);
    expect(rig.exporter.state()).toEqual({ on: true, delivered: 2, rejected: 4 });
  });

  it('more spans than it got: no more are counted than were sent', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => ({ text: '{"partialSuccess":{"rejectedSpans":"9007199254740991"}}' });
    rig.write();
    await rig.pass();
    expect(rig.exporter.state()).toEqual({ on: true, delivered: 0, rejected: 3 });
  });
});

describe('a log that cannot be written', () => {
  it('E03 what waits for it is sent at once, and not again when it is there', async () => {
    const rig = new SessionRig().on();
    const rows = [1, 2, 3].map((n) => callRow(n));
    for (const row of rows) rig.exporter.keep(row);
    await rig.pass();
    expect(rig.taken).toEqual(rows.flatMap(idsOf));
    rig.log.append(...rows.map((row) => ({ ...row, late: true })), callRow(4));
    rig.exporter.wake();
    await rig.pass();
    expect(rig.asked.flat()).toEqual([...rows, callRow(4)].flatMap(idsOf));
    expect(rig.store.kept.get('w1')!.sent.toJSON()).toEqual([[1, 4]]);
  });

  it('telemetry 30 E03 what waits for it goes in requests of a size that every collector takes', async () => {
    const rig = new SessionRig().on();
    for (let n = 1; n <= 500; n++) rig.exporter.keep(callRow(n));
    await rig.pass(10_000);
    expect(rig.taken).toHaveLength(1_500);
    expect(Math.max(...rig.asked.map((ids) => ids.length))).toBeLessThan(200);
  });

  it('telemetry 23 E03 for hours, while the collector is well or away: a thousand rows are remembered, and the rest comes from the log', async () => {
    const rig = new SessionRig().on();
    const rows = Array.from({ length: 3_000 }, (_, i) => callRow(i + 1));
    for (const [i, row] of rows.entries()) {
      rig.exporter.keep(row);
      if (i % 250 === 0) await rig.pass(5_000);
    }
    await rig.pass(10_000);
    expect(rig.taken).toHaveLength(3_000);
    rig.log.append(...rows);
    rig.exporter.wake();
    await rig.pass(120_000);
    expect(rig.taken).toEqual(rows.flatMap(idsOf));
    rig.exporter.keep(callRow(3_001));
    await rig.pass();
    expect(rig.taken).toHaveLength(9_003);
  });

  it('D32 what waits for it is not sent when it is off, nor later', async () => {
    const rig = new SessionRig().on();
    rig.exporter.keep(callRow(1));
    rig.exporter.turnOff();
    rig.exporter.keep(callRow(2));
    await rig.pass(10_000);
    rig.on(TARGET, false);
    await rig.pass(10_000);
    expect(rig.requests).toBe(0);
  });
});

describe('off', () => {
  it('D32 is how it begins: no request, whatever is written', async () => {
    const rig = new SessionRig();
    rig.write(5);
    await rig.pass(60_000);
    expect([rig.requests, rig.exporter.state(), rig.clock.waiting]).toEqual([0, { on: false, delivered: 0, rejected: 0 }, 0]);
    await rig.exporter.close(1_000);
    expect(rig.requests).toBe(0);
  });

  it('D32 drops what is queued: no request follows, not after on again either, but for what comes then', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'down';
    rig.write(3);
    await rig.pass(20_000);
    rig.exporter.turnOff();
    rig.answer = () => ({});
    const { requests } = rig;
    rig.write(2);
    await rig.pass(120_000);
    expect([rig.requests, rig.clock.waiting]).toEqual([requests, 0]);
    rig.on(TARGET, false);
    await rig.pass(120_000);
    expect(rig.taken).toEqual([]);
    const rows = rig.write(2);
    await rig.pass(5_000);
    expect(rig.taken).toEqual(rows.flatMap(idsOf));
  });

  it('D32 ends the request that is under way', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'silent';
    rig.write();
    await rig.pass(1_100);
    expect(rig.underWay).toBe(1);
    rig.exporter.turnOff();
    await rig.pass(60_000);
    expect([rig.underWay, rig.requests, rig.notices, rig.store.kept.get('w1')!.live]).toEqual([0, 1, [], false]);
  });

  it('D32 as an answer comes: nothing is left to be sent, and nobody is told of it', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => {
      rig.exporter.turnOff();
      return { deaf: true, text: '{"partialSuccess":{"rejectedSpans":1}}' };
    };
    rig.write();
    await rig.pass(60_000);
    expect([rig.requests, rig.notices, rig.store.kept.get('w1')!.live]).toEqual([1, [], false]);
  });

  it('D32 between two halves of a refused batch: the second is not sent', async () => {
    const rig = new SessionRig().on();
    rig.write(4);
    rig.answer = (_, spans) => {
      if (spans.length < 12) rig.exporter.turnOff();
      return { status: spans.length === 12 ? 400 : 200 };
    };
    await rig.pass(30_000);
    expect(rig.requests).toBe(2);
  });
});

describe('another target', () => {
  it('D32 at another address: what is written from then on goes there, and nothing more to the first', async () => {
    const rig = new SessionRig().on();
    const went: string[] = [];
    rig.answer = ({ url }) => {
      went.push(url);
      return url === TARGET.url ? 'down' : {};
    };
    rig.write(3);
    await rig.pass(10_000);
    const other = new MemoryProgress();
    rig.on({ ...TARGET, url: 'http://localhost:9999/v1/traces' }, false, other);
    const before = went.length;
    const rows = rig.write(2);
    await rig.pass(60_000);
    expect(new Set(went.slice(before))).toEqual(new Set(['http://localhost:9999/v1/traces']));
    expect(rig.taken).toEqual(rows.flatMap(idsOf));
    expect([rig.store.kept.get('w1')!.live, other.kept.get('w1')!.live]).toEqual([false, true]);
  });

  it('E03 at the same address, with other credentials: what waited for them is sent', async () => {
    const rig = new SessionRig().on();
    rig.answer = ({ headers }) => (headers['authorization'] === 'good' ? {} : { status: 401 });
    rig.write(3);
    await rig.pass(100_000);
    rig.on({ ...TARGET, headers: { authorization: 'good' } }, false);
    rig.write(2);
    await rig.pass(60_000);
    expect(rig.taken).toEqual(rig.inLog());
  });
});

describe('the end', () => {
  it('telemetry 9 telemetry 10 E03 sends what was written in the moment before', async () => {
    const rig = new SessionRig().on();
    rig.write(3);
    await rig.exporter.close(1_000);
    expect(rig.taken).toEqual(rig.inLog());
    await rig.pass(60_000);
    expect([rig.requests, rig.clock.waiting]).toEqual([1, 0]);
  });

  it('telemetry 42 E03 waits for the request that is under way, and sends the rest after it, each once', async () => {
    const rig = new SessionRig().on();
    rig.write(200);
    let closed: Promise<void> | undefined;
    rig.answer = () => {
      closed ??= rig.exporter.close(10_000);
      return {};
    };
    await rig.pass(1_100);
    await rig.pass(9_000);
    await closed;
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('telemetry 21 E03 rows that come while a slow collector takes others are sent after them, and no span twice', async () => {
    for (let moment = 1; moment <= 12; moment++) {
      const rig = new SessionRig().on();
      rig.answer = () => ({ afterMs: 3_000 });
      rig.write();
      await rig.pass(1_100);
      rig.write();
      const closed = rig.exporter.close(20_000);
      let reads = 0;
      rig.log.meanwhile = () => {
        if (++reads === moment) rig.write();
      };
      await rig.pass(20_000);
      await closed;
      expect(rig.asked.flat()).toEqual(rig.inLog().slice(0, rig.asked.flat().length));
      expect(rig.asked.flat().length).toBeGreaterThan(5);
    }
  });

  it('telemetry 16 telemetry 17 telemetry 12 comes within its time, whatever the collector does, and the rest is sent at the next start', async () => {
    const rig = new SessionRig().on();
    rig.write(3);
    rig.answer = () => 'silent';
    let ended = false;
    const closed = rig.exporter.close(1_000).then(() => { ended = true; });
    await rig.pass(999);
    expect(ended).toBe(false);
    await rig.pass(1);
    expect(ended).toBe(true);
    await closed;
    expect([rig.requests, rig.underWay, rig.clock.waiting, rig.store.kept.get('w1')!.live]).toEqual([1, 0, 0, true]);
    rig.answer = () => ({});
    rig.store.gone = ['w1'];
    rig.start({ writer: 'w2', newest: () => 0 });
    rig.on();
    await rig.pass(10_000);
    expect(rig.taken).toEqual(rig.inLog());
    expect(rig.store.kept.get('w1')!.live).toBe(false);
  });

  it('telemetry 17 in an outage asks nobody again', async () => {
    const rig = new SessionRig().on();
    rig.answer = () => 'down';
    rig.write();
    await rig.pass(20_000);
    const { requests } = rig;
    await rig.exporter.close(1_000);
    expect([rig.requests, rig.clock.waiting]).toEqual([requests, 0]);
  });

  it('telemetry 24 E03 is not kept waiting by a pause for work that took long by the clock', async () => {
    const rig = new SessionRig();
    const slow = { micros: () => rig.clock.micros(), monotonic: () => { rig.clock.stall(60_000); return rig.clock.monotonic(); }, after: (ms: number, run: () => void) => rig.clock.after(ms, run) };
    rig.start({ clock: slow });
    rig.write(100);
    rig.on();
    await rig.pass(1_100);
    const before = rig.taken.length;
    expect(before).toBeGreaterThan(0);
    await rig.pass(30_000);
    expect(rig.taken).toEqual(rig.inLog());
  });

  it('is the end once, and of nothing where nothing is on', async () => {
    const rig = new SessionRig().on();
    rig.write();
    await Promise.all([rig.exporter.close(1_000), rig.exporter.close(1_000)]);
    await rig.exporter.close(1_000);
    rig.exporter.wake();
    rig.exporter.turnOff();
    await rig.pass(60_000);
    expect([rig.requests, rig.exporter.state().on]).toEqual([1, false]);
  });
});

describe('what a start that is gone left', () => {
  it('E03 is sent first, then what came since', async () => {
    const rig = new SessionRig();
    rig.log.append(...[1, 2, 3].map((n) => callRow(n + 100, { w: 'w0', n })));
    const { sent } = rig.store.open('w0', 1);
    sent.add(1);
    rig.store.save({ writer: 'w0', from: 1, sent, place: undefined });
    rig.store.gone = ['w0'];
    rig.write(2);
    rig.on();
    await rig.pass(5_000);
    expect(rig.taken).toEqual(rig.inLog().slice(3));
    expect(rig.store.kept.get('w0')).toMatchObject({ live: false });
  });

  it('E03 is found where it stands out of order, or in a copy of the log', async () => {
    const rig = new SessionRig();
    rig.log.append(callRow(103, { w: 'w0', n: 3 }));
    rig.log.write(lineOf(callRow(102, { w: 'w0', n: 2 })), 'tool-calls (conflict).jsonl');
    rig.store.save({ writer: 'w0', from: 1, sent: rig.store.open('w0', 1).sent, place: undefined });
    rig.store.gone = ['w0'];
    rig.on();
    await rig.pass(5_000);
    expect(rig.taken).toEqual([103, 102].flatMap((n) => idsOf(callRow(n))));
  });

  it('D32 rows from before it was switched on are not sent', async () => {
    const rig = new SessionRig();
    rig.log.append(...[1, 2, 3].map((n) => callRow(n + 100, { w: 'w0', n })));
    rig.store.save({ writer: 'w0', from: 3, sent: rig.store.open('w0', 3).sent, place: undefined });
    rig.store.gone = ['w0'];
    rig.on();
    await rig.pass(5_000);
    expect(rig.taken).toEqual(idsOf(callRow(103)));
  });
});
