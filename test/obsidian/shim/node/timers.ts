/** Node's timers in the page. A window's own `setTimeout` stays the window's, as in Obsidian: it answers a number. */

/** What Node's timers answer. A page does not end by itself, so holding it open or not is the same. */
class Timeout {
  readonly #stop: () => void;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  ref(): this { return this; }
  unref(): this { return this; }
  hasRef(): boolean { return true; }
  close(): this {
    this.#stop();
    return this;
  }
}

type Callback = (...args: unknown[]) => void;

/** Runs after what waits already, in a task of its own. */
export function setImmediate(callback: Callback, ...args: unknown[]): Timeout {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    callback(...args);
  });
  port1.start();
  port2.postMessage(undefined);
  return new Timeout(() => port1.close());
}

const clear = (timeout: Timeout | undefined): void => void timeout?.close();

export const timers = {
  setTimeout: (callback: Callback, ms?: number, ...args: unknown[]): Timeout => {
    const number = window.setTimeout(callback, ms, ...args);
    return new Timeout(() => window.clearTimeout(number));
  },
  setInterval: (callback: Callback, ms?: number, ...args: unknown[]): Timeout => {
    const number = window.setInterval(callback, ms, ...args);
    return new Timeout(() => window.clearInterval(number));
  },
  setImmediate,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};

interface Waiting { readonly signal?: AbortSignal }

function wait<T>(begin: (resolve: () => void) => Timeout, value: T, { signal }: Waiting = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
    if (signal?.aborted) return aborted();
    const timeout = begin(() => {
      signal?.removeEventListener('abort', stop);
      resolve(value);
    });
    const stop = (): void => {
      timeout.close();
      aborted();
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export const timersPromises = {
  setTimeout: <T>(ms?: number, value?: T, options?: Waiting) => wait((resolve) => timers.setTimeout(resolve, ms), value, options),
  setImmediate: <T>(value?: T, options?: Waiting) => wait((resolve) => setImmediate(resolve), value, options),
};
