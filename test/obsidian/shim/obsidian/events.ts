/** Obsidian's `Events`: whoever listens is called in the order in which they came; one that throws does not stop the others. */
import type * as obsidian from 'obsidian';

type Callback = (...data: never[]) => unknown;

/** One listener, as `on` answers it. */
interface Ref extends obsidian.EventRef { readonly name: string; readonly callback: Callback; readonly context: unknown; readonly events: ShimEvents }

export class ShimEvents {
  readonly #refs: Ref[] = [];

  on(name: string, callback: Callback, context?: unknown): obsidian.EventRef {
    const ref: Ref = { name, callback, context, events: this };
    this.#refs.push(ref);
    return ref;
  }

  off(name: string, callback: Callback): void {
    for (const ref of this.#refs.filter((each) => each.name === name && each.callback === callback)) this.offref(ref);
  }

  offref(ref: obsidian.EventRef): void {
    const at = this.#refs.indexOf(ref as Ref);
    if (at >= 0) this.#refs.splice(at, 1);
  }

  trigger(name: string, ...data: unknown[]): void {
    for (const ref of this.#refs.filter((each) => each.name === name)) this.tryTrigger(ref, data);
  }

  tryTrigger(ref: obsidian.EventRef, data: unknown[]): void {
    const { callback, context } = ref as Ref;
    try {
      callback.apply(context, data as never[]);
    } catch (error) {
      window.setTimeout(() => {
        throw error;
      }, 0);
    }
  }
}

/** Ends one listening, whoever is listened to. */
export function offref(ref: obsidian.EventRef): void {
  (ref as Ref).events.offref(ref);
}
