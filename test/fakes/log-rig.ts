/**
 * A vault's log in a folder of its own, and spans to fill it: the real tracing, processor, files, journal and witness,
 * without the gate.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Row } from '../../otel/row.ts';
import { createTracing, type HubSpans } from '../../otel/tracing.ts';
import { openCallLog, type HostLog } from '../../src/node/log/call-log.ts';
import { HeadFolder } from '../../src/node/log/head-folder.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { startCall, type CallWords } from './call-spans.ts';
import { FakeClock } from './clock.ts';
import { FaultyFiles } from './sink.ts';

export class LogRig {
  readonly root = mkdtempSync(path.join(tmpdir(), 'model-hub-log-'));
  readonly folder = path.join(this.root, 'hub');
  readonly state = path.join(this.root, 'state');
  readonly file = path.join(this.folder, 'tool-calls.jsonl');
  readonly clock = new FakeClock();
  readonly notices: string[] = [];

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** A start of the host. */
  start(): Start {
    return new Start(this);
  }

  /** A start that has logged `count` calls and ended. */
  async logged(count: number): Promise<void> {
    const start = this.start();
    for (let i = 0; i < count; i++) await start.call();
    await start.log.close();
  }

  bytes(): Buffer {
    return readFileSync(this.file);
  }

  /** Everything in the hub's folder, as one text. */
  everything(): string {
    return readdirSync(this.folder).map((name) => readFileSync(path.join(this.folder, name), 'latin1')).join('\n');
  }

  /** The rows of the file, of those lines that are any. */
  rows(): Row[] {
    return this.bytes().toString('utf8').split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as Row];
      } catch {
        return [];
      }
    });
  }
}

export class Start {
  readonly fs = new FaultyFiles();
  readonly log: HostLog;
  readonly spans: HubSpans;
  readonly #rig: LogRig;

  constructor(rig: LogRig) {
    this.#rig = rig;
    this.log = openCallLog({
      hubFolder: rig.folder,
      heads: new HeadFolder(rig.state),
      clock: rig.clock,
      crypto: new NodeCrypto(undefined),
      notices: { notice: (text) => rig.notices.push(text) },
      fs: this.fs,
    });
    this.spans = createTracing({ processors: [this.log.processor], serviceVersion: '0.0.0', instanceId: 'test', vaultId: 'test' }).spans;
  }

  /** One call of a run of its own, row written. Answers the call's id. */
  async call(words: CallWords = {}): Promise<string> {
    const id = this.callNow(words);
    await this.log.written();
    return id;
  }

  callNow(words: CallWords = {}): string {
    const span = startCall(this.spans, { ...words, at: words.at ?? this.#rig.clock.micros() });
    span.end((words.at ?? this.#rig.clock.micros()) + 300);
    return span.spanId;
  }
}
