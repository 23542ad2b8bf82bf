/**
 * A text of any length, readable to its last character: drawn part by part, with a counter of how far it has been shown and a button
 * that copies it as it is.
 */
import { add, make } from './dom.ts';
import { copyButton } from './copy.ts';
import { layOut } from './json-layout.ts';
import { drawLazily } from './lazy.ts';
import { piecesOf, visible, type Writing } from './visible.ts';
import { QUESTION } from './words.ts';

/** Characters of the first part, and the most of a later one. Each part is twice as long as the one before. */
const FIRST_PART = 6_000;
const LARGEST_PART = 64_000;

export interface LongTextOptions {
  /** How the text is written: JSON is laid out in lines. */
  readonly writing: Writing;
  /** What the text is, for a screen reader. */
  readonly label: string;
  readonly copyLabel?: string;
  /** The text was on screen to its last character. */
  readonly onShownWhole?: () => void;
}

/** Draws the text at the end of the element. Answers the function that stops drawing. */
export function drawLongText(element: Element, text: string, { writing, label, copyLabel, onShownWhole }: LongTextOptions): () => void {
  const counter = make(element, 'span', { class: 'mh-counter' });
  const body = make(element, 'div', { class: `mh-text mh-text-${writing}`, role: 'group', 'aria-label': label, dir: 'ltr' });
  add(element, make(element, 'div', { class: 'mh-text-bar' }, counter, copyLabel !== undefined && copyButton(element, copyLabel, text)), body);

  const draw = writing === 'json' ? jsonDrawer(body, text) : plainDrawer(body, text);
  let shown = 0;
  let size = FIRST_PART;
  return drawLazily(body, {
    next: () => {
      const until = shown + size;
      size = Math.min(size * 2, LARGEST_PART);
      let drawn: number | undefined = 0;
      while (shown < until && (drawn = draw()) !== undefined) shown += drawn;
      counter.textContent = QUESTION.position(shown, text.length);
      return shown < text.length;
    },
    ...(onShownWhole ? { onEnd: onShownWhole } : {}),
  });
}

/** Each call draws a piece and answers how many characters it was; `undefined` after the last. */
type Drawer = () => number | undefined;

function plainDrawer(body: Element, text: string): Drawer {
  const pieces = piecesOf(text)[Symbol.iterator]();
  return () => {
    const next = pieces.next();
    if (next.done) return undefined;
    body.append(visible(body, next.value[0]));
    return next.value[0].length;
  };
}

function jsonDrawer(body: Element, text: string): Drawer {
  const pieces = layOut(text);
  let line: HTMLElement | undefined;
  return () => {
    const next = pieces.next();
    if (next.done) return undefined;
    const { text: piece, kind, depth, inside } = next.value;
    if (depth !== undefined || !line) {
      line = make(body, 'div', { class: inside ? 'mh-line mh-line-inside' : 'mh-line' });
      line.style.setProperty('--mh-depth', String(depth ?? 0));
      body.append(line);
    }
    line.append(make(body, 'span', { class: `mh-json-${kind}` }, visible(body, piece, 'json')));
    return piece.length;
  };
}
