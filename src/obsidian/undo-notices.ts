/** The notice after each write that can be taken back (F070–F079): Obsidian's own notice around the view, which keeps its time. */
import { Notice } from 'obsidian';
import type { Hub } from '../core/hub.ts';
import { drawUndoNotice } from '../../views/undo-notice.ts';

export interface UndoNoticesParts {
  readonly hub: Pick<Hub, 'onRow' | 'undoable' | 'undoCall'>;
  readonly pluginName: (id: string) => string;
  /** A write came that can be taken back, or one is past it. */
  readonly onChange: () => void;
}

/** A write of this session that can still be taken back. */
export interface LastWrite {
  readonly call: string;
  readonly tool: string;
}

export class UndoNotices {
  readonly #parts: UndoNoticesParts;
  readonly #stop: () => void;
  /** Oldest first. */
  readonly #writes: LastWrite[] = [];
  /** Notices that are shown, by call. */
  readonly #shown = new Map<string, () => void>();

  constructor(parts: UndoNoticesParts) {
    this.#parts = parts;
    this.#stop = parts.hub.onRow((row) => {
      if (row.kind === 'call' && parts.hub.undoable().has(row.id)) this.#offer(row.id, row.tool, row.plugin ?? '');
      if (row.kind === 'undo') this.#withdraw(row.of);
    });
  }

  /** The newest write of this session that can still be taken back. */
  last(): LastWrite | undefined {
    const possible = this.#parts.hub.undoable();
    return this.#writes.findLast(({ call }) => possible.has(call));
  }

  /** The plugin unloads. */
  stop(): void {
    this.#stop();
    for (const hide of [...this.#shown.values()]) hide();
  }

  #offer(call: string, tool: string, plugin: string): void {
    this.#writes.push({ call, tool });
    const notice = new Notice('', 0);
    const place = notice.messageEl;
    // A press on a notice closes it, in the app: one on our buttons is theirs.
    place.addEventListener('click', (event) => event.stopPropagation());
    const leave = drawUndoNotice(place, { pluginName: this.#parts.pluginName(plugin), tool }, {
      undo: () => {
        this.#shown.delete(call); // its own answer is awaited in it
        return this.#parts.hub.undoCall(call, 'notice');
      },
      onGone: () => {
        this.#shown.delete(call);
        notice.hide();
      },
    });
    this.#shown.set(call, leave);
    this.#parts.onChange();
  }

  #withdraw(call: string): void {
    this.#shown.get(call)?.();
    this.#parts.onChange();
  }
}
