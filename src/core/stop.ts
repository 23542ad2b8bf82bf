/**
 * What stops one call. Whoever stops it says why; the first reason stands, and one place rethrows it.
 *
 * Not an `AbortSignal.any`: that costs more than a span. The signal that handlers see is made when one asks for it.
 */
import { HubError } from './errors.ts';

export class Stop {
  /** What may stop the call: the run that it belongs to, whoever opened that, and the plugin whose tool it is once that is known. */
  readonly run: string;
  readonly owner: string;
  plugin: string | undefined;
  #reason: HubError | undefined;
  #controller: AbortController | undefined;
  #listeners: ((reason: HubError) => void)[] = [];
  #leaveCaller: (() => void) | undefined;

  /** `caller` is the signal by which the caller says that it has left. Its own reason is dropped: it may hold anything. */
  constructor({ id, owner }: { readonly id: string; readonly owner: string }, caller?: AbortSignal) {
    this.run = id;
    this.owner = owner;
    if (!caller) return;
    const left = (): void => this.stop(new HubError('aborted', 'The caller stopped the call.'));
    if (caller.aborted) left();
    else {
      caller.addEventListener('abort', left, { once: true });
      this.#leaveCaller = () => caller.removeEventListener('abort', left);
    }
  }

  get reason(): HubError | undefined {
    return this.#reason;
  }

  /** The signal for handlers (F185). */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  stop(reason: HubError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener(reason);
  }

  /** Calls back once if the call is stopped; answers the function that takes the listener away. */
  onStop(listener: (reason: HubError) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  throwIfStopped(): void {
    if (this.#reason) throw this.#reason;
  }

  /** The call is over: nothing of it stays on the caller's signal. */
  release(): void {
    this.#leaveCaller?.();
    this.#listeners = [];
  }
}
