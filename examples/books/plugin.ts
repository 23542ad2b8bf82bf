/**
 * The books plugin: the worked example of a plugin that registers tools. START HERE.
 *
 * Everything a plugin does about Model Hub is in this file; the other files know nothing of questions, settings or logs,
 * which are the hub's business.
 */
import type { HubApi } from '../../src/api/model-hub-api.d.ts';
import { onHubReady, type HubConsumer } from '../../src/api/on-hub-ready.ts';
import type { Memory, VaultFiles } from './ports.ts';
import { createTools } from './tools.ts';
import { createUndo } from './undo.ts';

export const BOOKS_MANIFEST = { id: 'books', name: 'Books', version: '1.0.0' } as const;

export interface BooksParts {
  readonly files: VaultFiles;
  readonly memory: Memory;
}

/**
 * To be called once, when the plugin loads. The tools go when the plugin unloads, and come again each time the hub does.
 * Answers the way to the hub, for the plugin's own calls: `undefined` while there is none.
 */
export function loadBooks(app: object, plugin: HubConsumer, { files, memory }: BooksParts): () => HubApi | undefined {
  const tools = createTools(files, memory);
  const undo = createUndo(files, memory);
  let here: HubApi | undefined;
  onHubReady(app, plugin, '0.9.0', (hub) => {
    hub.registerTools(plugin.manifest.id, tools, { undo });
    here = hub;
    return () => {
      here = undefined;
    };
  });
  return () => here;
}
