/** Sending as the settings have it while a host runs, over real files and sockets. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../../fakes/clock.ts';
import { NamedSecrets } from '../../../src/host/export/named-secrets.ts';
import { progressIn } from '../../../src/node/export/progress-files.ts';
import { Traces } from '../../../src/node/export/traces.ts';
import { SettingsFile } from '../../../src/host/settings-file.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { MemoryLog } from '../../otel/exporter/memory-log.ts';
import { callRow } from '../../otel/exporter/rows.ts';
import { idsOf } from '../../otel/exporter/session-rig.ts';
import { answering, JSON_TYPE, startCollector, type FakeCollector } from './collector.ts';

class TracesRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'traces-test-'));
  readonly state = join(this.folder, 'state');
  readonly file = join(this.folder, 'data.json');
  clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly notices: string[] = [];
  traces: Traces | undefined;
  rows = 0;

  constructor() {
    mkdirSync(this.state);
  }

  start(writer = 'w1'): this {
    this.rows = 0;
    this.traces = new Traces({
      log: { source: this.log, writer, newest: () => this.rows }, settings: new SettingsFile(this.file), clock: this.clock,
      secrets: new NamedSecrets(this.state), progress: progressIn(this.state, writer),
      origin: { serviceVersion: '0', vaultId: 'v' }, notice: (text) => this.notices.push(text),
    });
    this.traces.apply();
    return this;
  }

  /** The host is gone, with what it was about to do. */
  crash(): this {
    this.clock = new FakeClock();
    this.traces = undefined;
    return this;
  }

  /** The settings become these, whoever wrote them. */
  set(traces: object | string): this {
    writeFileSync(this.file, typeof traces === 'string' ? traces : JSON.stringify({ traces }));
    this.traces?.apply();
    return this;
  }

  write(writer = 'w1', id = 0): string[] {
    const row = callRow(id + ++this.rows, { w: writer, n: this.rows });
    this.log.append(row);
    this.traces!.wake();
    return idsOf(row);
  }

  /** Goes on until the collector has these, and a little longer: more would be a fault. */
  async until(collector: FakeCollector, ids: readonly string[]): Promise<void> {
    for (let i = 0; i < 400 && !ids.every((id) => told(collector).includes(id)); i++) await this.pass(500);
    await this.pass(1_500);
  }

  async pass(ms = 3_000): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      await this.clock.advance(500);
      await new Promise((resolve) => setTimeout(resolve, 12));
      await settled();
    }
  }
}

function told({ heard }: FakeCollector): string[] {
  return heard.flatMap(({ body }) => [...body.matchAll(/"spanId":"([0-9a-f]{16})","(?:traceState|parentSpanId|name)/g)].map(([, id]) => id!));
}

let rig: TracesRig;
beforeEach(() => { rig = new TracesRig(); });
afterEach(async () => {
  await rig.traces?.close();
  rmSync(rig.folder, { recursive: true, force: true });
});

describe('the traces of a host', () => {
  it('D32 go nowhere while there is no endpoint, or sending is not switched on, and nothing is kept of them', async () => {
    const collector = await startCollector();
    rig.start();
    for (const traces of [{ endpoint: collector.url }, { endpoint: collector.url, send: 'true' }, { endpoint: collector.url, send: 1 }, { send: false, endpoint: collector.url }]) {
      rig.set(traces).write();
      await rig.pass(1_500);
    }
    rig.set({ send: true }).write();
    await rig.pass(1_500);
    expect([collector.heard, rig.notices, readdirSync(rig.state)]).toEqual([[], ['No traces are sent. There is no endpoint. Type the address of a collector, such as http://localhost:4318.'], []]);
  });

  it('D32 F140 are sent from when it is switched on until it is switched off, and each once', async () => {
    const collector = await startCollector();
    rig.start();
    rig.write();
    rig.set({ send: true, endpoint: collector.url });
    const ids = [...rig.write(), ...rig.write()];
    await rig.until(collector, ids);
    expect(told(collector)).toEqual(ids);
    rig.set({ send: true, endpoint: collector.url }).set({ send: false, endpoint: collector.url }).write();
    await rig.pass();
    expect([told(collector), rig.traces!.state().on]).toEqual([ids, false]);
  });

  it('E03 of a start that sends from its beginning are sent from its first row on', async () => {
    const collector = await startCollector();
    rig.set({ send: true, endpoint: collector.url }).start();
    const ids = rig.write();
    await rig.until(collector, ids);
    expect(told(collector)).toEqual(ids);
  });

  it('D32 that went to one collector, or waited for it, do not go to another that is set later', async () => {
    const first = await startCollector();
    const second = await startCollector();
    rig.set({ send: true, endpoint: first.url }).start();
    const ids = rig.write();
    await rig.until(first, ids);
    rig.write();
    rig.set({ send: true, endpoint: second.url });
    await rig.pass(2_000);
    const more = rig.write();
    await rig.until(second, more);
    expect([told(first), told(second)]).toEqual([ids, more]);
  });

  it('E03 of a start that a crash ended are sent by the next', async () => {
    const collector = await startCollector();
    rig.set({ send: true, endpoint: collector.url }).start();
    const ids = rig.write();
    rig.crash().start('w2');
    ids.push(...rig.write('w2', 50));
    await rig.until(collector, ids);
    expect(told(collector)).toEqual(ids);
  });

  it('telemetry 41 D32 a secret goes to the origin that it was given for: an endpoint that a sync changed gets none, and no request', async () => {
    const collector = await startCollector();
    const thief = await startCollector();
    rig.start();
    rig.traces!.secrets.set('token', 'Bearer canary', new URL(collector.url).origin);
    const settings = { send: true, headers: { Authorization: 'token' } };
    await rig.until(collector, rig.set({ ...settings, endpoint: collector.url }).write());
    expect(collector.heard[0]!.headers['authorization']).toBe('Bearer canary');
    rig.set({ ...settings, endpoint: thief.url }).write();
    await rig.pass();
    expect([thief.heard, rig.notices]).toEqual([[], [expect.stringContaining('There is no secret called token for')]]);
    await expect(rig.traces!.test()).rejects.toThrow('There is no secret called token');
    expect([thief.heard, readFileSync(rig.file, 'utf8').includes('canary')]).toEqual([[], false]);
  });

  it('E03 that wait for a collector still wait when the settings are damaged for a moment, or name a secret that is not there yet', async () => {
    let well = false;
    const collector = await startCollector((response) => answering(well ? 200 : 503, JSON_TYPE, '{}')(response, { method: '', path: '', headers: {}, body: '' }));
    const good = { send: true, endpoint: collector.url };
    rig.set(good).start();
    const ids = rig.write();
    await rig.until(collector, ids);
    rig.set('{"traces":{"send":tr');
    expect(rig.traces!.state().problem).toBe('data.json cannot be read as settings.');
    const { length } = collector.heard;
    await rig.pass(6_000);
    expect(collector.heard).toHaveLength(length);
    rig.set({ ...good, headers: { authorization: 'token' } });
    ids.push(...rig.write());
    well = true;
    await rig.pass(6_000);
    expect(collector.heard).toHaveLength(length);
    rig.set(good);
    await rig.until(collector, ids);
    expect(told({ ...collector, heard: collector.heard.slice(length) })).toEqual(ids);
    expect(rig.traces!.state().problem).toBeUndefined();
  });

  it('E03 of a start whose settings had a fault are sent when it is mended, those of a crash too', async () => {
    const collector = await startCollector();
    rig.set({ send: true, endpoint: collector.url }).start();
    const ids = rig.write();
    rig.crash().set({ send: true, endpoint: collector.url, headers: { authorization: 'token' } }).start('w2');
    ids.push(...rig.write('w2', 50));
    await rig.pass(1_500);
    expect(collector.heard).toEqual([]);
    rig.set({ send: true, endpoint: collector.url });
    await rig.until(collector, ids);
    expect(told(collector)).toEqual(ids);
  });

  it('D32 that a crash left are not sent when it was off in between, whatever the address was then', async () => {
    const collector = await startCollector();
    const other = await startCollector();
    rig.set({ send: true, endpoint: collector.url }).start();
    rig.write();
    rig.crash().set({ send: true, endpoint: other.url }).start('w2');
    rig.write('w2', 50);
    rig.set({ send: false, endpoint: other.url });
    rig.crash().set({ send: true, endpoint: collector.url }).start('w3');
    await rig.pass(3_000);
    rig.set({ send: true, endpoint: other.url });
    await rig.pass(3_000);
    expect([collector.heard, other.heard]).toEqual([[], []]);
  });

  it('telemetry 16 telemetry 40 close within a second, whatever the collector does', async () => {
    const collector = await startCollector(() => undefined);
    rig.set({ send: true, endpoint: collector.url }).start();
    rig.write();
    for (let i = 0; i < 400 && collector.heard.length === 0; i++) await rig.pass(500);
    const closed = rig.traces!.close();
    await rig.pass(1_000);
    await closed;
    expect(collector.heard).toHaveLength(1);
  });

  it('F140 a test span shows what is sent, and no secret', async () => {
    const collector = await startCollector(answering(200, JSON_TYPE, '{"partialSuccess":{"rejectedSpans":1,"errorMessage":"no"}}'));
    rig.start();
    rig.traces!.secrets.set('token', 'canary', new URL(collector.url).origin);
    rig.set({ send: false, endpoint: collector.url, headers: { 'X-Key': 'token' } });
    const result = await rig.traces!.test();
    expect(result).toMatchObject({ url: collector.url, headers: ['x-key', 'content-type'], arrived: false, sentence: 'The collector took the request and threw away 1 of its spans. It said: "no"' });
    expect(JSON.parse(result.body)).toEqual(JSON.parse(collector.heard[0]!.body));
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(told(collector)).toHaveLength(3);
  });
});
