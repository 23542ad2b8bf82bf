/** Sending traces, as the settings have it at the moment: switched on and off while the host runs. */
import { randomBytes } from 'node:crypto';
import type { Origin } from '../../../otel/exporter/encode.ts';
import { TraceExporter, type ExportState, type Target } from '../../../otel/exporter/exporter.ts';
import { NO_TRACES, targetOf, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { sendTestSpan, type TestSpanResult } from '../../../otel/exporter/test-span.ts';
import type { Clock } from '../../core/ports.ts';
import { CommandError } from '../command-error.ts';
import type { HostLog } from '../log/call-log.ts';
import type { SettingsFile } from '../settings-file.ts';
import { httpPost } from './http-post.ts';
import { NamedSecrets } from './named-secrets.ts';
import { finishEverywhere, ProgressFiles, progressFolder } from './progress-files.ts';

export interface HostTracesParts {
  readonly log: Pick<HostLog, 'source' | 'writer' | 'newest' | 'state' | 'onRow'>;
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
  /** The target in force, as text; empty while sending is off. */
  #inForce = '';
  #fault: string | undefined;
  #settings: TraceSettings = NO_TRACES;
  #first = true;

  constructor(parts: HostTracesParts) {
    const { log, clock, origin, notice, stateFolder } = parts;
    this.#parts = parts;
    this.secrets = new NamedSecrets(stateFolder);
    this.#exporter = new TraceExporter({ source: log.source, writer: log.writer, newest: () => log.newest(), origin, post: httpPost, clock, notice });
    log.onRow((row) => {
      if (!log.state().writable) this.#exporter.keep(row);
    });
  }

  /** Makes it as the settings have it now. */
  apply(): void {
    const settings = this.#parts.settings.traces();
    this.#settings = settings;
    const target = settings.send ? this.#target(settings) : undefined;
    const fault = target && 'fault' in target ? target.fault : undefined;
    if (fault !== undefined && fault !== this.#fault) this.#parts.notice(`No traces are sent. ${fault}`);
    this.#fault = fault;
    if (!target || 'fault' in target) this.#turnOff();
    else this.#turnOn(target);
    this.#first = false;
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
    this.#exporter.turnOn(target, new ProgressFiles(progressFolder(this.#parts.stateFolder, target.url), this.#parts.log.writer), this.#first);
  }

  #turnOff(): void {
    if (this.#inForce !== '') this.#exporter.turnOff();
    else if (this.#first) finishEverywhere(this.#parts.stateFolder);
    this.#inForce = '';
  }
}

/** Sends a test span with ids of its own. */
export function testSpan(target: Target, { origin, clock }: Pick<HostTracesParts, 'origin' | 'clock'>): Promise<TestSpanResult> {
  const id = (bytes: number): string => randomBytes(bytes).toString('hex');
  return sendTestSpan(target, { origin, post: httpPost, now: clock.micros(), ids: { trace: id(16), spans: [id(8), id(8), id(8)] } });
}
