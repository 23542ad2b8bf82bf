/**
 * Draws long content part by part, as its end comes into sight: a text of a megabyte opens as fast as a short one, and
 * "shown to the end" means that every part was reached (B26).
 */
import { make, windowOf } from './dom.ts';

/** How far below the visible part the next one is prepared. */
const AHEAD = '800px';

export interface LazyOptions {
  /** Draws the next part at the end of the element; false if that was the last. */
  readonly next: () => boolean;
  /** The end of the last part is in sight. Called once. */
  readonly onEnd?: () => void;
}

/** Draws the first part at once. Answers the function that stops the rest. */
export function drawLazily(element: Element, { next, onEnd }: LazyOptions): () => void {
  const view = windowOf(element);
  // The sentinel stands after the content, never inside a line of it.
  const sentinel = make(element, 'div', { class: 'mh-end', 'aria-hidden': 'true' });
  let observer: IntersectionObserver | undefined;
  const watch = (margin: string, inSight: () => void): void => {
    observer?.disconnect();
    // A margin counts only towards the element that scrolls.
    observer = new view.IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) inSight();
    }, { root: scrollerOf(element), rootMargin: margin });
    observer.observe(sentinel);
  };
  const watchEnd = (): void => watch('0px', () => {
    observer?.disconnect();
    onEnd?.();
  });
  const step = (): void => {
    if (next()) watch(`0px 0px ${AHEAD} 0px`, step); // a new observer reports at once: the sentinel may still be in sight
    else watchEnd();
  };
  element.after(sentinel);
  step();
  return () => {
    observer?.disconnect();
    sentinel.remove();
  };
}

function scrollerOf(element: Element): Element | null {
  const view = windowOf(element);
  for (let at = element.parentElement; at && at !== element.ownerDocument.body; at = at.parentElement) {
    const { overflowY } = view.getComputedStyle(at);
    if (overflowY === 'auto' || overflowY === 'scroll') return at;
  }
  return null;
}
