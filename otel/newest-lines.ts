/**
 * The newest lines among many, as bytes: a place for each is made once and written over, so that passing a million by
 * leaves nothing to clean up.
 */
/** Where a line stands: without its newline. */
export interface Line { readonly bytes: Uint8Array; readonly from: number; readonly to: number }

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

  /** `at`: the row's time; its line stands in the bytes. Of two at one time the later offered is the newer. */
  offer(at: number, { bytes, from, to }: Line): void {
    const slots = this.#slots;
    const isFull = slots.length === this.#most;
    if (isFull && at < slots[0]!.at) return;
    const slot = isFull ? slots.shift()! : { at, bytes: new Uint8Array(USUAL_BYTES), length: 0 };
    slot.at = at;
    const length = to - from;
    if (slot.bytes.length < length) slot.bytes = new Uint8Array(length);
    slot.bytes.set(bytes.subarray(from, to));
    slot.length = length;
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
