/**
 * The plugins of the headless host: the hub's own tools, and the books plugin, which meets the hub as any other would.
 */
import { join } from 'node:path';
import { BOOKS_MANIFEST, loadBooks } from '../../examples/books/plugin.ts';
import type { Hub } from '../core/hub.ts';
import type { Crypto } from '../core/ports.ts';
import { ownTools } from '../tools/own-tools.ts';
import type { Places } from './places.ts';
import { UndoFolder } from '../node/undo-folder.ts';
import { NodeVaultFiles } from '../node/vault-files.ts';

export interface PluginParts {
  /** Where plugins look for the hub. */
  readonly app: object;
  readonly hub: Hub;
  readonly crypto: Crypto;
  readonly places: Places;
}

/** Resolves when all have registered. */
export async function loadPlugins({ app, hub, crypto, places }: PluginParts): Promise<void> {
  const files = new NodeVaultFiles(places.vault, [places.hubFolder, places.stateFolder]);
  const store = (name: string): UndoFolder => new UndoFolder(join(places.stateFolder, 'undo', name));
  const { plugin, tools, options } = ownTools({ files, store: store('vault'), crypto });
  hub.register(plugin, tools, options);
  loadBooks(app, { manifest: BOOKS_MANIFEST, register: () => undefined }, { files, memory: store('books') });
  await Promise.resolve(); // plugins meet the hub in a microtask
}
