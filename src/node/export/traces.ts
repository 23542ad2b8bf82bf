/** Sending traces, as the settings have it at the moment: switched on and off while the hub runs. */
import { randomBytes } from 'node:crypto';
import type { Origin } from '../../../otel/exporter/encode.ts';
import { TraceExporter, type ExportState, type Target } from '../../../otel/exporter/exporter.ts';
import { NO_TRACES, targetOf, type TraceSettings } from '../../../otel/exporter/settings.ts';
import { sendTestSpan, type TestSpanResult } from '../../../otel/exporter/test-span.ts';
import type { ProgressStore } from '../../../otel/exporter/progress.ts';
import type { RowBody } from '../../../otel/row.ts';
import type { Clock } from '../../core/ports.ts';
import { AdvisedError } from '../advised-error.ts';
import type { HostLog } from '../log/call-log.ts';
import { httpPost } from './http-post.ts';

/** What the user set about traces. Each throws an {@link AdvisedError} if the settings are damaged or cannot be kept. */
export interface TraceSettingsStore {
  traces(): TraceSettings;
  saveTraces(traces: TraceSettings): void;
}

/** Secrets by name, on this device, each for one origin: whoever changes the endpoint does not get what was meant for another. */
export interface NamedSecretStore {
  /** `undefined` if there is none, or it was set for another origin. */
  get(name: string, origin: string): string | undefined;
  /** Names, each with the origin that it is for. */
  list(): readonly (readonly [name: string, origin: string])[];
  /** Throws an {@link AdvisedError}. */
  set(name: string, value: string, origin: string): void;
  /** Throws an {@link AdvisedError} if there is none. */
  delete(name: string): void;
}

/** How far rows were sent, for each endpoint. */
export interface ProgressStores {
  of(url: string): ProgressStore;
  /** Sending is off: what was still to be sent, to whatever endpoint, is not meant to be any more. */
  finishAll(): void;
}

export interface TracesParts {
  readonly log: Pick<HostLog, 'source' | 'writer' | 'newest'>;
  readonly settings: TraceSettingsStore;
  readonly secrets: NamedSecretStore;
  readonly progress: ProgressStores;
  readonly clock: Clock;
  readonly origin: Omit<Origin, 'serviceName'>;
  readonly notice: (text: string) => void;
}

/** What the end of the hub may wait for; the whole end takes two seconds. */
const CLOSE_MS = 1_000;

export class Traces {
  readonly secrets: NamedSecretStore;
  readonly #parts: TracesParts;
  readonly #exporter: TraceExporter;
  /** The target in force, as text; empty while there is none. */
  #inForce = '';
  #fault: string | undefined;
  #settings: TraceSettings = NO_TRACES;
  #off = false;
  /** It has been neither on nor off yet: the rows of this start are meant to be sent from the first on. */
  #first = true;

  constructor(parts: TracesParts) {
    const { log, clock, origin, notice } = parts;
    this.#parts = parts;
    this.secrets = parts.secrets;
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

  /** Keeps the settings, and makes it so. Throws a {@link AdvisedError} if they cannot be kept. */
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

  /** Throws a {@link AdvisedError} if there is no target to send it to. */
  async test(settings: TraceSettings = this.#parts.settings.traces()): Promise<TestSpanResult> {
    const target = this.#target(settings);
    if ('fault' in target) throw new AdvisedError(target.fault, 'Set it under Traces, or with model-hub traces --set.');
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
    this.#exporter.turnOn(target, this.#parts.progress.of(target.url), this.#first);
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
    this.#parts.progress.finishAll();
  }
}

/** Sends a test span with ids of its own. */
export function testSpan(target: Target, { origin, clock }: Pick<TracesParts, 'origin' | 'clock'>): Promise<TestSpanResult> {
  const id = (bytes: number): string => randomBytes(bytes).toString('hex');
  return sendTestSpan(target, { origin, post: httpPost, now: clock.micros(), ids: { trace: id(16), spans: [id(8), id(8), id(8)] } });
}
