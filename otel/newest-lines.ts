/**
 * The newest lines among many, as bytes: a place for each is made once and written over, so that passing a million by
 * leaves nothing to clean up.
 */
interface Slot {
  at: number;
  bytes: Uint8Array;
  length: number;
}

const USUAL_BYTES = 512;

export class NewestLines {
  readonly #most: number;
  /** Oldest first. */
  readonly #slots: Slot[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** `at`: the row's time. Of two at one time the later offered is the newer. */
  offer(at: number, line: Uint8Array): void {
    const slots = this.#slots;
    const isFull = slots.length === this.#most;
    if (isFull && at < slots[0]!.at) return;
    const slot = isFull ? slots.shift()! : { at, bytes: new Uint8Array(USUAL_BYTES), length: 0 };
    slot.at = at;
    if (slot.bytes.length < line.length) slot.bytes = new Uint8Array(line.length);
    slot.bytes.set(line);
    slot.length = line.length;
    let place = slots.length;
    while (place > 0 && slots[place - 1]!.at > at) place--;
    if (place === slots.length) slots.push(slot);
    else slots.splice(place, 0, slot);
  }

  /** Newest first. Copies: the places go on being written over. */
  lines(): Uint8Array[] {
    return this.#slots.map(({ bytes, length }) => bytes.slice(0, length)).reverse();
  }
}
