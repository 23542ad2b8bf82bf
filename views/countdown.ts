/** Time left, as text that a person can read at a glance and a screen reader hears at sensible intervals (D14). */
import { add, make, windowOf } from './dom.ts';
import { QUESTION } from './words.ts';

/** Said aloud when so many seconds are left. */
const SPOKEN_AT = new Set([60, 30, 10]);
/** From here the time is shown as pressing. */
const SOON = 15;

export interface Countdown {
  /** Sets the time anew: the question says what is left of it. */
  set(remainingMs: number): void;
  stop(): void;
}

/** Draws at the end of the element. `onEnd` is called when the time is up. */
export function drawCountdown(element: Element, remainingMs: number, onEnd: () => void): Countdown {
  const view = windowOf(element);
  const digits = make(element, 'span', { class: 'mh-time', role: 'timer', 'aria-label': QUESTION.leftLabel, 'data-mh': 'countdown' });
  const silence = make(element, 'span', { class: 'mh-clock-note mh-muted' });
  const spoken = make(element, 'span', { class: 'mh-spoken', 'aria-live': 'assertive' });
  add(element, make(element, 'div', { class: 'mh-clock' }, digits, silence), spoken);
  let endsAt = view.performance.now() + remainingMs;
  let timer: number | undefined;
  let shown: number | undefined;

  const tick = (): void => {
    const left = endsAt - view.performance.now();
    const seconds = Math.max(0, Math.ceil(left / 1000));
    if (seconds !== shown) {
      shown = seconds;
      digits.textContent = seconds > 0 ? QUESTION.left(seconds) : QUESTION.timeUp;
      silence.textContent = seconds > 0 ? QUESTION.silence : '';
      digits.classList.toggle('mh-time-soon', seconds <= SOON);
      if (SPOKEN_AT.has(seconds)) spoken.textContent = QUESTION.leftSpoken(seconds);
    }
    if (left <= 0) onEnd();
    else timer = view.setTimeout(tick, left - (seconds - 1) * 1000 + 5);
  };
  tick();
  return {
    set: (ms) => {
      endsAt = view.performance.now() + ms;
      view.clearTimeout(timer);
      tick();
    },
    stop: () => view.clearTimeout(timer),
  };
}
