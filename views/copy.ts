/** A button that puts a text on the clipboard as it is, hidden characters and all, and says whether it did. */
import { button, windowOf } from './dom.ts';
import { COPIED, NOT_COPIED } from './words.ts';

const SAID_FOR_MS = 2_000;

export function copyButton(near: Element, label: string, text: string): HTMLButtonElement {
  const element = button(near, label, { class: 'mh-button mh-button-small', 'aria-live': 'polite' }, () => {
    const view = windowOf(near);
    const say = (words: string): void => {
      element.textContent = words;
      view.setTimeout(() => (element.textContent = label), SAID_FOR_MS);
    };
    view.navigator.clipboard.writeText(text).then(() => say(COPIED), () => say(NOT_COPIED));
  });
  return element;
}
