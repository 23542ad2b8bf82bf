/**
 * The chain of one writer: each row carries the writer, a counter, and the digest of the writer's row before it (E02).
 *
 * The digest is over the row as parsed and written again, so that a byte-order mark, line ends and white space do not
 * matter, and any change of a value does.
 */

/** A row in its place. */
export interface Link {
  /** The line, with its newline. */
  readonly line: string;
  readonly digest: string;
}

export class Chain {
  readonly #writer: string;
  readonly #digest: (text: string) => string;
  #count = 0;
  #last = '';

  constructor(writer: string, digest: (text: string) => string) {
    this.#writer = writer;
    this.#digest = digest;
  }

  /** The next places of these rows, each JSON open at its end, as if they were written. Nothing moves until {@link commit}. */
  extend(rows: readonly { readonly json: string; readonly late: boolean }[]): Link[] {
    const links: Link[] = [];
    let count = this.#count;
    let prev = this.#last;
    for (const { json, late } of rows) {
      count++;
      const text = `${json}${late ? ',"late":true' : ''},"w":"${this.#writer}","n":${count}${prev === '' ? '' : `,"prev":"${prev}"`}}`;
      prev = this.#digest(text);
      links.push({ line: `${text}\n`, digest: prev });
    }
    return links;
  }

  /** The first `count` of these are in the file. */
  commit(links: readonly Link[], count: number): void {
    const last = links[count - 1];
    if (!last) return;
    this.#count += count;
    this.#last = last.digest;
  }

  /** `w:n:digest` of the newest row; empty before the first. */
  head(): string {
    return this.#count === 0 ? '' : `${this.#writer}:${this.#count}:${this.#last}`;
  }
}
