/**
 * The MCP server of this device, while the user has it switched on: its packages are loaded then, and not before. The port
 * stays the same from start to start, since agents are told it once.
 */
import type { Hub } from '../core/hub.ts';
import { SystemClock } from '../node/clock.ts';
import type { Front } from '../node/front/http.ts';
import type { DeviceStore } from './ports/device-store.ts';

/** Where a vault listens first; the next free port is taken, so that each vault gets one of its own. */
const FIRST_PORT = 4830;

export interface McpServerParts {
  readonly hub: Hub;
  readonly device: DeviceStore;
  readonly token: () => string;
  readonly version: string;
  readonly notice: (text: string) => void;
  /** It runs, or does not any more. */
  readonly onChange: () => void;
}

interface Running {
  readonly front: Front;
  close(): Promise<void>;
}

export class McpServer {
  readonly #parts: McpServerParts;
  #running: Running | undefined;
  /** Switching takes time: one after the other. */
  #switching: Promise<void> = Promise.resolve();

  constructor(parts: McpServerParts) {
    this.#parts = parts;
  }

  /** What the user wants on this device. */
  get isOn(): boolean {
    return this.#kept().on;
  }

  /** Where clients call; `undefined` while it does not run. */
  get url(): string | undefined {
    return this.#running && `${this.#running.front.url}/mcp`;
  }

  /** Makes it as the user wants it. */
  apply(): Promise<void> {
    this.#switching = this.#switching.then(() => (this.isOn ? this.#start() : this.#stop())).catch(() => {
      this.#parts.notice('The MCP server could not be started. Switch it off and on again under Settings → Model Hub → MCP server.');
    });
    return this.#switching;
  }

  setOn(on: boolean): Promise<void> {
    this.#parts.device.set('mcp', { ...this.#kept(), on });
    return this.apply();
  }

  /** The token is another one now: who has the old one is out. */
  async restart(): Promise<void> {
    this.#switching = this.#switching.then(() => this.#stop());
    await this.apply();
  }

  /** The plugin unloads. */
  close(): Promise<void> {
    this.#switching = this.#switching.then(() => this.#stop());
    return this.#switching;
  }

  async #start(): Promise<void> {
    if (this.#running) return;
    const { hub, device, token, version, notice, onChange } = this.#parts;
    const [{ createMcpHttp }, { startFront }, { ServedTools }] = await Promise.all([import('../node/front/mcp-http.ts'), import('../node/front/http.ts'), import('../mcp/served-tools.ts')]);
    const mcp = createMcpHttp({ hub, clock: new SystemClock(), tools: new ServedTools(hub, { notice }), version });
    const { port: wanted } = this.#kept();
    const front = await startFront({ port: wanted ?? FIRST_PORT, exact: false, mcp: { token: token(), handle: mcp.handle } });
    if (wanted !== undefined && front.port !== wanted) notice(`Port ${wanted} is taken by another program: the MCP server of this vault is at ${front.url}/mcp now. Tell your agents, or free the port and switch the server off and on.`);
    if (wanted === undefined) device.set('mcp', { ...this.#kept(), port: front.port });
    this.#running = {
      front,
      close: async () => {
        await mcp.close();
        await front.close();
      },
    };
    onChange();
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.close();
    if (running) this.#parts.onChange();
  }

  #kept(): { readonly on: boolean; readonly port?: number } {
    const { on, port } = (this.#parts.device.get('mcp') ?? {}) as { on?: unknown; port?: unknown };
    return { on: on === true, ...(typeof port === 'number' && Number.isInteger(port) && port > 1023 && port < 65_536 ? { port } : {}) };
  }
}
