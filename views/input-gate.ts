/**
 * Lets a key or a click count only if it began after the question could be read: nothing that was meant for something else
 * answers it (D14, B24).
 */
import { windowOf } from './dom.ts';

/** Input is ignored for so long after the question is painted, and after each key or press that came too early. */
export const GRACE_MS = 350;

export interface InputGate {
  /** True if input counts now. */
  isOpen(): boolean;
  /** True if this click, on a button of the question, began while input counted. */
  accepts(click: MouseEvent): boolean;
  stop(): void;
}

/** Watches the whole document while the question stands in `root`. `onChange` is called each time that input begins or ceases to count. */
export function watchInput(root: HTMLElement, onChange: () => void): InputGate {
  const view = windowOf(root);
  const doc = root.ownerDocument;
  const listening = new AbortController();
  /** On the window's clock; undefined until the question is painted. */
  let opensAt: number | undefined;
  let timer: number | undefined;
  let pressed: EventTarget | null = null;

  const isOpen = (): boolean => opensAt !== undefined && view.performance.now() >= opensAt;
  const shut = (): void => {
    opensAt = view.performance.now() + GRACE_MS;
    view.clearTimeout(timer);
    // A timer may fire a little early.
    timer = view.setTimeout(() => (isOpen() ? onChange() : shut()), GRACE_MS + 5);
    onChange();
  };
  // The frame after next is the first that surely shows the question. A hidden window has no frames: there it stays shut.
  const arm = (): void => {
    opensAt = undefined;
    view.clearTimeout(timer);
    view.requestAnimationFrame(() => view.requestAnimationFrame(() => {
      if (!listening.signal.aborted) shut();
    }));
  };

  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const on = <Name extends keyof DocumentEventMap>(name: Name, listener: (event: DocumentEventMap[Name]) => void): void =>
    doc.addEventListener(name, listener, { capture: true, signal: listening.signal });

  on('keydown', (event) => {
    const heldDown = event.repeat && (event.key === 'Enter' || event.key === ' ' || event.key === 'Escape'); // perhaps since before
    const early = !isOpen() && !(event.ctrlKey || event.metaKey || event.altKey); // the window's own shortcuts answer nothing
    if (heldDown || early) swallow(event);
    if (early && opensAt !== undefined) shut();
  });
  on('pointerdown', (event) => {
    pressed = isOpen() ? buttonOf(event.target) : null;
    if (opensAt !== undefined && !isOpen()) shut();
  });
  // The press that brings the window to the front is not meant for what lies under it.
  const armAgain = (): void => {
    arm();
    onChange();
  };
  view.addEventListener('focus', armAgain, { signal: listening.signal });
  on('visibilitychange', armAgain);

  arm();
  return {
    isOpen,
    // A click by key or by a screen reader has no press of a pointer, and says so by its detail.
    accepts: (click) => click.isTrusted && isOpen() && (click.detail === 0 || (pressed !== null && pressed === buttonOf(click.currentTarget))),
    stop: () => {
      listening.abort();
      view.clearTimeout(timer);
    },
  };
}

function buttonOf(target: EventTarget | null): Element | null {
  return target !== null && 'closest' in target ? (target as Element).closest('button') : null;
}
