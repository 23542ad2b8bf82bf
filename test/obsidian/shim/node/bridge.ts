/**
 * The page's way to its Node: a call that waits (synchronous XMLHttpRequest), a call that does not (fetch), and what Node
 * tells about the objects that it keeps for the page.
 */
import { pack, unpack, type Answer, type Told } from '../wire.ts';

type Makers = Readonly<Record<string, (v: unknown) => unknown>>;
type Hear = (what: string, args: readonly unknown[]) => void;

export class Bridge {
  readonly #base: string;
  readonly #fetch = window.fetch.bind(window);
  readonly #hearers = new Map<number, Hear>();
  /** Told before the page knew the object: the answer to the call that made it goes by another connection. */
  readonly #early = new Map<number, Told[]>();
  #makers: Makers = {};

  /** `base`: the address of the page's folder. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Who makes objects of Node's out of what is known of them, by tag. */
  makeBy(makers: Makers): void {
    this.#makers = makers;
  }

  /** Resolves once Node's word can be heard. */
  async open(): Promise<void> {
    const { body } = await this.#fetch(`${this.#base}told`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    void this.#hear(reader);
  }

  sync(name: string, ...args: readonly unknown[]): unknown {
    return this.#syncCall(name, args);
  }

  async call(name: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#asyncCall(name, args);
  }

  /** Does something with an object that Node keeps. */
  async on(number: number, name: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#asyncCall(name, args, number);
  }

  /** From now on, and for what was told before. */
  listen(number: number, hear: Hear): void {
    this.#hearers.set(number, hear);
    for (const { what, args } of this.#early.get(number) ?? []) hear(what, args);
    this.#early.delete(number);
  }

  forget(number: number): void {
    this.#hearers.delete(number);
  }

  #syncCall(name: string, args: readonly unknown[]): unknown {
    const request = new XMLHttpRequest();
    request.open('POST', `${this.#base}call`, false);
    request.send(JSON.stringify({ name, args: args.map((each) => pack(each)) }));
    return this.#valueOf(JSON.parse(request.responseText) as Answer);
  }

  async #asyncCall(name: string, args: readonly unknown[], on?: number): Promise<unknown> {
    const response = await this.#fetch(`${this.#base}call`, { method: 'POST', body: JSON.stringify({ name, args: args.map((each) => pack(each)), on }) });
    return this.#valueOf((await response.json()) as Answer);
  }

  #valueOf(answer: Answer): unknown {
    if ('error' in answer) throw unpack(answer.error);
    return unpack(answer.value, this.#makers);
  }

  async #hear(reader: ReadableStreamDefaultReader<string>): Promise<void> {
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') this.#pass(JSON.parse(line) as Told);
    }
  }

  #pass({ to, what, args }: Told): void {
    const unpacked = args.map((each) => unpack(each, this.#makers));
    const hear = this.#hearers.get(to);
    if (hear) hear(what, unpacked);
    else this.#early.set(to, [...(this.#early.get(to) ?? []), { to, what, args: unpacked }]);
  }
}
