/**
 * The hub's own tools, as one plugin among the others: under the same settings and in the same log, with guards besides.
 */
import type { Plugin, RegisterOptions } from '../core/registry.ts';
import type { HubTool } from '../core/types.ts';
import { createEditNote, type EditNoteParts } from './vault/edit-note.ts';

export const OWN_PLUGIN: Plugin = Object.freeze({ id: 'model-hub', name: 'Model Hub' });

export interface OwnTools {
  readonly plugin: Plugin;
  readonly tools: readonly HubTool[];
  readonly options: RegisterOptions;
}

/** To be registered with `hub.register(plugin, tools, options)`. */
export function ownTools(parts: EditNoteParts): OwnTools {
  const editNote = createEditNote(parts);
  return {
    plugin: OWN_PLUGIN,
    tools: [editNote.tool],
    options: { undo: editNote.undo, guards: new Map([[editNote.tool.name, editNote.guard]]) },
  };
}
