/**
 * A clean end at Ctrl-C and the signals: what is under way is told, the last rows are written, and it takes 2 seconds at
 * most. A second Ctrl-C ends at once.
 */
const MOST_MS = 2_000;

export interface Ending {
  /** Resolves when the end is done. */
  readonly ended: Promise<void>;
  /** Begins the end. */
  readonly end: () => void;
  /** Adds something to do first. */
  before(work: () => void): void;
}

export function endOnSignals(close: () => Promise<void>): Ending {
  const first: (() => void)[] = [];
  let done: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  let ending = false;
  const end = (): void => {
    if (ending) process.exit(130);
    ending = true;
    setTimeout(() => process.exit(1), MOST_MS).unref();
    for (const work of first) work();
    close().then(
      () => {
        for (const signal of SIGNALS) process.off(signal, end);
        done();
      },
      () => process.exit(1),
    );
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { ended, end, before: (work) => void first.push(work) };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
