/** Names met in bytes in one field of many rows, as texts: each is made once, and then found by its bytes, which takes a tenth of making it again. */
interface Name {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Callers choose names. What is kept of them is bounded. */
const MOST = 1 << 14;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const latin = new TextDecoder('latin1');

export class Names {
  readonly #byHash = new Map<number, Name[]>();
  #count = 0;
  #last: Name = { bytes: new Uint8Array(0), text: '' };

  /** The text of these bytes, which are plain ASCII. */
  text(line: Uint8Array, { from, to }: { readonly from: number; readonly to: number }): string {
    // One field of many rows is mostly what it was in the row before.
    if (!isAt(this.#last.bytes, line, from, to)) this.#last = this.#find(line, from, to);
    return this.#last.text;
  }

  #find(line: Uint8Array, from: number, to: number): Name {
    let hash = FNV_OFFSET;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ line[i]!, FNV_PRIME);
    const same = this.#byHash.get(hash);
    const known = same?.find(({ bytes }) => isAt(bytes, line, from, to));
    if (known) return known;
    const bytes = line.slice(from, to);
    const name = { bytes, text: latin.decode(bytes) };
    if (++this.#count > MOST) {
      this.#byHash.clear();
      this.#count = 1;
    }
    if (same && this.#count > 1) same.push(name);
    else this.#byHash.set(hash, [name]);
    return name;
  }
}

function isAt(name: Uint8Array, line: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== line[from + i]) return false;
  return true;
}
