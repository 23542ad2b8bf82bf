/** Objects that stay in Node while the page holds their number: servers, requests, answers, open files. */
import type { Told } from '../wire.ts';

/** What a page may do with a kept object, by name. */
export type Doings = Readonly<Record<string, (...args: never[]) => unknown>>;

export class Kept {
  readonly #doings = new Map<number, Doings>();
  readonly #ends = new Map<number, () => void>();
  readonly #tell: (told: Told) => void;
  #last = 0;

  constructor(tell: (told: Told) => void) {
    this.#tell = tell;
  }

  /** `end` is what closes it if the page never does. */
  keep(doings: Doings, end: () => void): number {
    this.#last++;
    this.#doings.set(this.#last, doings);
    this.#ends.set(this.#last, end);
    return this.#last;
  }

  forget(number: number): void {
    this.#doings.delete(number);
    this.#ends.delete(number);
  }

  do(number: number, name: string, args: readonly unknown[]): unknown {
    const doing = this.#doings.get(number)?.[name];
    if (!doing) throw new Error(`Object ${number} of the page is gone, or has no ${name}.`);
    return doing(...(args as never[]));
  }

  tell(to: number, what: string, ...args: unknown[]): void {
    this.#tell({ to, what, args });
  }

  endAll(): void {
    for (const end of this.#ends.values()) end();
    this.#doings.clear();
    this.#ends.clear();
  }
}
