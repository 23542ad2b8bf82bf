/** The last calls and undos: who, what, how it ended and why, how long it took, and the undo while it is possible (F132, D28, D45). */
import type { CallRow, UndoRow } from '../otel/row.ts';
import { add, fill, icon, make } from './dom.ts';
import { linkOut } from './link-out.ts';
import { ICONS, type IconName } from './icons.ts';
import { undoButton } from './undo-button.ts';
import { visible } from './visible.ts';
import { callSentence, CALLS, clientKind, OUTCOMES, UNDO_OUTCOMES } from './words.ts';

interface Shown {
  /** The plugin as people know it. */
  readonly pluginName?: string;
  /** Where its trace can be looked at (E01). */
  readonly traceUrl?: string;
}

/** A row as it is shown. The undo handle stays behind: whether there is an undo is all that a view needs. */
export type ShownCall = Pick<CallRow, 'kind' | 'id' | 'trace' | 'time' | 'client' | 'tool' | 'outcome' | 'reason' | 'message' | 'policy' | 'approval' | 'waitMs' | 'ms'> & Shown & {
  readonly canUndo: boolean;
};
export type ShownUndo = Pick<UndoRow, 'kind' | 'id' | 'trace' | 'time' | 'client' | 'tool' | 'outcome' | 'message' | 'ms' | 'of'> & Shown;
export type ShownRow = ShownCall | ShownUndo;

export interface CallsActions {
  undo(call: string): void;
}

const ICON_OF: { readonly [O in CallRow['outcome']]: IconName } = {
  ok: 'done', empty: 'empty', refused: 'refused', invalid: 'failed', failed: 'failed', timeout: 'clock', aborted: 'stopped', interrupted: 'warning',
};

/** Draws all rows anew, newest first. */
export function drawCalls(element: HTMLElement, rows: readonly ShownRow[], actions: CallsActions): void {
  if (rows.length === 0) {
    fill(element, make(element, 'div', { class: 'mh-empty' }, make(element, 'strong', {}, CALLS.emptyTitle), make(element, 'p', {}, CALLS.empty)));
    return;
  }
  const focused = element.ownerDocument.activeElement?.closest('[data-undo]')?.getAttribute('data-undo');
  const takenBack = new Set(rows.flatMap((row) => (row.kind === 'undo' && row.outcome === 'done' ? [row.of] : [])));
  const items = rows.map((row) => (row.kind === 'call' ? callItem(element, row, takenBack.has(row.id), actions) : undoItem(element, row)));
  fill(element, make(element, 'ol', { class: 'mh-calls', 'aria-label': CALLS.title }, ...items));
  if (focused) keepFocus(element, focused);
}

/** On the call's Undo; where that has gone, on the call itself: whoever uses the keyboard goes on from there. */
function keepFocus(element: HTMLElement, call: string): void {
  const row = [...element.querySelectorAll<HTMLElement>('[data-call]')].find(({ dataset }) => dataset['call'] === call);
  const undo = row?.querySelector<HTMLElement>('[data-undo]');
  if (row && !undo) row.tabIndex = -1;
  (undo ?? row)?.focus({ preventScroll: true });
}

function callItem(near: Element, call: ShownCall, takenBack: boolean, actions: CallsActions): HTMLElement {
  const sentence = callSentence(call);
  const item = frame(near, call, { tone: toneOf(call.outcome), icon: ICON_OF[call.outcome], word: OUTCOMES[call.outcome], sentence });
  if (takenBack) add(item, make(near, 'span', { class: 'mh-call-undo mh-muted' }, CALLS.takenBack));
  else if (call.canUndo) {
    add(item, undoButton(near, call.tool, { class: 'mh-button mh-button-small mh-call-undo', 'data-undo': call.id }, () => actions.undo(call.id)));
  }
  return item;
}

function undoItem(near: Element, undo: ShownUndo): HTMLElement {
  const good = undo.outcome === 'done';
  return frame(near, undo, { tone: good ? 'good' : 'bad', icon: 'undo', word: UNDO_OUTCOMES[undo.outcome], sentence: undo.message ?? CALLS.tookBack });
}

type Tone = 'good' | 'quiet' | 'no' | 'bad';

function toneOf(outcome: CallRow['outcome']): Tone {
  switch (outcome) {
    case 'ok':
      return 'good';
    case 'empty':
    case 'aborted':
      return 'quiet';
    case 'refused':
    case 'invalid':
      return 'no';
    case 'failed':
    case 'timeout':
    case 'interrupted':
      return 'bad';
  }
}

interface Face {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
  readonly sentence: string;
}

function frame(near: Element, row: ShownRow, { tone, icon: name, word, sentence }: Face): HTMLElement {
  const waitMs = row.kind === 'call' ? row.waitMs : undefined;
  const took = [waitMs !== undefined && CALLS.waited(waitMs), row.ms !== undefined && CALLS.ran(row.ms)].filter((part) => part !== false).join(', ');
  return make(near, 'li', { class: `mh-call mh-tone-${tone}`, 'data-call': row.id },
    make(near, 'span', { class: 'mh-call-icon' }, icon(near, ICONS[name])),
    make(near, 'div', { class: 'mh-call-main' },
      make(near, 'div', { class: 'mh-call-line' }, make(near, 'code', {}, visible(near, row.tool)), make(near, 'span', { class: 'mh-outcome', 'data-mh': 'outcome' }, word)),
      sentence !== '' && make(near, 'p', { class: 'mh-call-why', 'data-mh': 'why' }, visible(near, sentence)),
      make(near, 'p', { class: 'mh-muted mh-call-facts' },
        timeOf(near, row.time), make(near, 'span', {}, `${clientKind(row.client.kind)} `, make(near, 'bdi', { class: 'mh-name' }, visible(near, row.client.name))),
        row.pluginName !== undefined && make(near, 'bdi', {}, visible(near, row.pluginName)), took !== '' && make(near, 'span', {}, took),
        make(near, 'span', {}, `${CALLS.trace} `, traceOf(near, row)))));
}

/** The trace's id; where it can be looked at, as the way there. */
function traceOf(near: Element, { trace, traceUrl }: Pick<ShownRow, 'trace' | 'traceUrl'>): HTMLElement {
  const id = make(near, 'code', { title: trace, 'data-mh': 'trace' }, trace);
  return traceUrl === undefined ? id : linkOut(near, traceUrl, id);
}

/** The time of day, with the whole date on hover. */
function timeOf(near: Element, time: string): HTMLElement {
  const at = new Date(time);
  const today = new Date().toDateString() === at.toDateString();
  const words = today ? at.toLocaleTimeString() : at.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
  return make(near, 'time', { datetime: time, title: at.toLocaleString() }, words);
}
