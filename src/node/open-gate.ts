/**
 * The gate over a vault's folder, put together for every host that has Node: log, spans, monitor, traces and hub over the
 * host's own settings and secrets, and the door for plugins.
 */
import { Monitor } from '../../otel/monitor.ts';
import { createTracing } from '../../otel/tracing.ts';
import { openDoor } from '../api/meeting.ts';
import { Hub } from '../core/hub.ts';
import type { Crypto, NamespaceStore, SettingsStore } from '../core/ports.ts';
import { SystemClock } from './clock.ts';
import { Traces, type NamedSecretStore, type ProgressStores, type TraceSettingsStore } from './export/traces.ts';
import { openCallLog, type HostLog } from './log/call-log.ts';
import type { HeadStore } from './log/witness.ts';
import { NodeCrypto } from './node-crypto.ts';

export interface GateParts {
  /** The hub's own folder, which holds the log and the journal. */
  readonly folder: string;
  /** True if the folder is the host's to make; a plugin's folder is gone only when the plugin is. */
  readonly makeFolder: boolean;
  /** The newest rows' places, kept where whoever changes the log does not reach. */
  readonly heads: HeadStore;
  readonly settings: SettingsStore & TraceSettingsStore;
  readonly namespaces: NamespaceStore;
  /** For the headers of traces. */
  readonly secrets: NamedSecretStore;
  /** How far rows were sent; `writer` is that of this start. */
  readonly progress: (writer: string) => ProgressStores;
  /** Hexadecimal; without one, hashes of arguments are plain (D25). */
  readonly hashKey: string | undefined;
  readonly vaultId: string;
  readonly version: string;
  /** Where plugins look for the hub. */
  readonly app: object;
  readonly askSeconds?: number | undefined;
  /** Says something to the user that no caller gets. */
  readonly notice: (text: string) => void;
}

export interface OpenGate {
  readonly hub: Hub;
  readonly log: HostLog;
  readonly traces: Traces;
  readonly crypto: Crypto;
  /** Somebody else has changed the settings: what stands there now holds. */
  readonly settingsChanged: () => void;
  /** Ends what is under way, writes the last rows, closes the files. */
  close(): Promise<void>;
}

export async function openGate(parts: GateParts): Promise<OpenGate> {
  const { folder, makeFolder, heads, settings, namespaces, secrets, hashKey, vaultId, version, app, askSeconds, notice } = parts;
  const clock = new SystemClock();
  const crypto = new NodeCrypto(hashKey);
  const log = openCallLog({ hubFolder: folder, makeFolder, heads, clock, crypto, notices: { notice }, onWritten: () => traces.wake() });
  const traces = new Traces({ log, settings, secrets, progress: parts.progress(log.writer), clock, notice, origin: { serviceVersion: version, vaultId } });
  log.onRow((row) => {
    if (!log.state().writable) traces.keep(row);
  });
  const monitor = new Monitor({ onViolation: ({ rule, span, spanId }) => notice(`The monitor saw a rule broken: ${rule} at ${span} ${spanId}. Please report it.`) });
  const tracing = createTracing({ processors: [log.processor, monitor], serviceVersion: version, instanceId: log.writer, vaultId });
  const hub = new Hub({ clock, crypto, spans: tracing.spans, log, journal: log.journal, namespaces, settings, ...(askSeconds === undefined ? {} : { askSeconds }) });
  await hub.start(); // before the first plugin can call
  const closeDoor = openDoor(app, { hub, notice });
  traces.apply();
  return {
    hub, log, traces, crypto,
    settingsChanged: () => {
      hub.settings.reload();
      traces.apply();
    },
    close: async () => {
      const closing = hub.close(); // calls end as what they are: stopped by the end of the hub, not of their plugin
      closeDoor();
      await closing;
      await tracing.shutdown();
      await traces.close();
      await log.close();
    },
  };
}
