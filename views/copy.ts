/** A button that puts a text on the clipboard as it is, hidden characters and all, and says whether it did. */
import { button, fill, make, windowOf } from './dom.ts';
import { COPIED, NOT_COPIED } from './words.ts';

const SAID_FOR_MS = 2_000;

/** `what` tells it from the other buttons that say `label` to those who do not see where it stands. */
export function copyButton(near: Element, label: string, text: string, what?: string): HTMLButtonElement {
  const element = button(near, '', { class: 'mh-button mh-button-small', 'aria-live': 'polite' }, () => {
    const view = windowOf(near);
    const say = (words: string): void => {
      element.textContent = words;
      view.setTimeout(rest, SAID_FOR_MS);
    };
    view.navigator.clipboard.writeText(text).then(() => say(COPIED), () => say(NOT_COPIED));
  });
  const rest = (): void => fill(element, label, what !== undefined && make(near, 'span', { class: 'mh-spoken' }, ` ${what}`));
  rest();
  return element;
}
