/**
 * The gate with its front door: the page for people and MCP for agents, on one port of this computer.
 */
import { fileURLToPath } from 'node:url';
import * as assets from 'virtual:page-assets';
import { openGateHost, type GateHost } from './gate-host.ts';
import { MCP_PATH, startFront } from '../node/front/http.ts';
import { createPage } from './front/page-server.ts';
import type { Places } from './places.ts';
import type { McpParts } from '../mcp/server.ts';
import { SystemClock } from '../node/clock.ts';
import { VERSION } from './version.ts';

/** Where the host listens unless told otherwise. */
const DEFAULT_PORT = 4820;

export interface FrontHostOptions {
  readonly places: Places;
  readonly port: number | undefined;
  readonly askSeconds: number | undefined;
  readonly notice: (text: string) => void;
}

export interface FrontHost extends GateHost {
  /** For people: opens the page once, and then it is remembered by a cookie. */
  readonly loginUrl: string;
  readonly pageUrl: string;
  readonly mcpUrl: string;
  readonly mcp: McpParts;
}

export async function openFrontHost({ places, port, askSeconds, notice }: FrontHostOptions): Promise<FrontHost> {
  // MCP's packages take a tenth of a second to load: only hosts that serve do.
  const [{ createMcpHttp }, { ServedTools }] = await Promise.all([import('../node/front/mcp-http.ts'), import('../mcp/served-tools.ts')]);
  const gate = await openGateHost({ places, askSeconds, notice });
  const { hub, secrets } = gate;
  const tools = new ServedTools(hub, { notice });
  const parts: McpParts = { hub, clock: new SystemClock(), tools, version: VERSION };
  const mcp = createMcpHttp(parts);
  let url = '';
  const page = createPage({
    hub, assets, traces: gate.traces, key: secrets.pageKey, pluginName: (id) => hub.pluginName(id),
    info: () => ({ version: VERSION, vault: places.vaultName, mcp: { url: url + MCP_PATH, token: secrets.mcpToken, stdio: { command: 'node', args: stdioArgs(places) } } }),
  });
  try {
    const front = await startFront({ port: port ?? DEFAULT_PORT, exact: port !== undefined, mcp: { token: secrets.mcpToken, handle: mcp.handle }, page: page.handle });
    url = front.url;
    return {
      ...gate,
      mcp: parts,
      pageUrl: `${url}/`,
      loginUrl: `${url}/login?key=${secrets.pageKey}`,
      mcpUrl: url + MCP_PATH,
      close: async () => {
        // The gate first: whoever waits for an answer gets one, over connections that still stand.
        await gate.close();
        page.close();
        await mcp.close();
        await front.close();
      },
    };
  } catch (error) {
    await gate.close();
    throw error;
  }
}

/** How a client starts the same gate over stdio. */
function stdioArgs({ vault, stateFolder }: Places): readonly string[] {
  return [fileURLToPath(new URL('model-hub.mjs', import.meta.url)), 'mcp', '--vault', vault, '--state', stateFolder];
}
