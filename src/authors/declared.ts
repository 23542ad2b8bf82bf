/**
 * What tools say of themselves: judged by the hub's own registration, and then for what registers and still does nothing.
 */
import type { HubTool, UndoFunction } from '../api/model-hub-api.d.ts';
import { HubError } from '../core/errors.ts';
import { Registry, type RegisteredTool } from '../core/registry.ts';
import { NAME_FAULTS, servedName } from '../mcp/names.ts';

const AUTHOR = { id: 'contract', name: 'Contract' };

/** The tools as the hub would have them. Throws what registering them throws. */
export function registered(tools: readonly HubTool[], undo?: UndoFunction): Registry {
  const registry = new Registry({ load: () => new Map(), save: () => undefined }, () => undefined);
  registry.register(AUTHOR, tools, undo === undefined ? {} : { undo });
  return registry;
}

/** A sentence for each fault. */
export function declarationFaults(tools: readonly HubTool[], undo: UndoFunction | undefined): readonly string[] {
  if (!Array.isArray(tools)) return refusal(tools, undo);
  // One by one, to hear of all; then together, for what only several can do wrong.
  const single = tools.flatMap((tool) => refusal([tool as HubTool], undo));
  const faults = single.length > 0 ? single : refusal(tools, undo);
  if (faults.length > 0) return faults;
  const all = registered(tools, undo).list();
  const idle = undo && !all.some(({ undoHandle }) => undoHandle) ? ['The undo function is never called: no tool has an undoHandle.'] : [];
  return [...all.flatMap((tool) => contradictions(tool, undo)), ...idle];
}

function refusal(tools: readonly HubTool[], undo: UndoFunction | undefined): string[] {
  try {
    registered(tools, undo);
    return [];
  } catch (error) {
    if (error instanceof HubError) return [error.message];
    throw error;
  }
}

function contradictions({ name, effect, undo: declared, undoHandle }: RegisteredTool, undo: UndoFunction | undefined): string[] {
  const served = servedName(name);
  return [
    ...(undoHandle && effect === 'read' ? [`${name}: a read has nothing to take back; its undoHandle is never called.`] : []),
    ...(undoHandle && declared?.kind === 'none' ? [`${name}: it says that it cannot be taken back, and has an undoHandle.`] : []),
    ...(undoHandle && effect === 'write' && !undo ? [`${name}: its handle is dropped, since no undo function is registered with it.`] : []),
    ...('fault' in served ? [`${name}: agents outside Obsidian do not see it, since ${NAME_FAULTS[served.fault]}.`] : []),
  ];
}
