/**
 * Settings, namespaces and the journal in memory, over the real ports.
 */
import type { Intent, Journal, NamespaceStore, PolicySettings, SettingsStore, UndoIntent } from '../../src/core/ports.ts';

export class MemorySettings implements SettingsStore {
  saved: PolicySettings = { plugins: new Map(), mcpRunGrants: false };

  load(): PolicySettings {
    return this.saved;
  }

  save(settings: PolicySettings): void {
    this.saved = settings;
  }
}

export class MemoryNamespaces implements NamespaceStore {
  saved = new Map<string, string>();

  load(): ReadonlyMap<string, string> {
    return this.saved;
  }

  save(owners: ReadonlyMap<string, string>): void {
    this.saved = new Map(owners);
  }
}

export class MemoryJournal implements Journal {
  readonly open = new Map<string, Intent>();
  /** What an earlier start left. */
  left: readonly Intent[] = [];
  /** Set to make it unwritable. */
  broken = false;

  begin(intent: Intent): void {
    if (this.broken) throw new Error('ENOSPC');
    this.open.set(intent.id, intent);
  }

  end(id: string): void {
    this.open.delete(id);
  }

  claimUndo(intent: UndoIntent): boolean {
    if (this.broken) throw new Error('ENOSPC');
    if ([...this.open.values()].some((other) => other.kind === 'undo' && other.of === intent.of)) return false;
    this.open.set(intent.id, intent);
    return true;
  }

  leftBehind(): Promise<readonly Intent[]> {
    return Promise.resolve(this.left);
  }
}
