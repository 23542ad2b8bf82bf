/**
 * The gate over a vault folder, put together from Node's parts: settings, log, spans, the hub's own tools, the plugins.
 */
import { join } from 'node:path';
import { Monitor } from '../../otel/monitor.ts';
import { createTracing } from '../../otel/tracing.ts';
import { openDoor } from '../api/meeting.ts';
import { Hub } from '../core/hub.ts';
import { openCallLog, type HostLog } from '../node/log/call-log.ts';
import { SystemClock } from '../node/clock.ts';
import { HostTraces } from './export/traces.ts';
import { NodeCrypto } from '../node/node-crypto.ts';
import type { Places } from './places.ts';
import { loadPlugins } from './plugins.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { NAMESPACES_FILE, NamespacesFile, SETTINGS_FILE, SettingsFile } from './settings-file.ts';
import { VERSION } from './version.ts';

export interface GateHostOptions {
  readonly places: Places;
  readonly askSeconds?: number | undefined;
  /** Says something to the user that no caller gets. */
  readonly notice: (text: string) => void;
}

export interface GateHost {
  readonly hub: Hub;
  readonly log: HostLog;
  readonly secrets: Secrets;
  readonly traces: HostTraces;
  /** A plugin's name as people know it. */
  pluginName(id: string): string;
  /** Ends what is under way, writes the last rows, closes the files. */
  close(): Promise<void>;
}

export async function openGateHost({ places, askSeconds, notice }: GateHostOptions): Promise<GateHost> {
  const secrets = loadSecrets(places.stateFolder);
  const settings = new SettingsFile(join(places.hubFolder, SETTINGS_FILE), notice);
  const clock = new SystemClock();
  const crypto = new NodeCrypto(settings.plainHashes() ? undefined : secrets.hashKey);
  const log = openCallLog({ hubFolder: places.hubFolder, stateFolder: places.stateFolder, clock, crypto, notices: { notice }, onWritten: () => traces.wake() });
  const traces = new HostTraces({ log, settings, clock, notice, stateFolder: places.stateFolder, origin: { serviceVersion: VERSION, vaultId: secrets.vaultId } });
  log.onRow((row) => {
    if (!log.state().writable) traces.keep(row);
  });
  const monitor = new Monitor({ onViolation: ({ rule, span, spanId }) => notice(`The monitor saw a rule broken: ${rule} at ${span} ${spanId}. Please report it.`) });
  const tracing = createTracing({ processors: [log.processor, monitor], serviceVersion: VERSION, instanceId: log.writer, vaultId: secrets.vaultId });
  const hub = new Hub({
    clock, crypto, spans: tracing.spans, log, journal: log.journal,
    namespaces: new NamespacesFile(join(places.hubFolder, NAMESPACES_FILE), notice), settings, ...(askSeconds === undefined ? {} : { askSeconds }),
  });
  const app = {};
  const closeDoor = openDoor(app, { hub, notice });
  const names = await loadPlugins({ app, hub, crypto, places });
  await hub.start();
  traces.apply();
  const stopWatching = settings.watch(() => {
    hub.settings.reload();
    traces.apply();
  });
  return {
    hub,
    log,
    secrets,
    traces,
    pluginName: (id) => names.get(id) ?? id,
    close: async () => {
      stopWatching();
      await hub.close();
      closeDoor();
      await tracing.shutdown();
      await traces.close();
      await log.close();
    },
  };
}
