/** Plugins that want the hub, as Obsidian loads and unloads them. */
import { openDoor } from '../../src/api/meeting.ts';
import type { HubConsumer } from '../../src/api/on-hub-ready.ts';
import type { HubApi, HubTool } from '../../src/core/types.ts';
import { startRig, type Rig } from './rig.ts';

export class FakePlugin implements HubConsumer {
  readonly manifest: HubConsumer['manifest'];
  readonly #cleanups: (() => void)[] = [];

  constructor(id: string) {
    this.manifest = { id, name: id.toUpperCase(), version: '1.0.0' };
  }

  register(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Last in, first out, as Obsidian does. */
  unload(): void {
    for (const cleanup of this.#cleanups.splice(0).reverse()) cleanup();
  }
}

/** A callback that writes down that it was called, and registers one read of the plugin's namespace, or of another. */
export function registering({ manifest: { id } }: FakePlugin, order: string[] = [], more: Partial<HubTool> = {}): (hub: HubApi) => void {
  return (hub) => {
    order.push(`${id} met`);
    hub.registerTools(id, [{ name: `${id}.look`, description: 'Looks.', effect: 'read', input: { type: 'object' }, handler: () => Promise.resolve(1), ...more }]);
  };
}

/** The hub on an app, what the user was told, and what an author would find on the console. */
export function open(app: object, rig = startRig()): { readonly rig: Rig; readonly notices: string[]; readonly failures: [string, unknown][]; readonly close: () => void } {
  const notices: string[] = [];
  const failures: [string, unknown][] = [];
  const close = openDoor(app, { hub: rig.hub, notice: (text) => notices.push(text), onFailure: (id, error) => failures.push([id, error]) });
  return { rig, notices, failures, close };
}
