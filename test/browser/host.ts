/** The page, served over real HTTP from a real hub on a fake clock. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPage, type Page } from '../../src/host/front/page-server.ts';
import { startRig, type Rig } from '../fakes/rig.ts';
import { pageTexts } from './assets.ts';

export const KEY = 'a-key-that-only-the-terminal-knows';
export const TOKEN = 'mcp-token-1234567890';

export interface PageHost {
  readonly rig: Rig;
  readonly origin: string;
  /** Cuts every connection; the host goes on. */
  cut(): void;
  /** Stops serving; the port can be taken again by another host. */
  stop(): Promise<void>;
}

/** `port` 0 takes any. */
export async function servePage(port = 0, rig: Rig = startRig(), key = KEY): Promise<PageHost> {
  await rig.hub.start();
  const assets = await pageTexts();
  let origin = '';
  const page: Page = createPage({
    hub: rig.hub, key, assets, pluginName: (id) => (id === 'books' ? 'Books' : id),
    info: () => ({ version: '0.9.0', vault: 'Example vault', mcp: { url: `${origin}/mcp`, token: TOKEN, stdio: { command: 'model-hub', args: ['mcp', '--vault', 'Example vault'] } } }),
  });
  const server = createServer((req, res) => {
    void page.handle(req, res).then((answered) => {
      if (!answered) res.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { rig, origin, cut: () => server.closeAllConnections(), stop: () => stop(server, page) };
}

async function stop(server: Server, page: Page): Promise<void> {
  page.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
