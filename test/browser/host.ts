/** The page, served over real HTTP from a real hub on a fake clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_TRACES, type TraceSettings } from '../../otel/exporter/settings.ts';
import { NamedSecrets } from '../../src/host/export/named-secrets.ts';
import { progressIn } from '../../src/node/export/progress-files.ts';
import { Traces } from '../../src/node/export/traces.ts';
import { createPage, type Page } from '../../src/host/front/page-server.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { pageTexts } from './assets.ts';

export const KEY = 'a-key-that-only-the-terminal-knows';
export const TOKEN = 'mcp-token-1234567890';

export interface PageHost {
  readonly rig: Rig;
  readonly origin: string;
  /** Sends test spans for real; the log of the rig is not sent. */
  readonly traces: Traces;
  /** Cuts every connection; the host goes on. */
  cut(): void;
  /** Stops serving; the port can be taken again by another host. */
  stop(): Promise<void>;
}

/** `port` 0 takes any. */
export async function servePage(port = 0, rig: Rig = startRig(), key = KEY): Promise<PageHost> {
  await rig.hub.start();
  const assets = await pageTexts();
  const stateFolder = mkdtempSync(join(tmpdir(), 'page-test-'));
  let kept: TraceSettings = NO_TRACES;
  const traces = new Traces({
    log: { source: { list: () => Promise.resolve([]), read: () => Promise.resolve(new Uint8Array()) }, writer: 'w', newest: () => 0 },
    settings: { traces: () => kept, saveTraces: (settings) => void (kept = settings) }, clock: rig.clock, secrets: new NamedSecrets(stateFolder), progress: progressIn(stateFolder, 'w'), origin: { serviceVersion: '0.9.0', vaultId: 'v' }, notice: () => undefined,
  });
  let origin = '';
  const page: Page = createPage({
    hub: rig.hub, traces, key, assets, pluginName: (id) => (id === 'books' ? 'Books' : id),
    info: () => ({ version: '0.9.0', vault: 'Example vault', mcp: { url: `${origin}/mcp`, token: TOKEN, stdio: { command: 'model-hub', args: ['mcp', '--vault', 'Example vault'] } } }),
  });
  const server = createServer((req, res) => {
    void page.handle(req, res).then((answered) => {
      if (!answered) res.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    rig, origin, traces, cut: () => server.closeAllConnections(),
    stop: async () => {
      await traces.close();
      await stop(server, page);
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

async function stop(server: Server, page: Page): Promise<void> {
  page.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
