/** The button that takes a write back: it does so once, and keeps the focus while that is under way. */
import { button, setAttribute, type Properties } from './dom.ts';
import { CALLS } from './words.ts';

export function undoButton(near: Element, tool: string, properties: Properties, onUndo: () => void): HTMLButtonElement {
  // A name begins with what is seen: people also press a button by saying its words.
  const element = button(near, CALLS.undo, { ...properties, 'aria-label': CALLS.undoOf(tool) }, () => {
    if (element.hasAttribute('aria-disabled')) return;
    setAttribute(element, 'aria-disabled', 'true');
    setAttribute(element, 'aria-label', CALLS.undoingOf(tool));
    element.textContent = CALLS.undoing;
    onUndo();
  });
  return element;
}
