/** Sending traces, as the settings have it at the moment: switched on and off while the host runs. */
import { randomBytes } from 'node:crypto';
import type { Origin } from '../../../otel/exporter/encode.ts';
import { TraceExporter, type ExportState, type Target } from '../../../otel/exporter/exporter.ts';
import { NO_TRACES, targetOf, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { sendTestSpan, type TestSpanResult } from '../../../otel/exporter/test-span.ts';
import type { RowBody } from '../../../otel/row.ts';
import type { Clock } from '../../core/ports.ts';
import { CommandError } from '../command-error.ts';
import type { HostLog } from '../../node/log/call-log.ts';
import type { SettingsFile } from '../settings-file.ts';
import { httpPost } from '../../node/export/http-post.ts';
import { NamedSecrets } from './named-secrets.ts';
import { finishEverywhere, ProgressFiles, progressFolder } from '../../node/export/progress-files.ts';

export interface HostTracesParts {
  readonly log: Pick<HostLog, 'source' | 'writer' | 'newest'>;
  readonly settings: Pick<SettingsFile, 'traces' | 'saveTraces'>;
  readonly clock: Clock;
  readonly stateFolder: string;
  readonly origin: Omit<Origin, 'serviceName'>;
  readonly notice: (text: string) => void;
}

/** What the end of the host may wait for; the whole end takes two seconds. */
const CLOSE_MS = 1_000;

export class HostTraces {
  readonly secrets: NamedSecrets;
  readonly #parts: HostTracesParts;
  readonly #exporter: TraceExporter;
  /** The target in force, as text; empty while there is none. */
  #inForce = '';
  #fault: string | undefined;
  #settings: TraceSettings = NO_TRACES;
  #off = false;
  /** It has been neither on nor off yet: the rows of this start are meant to be sent from the first on. */
  #first = true;

  constructor(parts: HostTracesParts) {
    const { log, clock, origin, notice, stateFolder } = parts;
    this.#parts = parts;
    this.secrets = new NamedSecrets(stateFolder);
    this.#exporter = new TraceExporter({ source: log.source, writer: log.writer, newest: () => log.newest(), origin, post: httpPost, clock, notice });
  }

  /** Makes it as the settings have it now. */
  apply(): void {
    const target = this.#wanted();
    const fault = target && 'fault' in target ? target.fault : undefined;
    if (fault !== undefined && fault !== this.#fault) this.#parts.notice(`No traces are sent. ${fault}`);
    this.#fault = fault;
    if (!target) this.#turnOff();
    else if ('fault' in target) this.#pause();
    else this.#turnOn(target);
  }

  /** The settings as they are in force: whoever looks every two seconds reads no file. */
  settings(): TraceSettings {
    return this.#settings;
  }

  /** Keeps the settings, and makes it so. Throws a {@link CommandError} if they cannot be kept. */
  save(settings: TraceSettings): void {
    this.#parts.settings.saveTraces(settings);
    this.apply();
  }

  /** What stands in the way of sending with these settings. */
  faultOf(settings: TraceSettings): string | undefined {
    const target = this.#target(settings);
    return 'fault' in target ? target.fault : undefined;
  }

  /** A row was written. */
  wake(): void {
    this.#exporter.wake();
  }

  /** A row waits in memory, because the log cannot be written. */
  keep(row: RowBody): void {
    this.#exporter.keep(row);
  }

  state(): ExportState {
    return this.#fault === undefined ? this.#exporter.state() : { ...this.#exporter.state(), problem: this.#fault };
  }

  /** Throws a {@link CommandError} if there is no target to send it to. */
  async test(settings: TraceSettings = this.#parts.settings.traces()): Promise<TestSpanResult> {
    const target = this.#target(settings);
    if ('fault' in target) throw new CommandError(target.fault, 'Set it under Traces, or with model-hub traces --set.');
    return testSpan(target, this.#parts);
  }

  /** Sends what is left, within a second. */
  close(): Promise<void> {
    return this.#exporter.close(CLOSE_MS);
  }

  /** `undefined`: off. */
  #wanted(): ReturnType<typeof targetOf> | undefined {
    try {
      this.#settings = this.#parts.settings.traces();
      return this.#settings.send ? this.#target(this.#settings) : undefined;
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }

  #target(settings: TraceSettings): ReturnType<typeof targetOf> {
    try {
      return targetOf(settings, (name, origin) => this.secrets.get(name, origin));
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }

  #turnOn(target: Target): void {
    const text = JSON.stringify(target);
    if (text === this.#inForce) return;
    this.#inForce = text;
    this.#off = false;
    this.#exporter.turnOn(target, new ProgressFiles(progressFolder(this.#parts.stateFolder, target.url), this.#parts.log.writer), this.#first);
    this.#first = false;
  }

  /** A fault is no withdrawal: what waits is sent when it is mended. */
  #pause(): void {
    this.#inForce = '';
    this.#exporter.pause();
  }

  #turnOff(): void {
    if (this.#off) return;
    this.#off = true;
    this.#first = false;
    this.#inForce = '';
    this.#exporter.turnOff();
    finishEverywhere(this.#parts.stateFolder);
  }
}

/** Sends a test span with ids of its own. */
export function testSpan(target: Target, { origin, clock }: Pick<HostTracesParts, 'origin' | 'clock'>): Promise<TestSpanResult> {
  const id = (bytes: number): string => randomBytes(bytes).toString('hex');
  return sendTestSpan(target, { origin, post: httpPost, now: clock.micros(), ids: { trace: id(16), spans: [id(8), id(8), id(8)] } });
}
