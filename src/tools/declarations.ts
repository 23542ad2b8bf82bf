/**
 * What the hub asks of its own tools beyond what it asks of others: every one declares whether it can be replayed and, if
 * it writes, whether it can be undone, without contradiction (F192–F195). A test runs this over all of them.
 */
import type { HubTool } from '../core/types.ts';

/** The faults in a tool's declarations, in words; none if it is sound. */
export function checkOwnTool(tool: HubTool): string[] {
  const faults: string[] = [];
  const { effect, replay, undo, undoHandle } = tool;
  if (replay === undefined) faults.push('does not declare replay');
  if (effect === 'read') {
    if (undo) faults.push('is a read and declares an undo');
    if (undoHandle) faults.push('is a read and has undoHandle');
    return faults;
  }
  switch (undo?.kind) {
    case undefined:
      faults.push('is a write and does not declare undo');
      break;
    case 'handle':
      if (!undoHandle) faults.push('declares an undo by handle and has no undoHandle');
      break;
    case 'none':
      if (typeof undo.reason !== 'string' || undo.reason.trim() === '') faults.push('declares no undo and gives no reason');
      if (undoHandle) faults.push('declares no undo and has undoHandle');
      break;
  }
  return faults;
}
