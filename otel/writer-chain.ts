/**
 * The rows of one writer, gathered from all files, and what is wrong with them.
 *
 * Of each row its counter, its digest and the digest that it names as its predecessor's: a row's content is vouched for by
 * its successor, or by the witness.
 */

/** A row, or with `to` a stretch of rows, by writer and counter. */
export interface Place {
  readonly w: string;
  readonly n: number;
  readonly to?: number;
}

export interface StoredRow {
  readonly n: number;
  readonly prev: string | undefined;
  readonly digest: string;
}

export interface ChainResult {
  readonly edited: readonly Place[];
  readonly missing: readonly Place[];
  readonly forked: readonly Place[];
  readonly cutTail: readonly Place[];
  readonly duplicates: number;
  /** Places where a row is missing, with the digest of the row before. */
  readonly gaps: readonly { readonly place: Place; readonly after: string }[];
  /** The predecessors that rows name which do not follow on any row of this writer. */
  readonly strays: readonly string[];
}

export class WriterChain {
  readonly writer: string;
  readonly #rows: StoredRow[] = [];

  constructor(writer: string) {
    this.writer = writer;
  }

  get size(): number {
    return this.#rows.length;
  }

  add({ n, prev, digest }: StoredRow): void {
    const last = this.#rows.at(-1);
    // In a healthy log the two are equal: one text is kept in place of two.
    this.#rows.push({ n, prev: last && prev === last.digest ? last.digest : prev, digest });
  }

  /** `head`: what the witness holds of this writer. */
  check(head: { readonly n: number; readonly digest: string } | undefined): ChainResult {
    const { rows, forked, duplicates, strays } = this.#distinct();
    const { writer: w } = this;
    const edited: Place[] = [];
    const missing: Place[] = [];
    const gaps: { place: Place; after: string }[] = [];
    let blamed = 0; // the counter of the row that the last broken link was laid to

    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const before = rows[i - 1];
      const expected = (before?.n ?? 0) + 1;
      if (row.n > expected) {
        missing.push(stretch(w, expected, row.n - 1));
        if (before) gaps.push({ place: { w, n: expected }, after: before.digest });
        if (row.prev === undefined) edited.push({ w, n: row.n });
        else strays.push(row.prev);
        continue;
      }
      if (row.prev === before?.digest || (before && before.n === blamed)) continue;
      // The link is broken: the row before was changed, or this row's word about it was. If this row is contradicted by
      // what comes after it too, one change explains both.
      const guilty = !before || this.#isContradicted(rows, i, head) ? row.n : before.n;
      edited.push({ w, n: guilty });
      blamed = guilty;
    }
    const witnessed = head && rows.find((row) => row.n === head.n);
    if (head && witnessed && witnessed.digest !== head.digest && !edited.some(({ n }) => n === head.n)) edited.push({ w, n: head.n });
    const last = rows.at(-1);
    const cutTail = head && head.n > (last?.n ?? 0) ? [stretch(w, (last?.n ?? 0) + 1, head.n)] : [];
    if (last && cutTail[0]) gaps.push({ place: { w, n: last.n + 1 }, after: last.digest });
    return { edited, missing, forked, cutTail, duplicates, gaps, strays };
  }

  #isContradicted(rows: readonly StoredRow[], i: number, head: { readonly n: number; readonly digest: string } | undefined): boolean {
    const row = rows[i]!;
    const next = rows[i + 1];
    if (next?.n === row.n + 1) return next.prev !== row.digest;
    return head?.n === row.n && head.digest !== row.digest;
  }

  /** By counter, each place once. */
  #distinct(): { rows: StoredRow[]; forked: Place[]; duplicates: number; strays: string[] } {
    const sorted = this.#rows.toSorted((a, b) => a.n - b.n);
    const rows: StoredRow[] = [];
    const forked: Place[] = [];
    const strays: string[] = [];
    let duplicates = 0;
    for (const row of sorted) {
      const last = rows.at(-1);
      if (last?.n !== row.n) rows.push(row);
      else if (last.digest === row.digest) duplicates++;
      else {
        if (forked.at(-1)?.n !== row.n) forked.push({ w: this.writer, n: row.n });
        for (const { prev } of [last, row]) if (prev !== undefined) strays.push(prev);
      }
    }
    return { rows, forked, duplicates, strays };
  }
}

function stretch(w: string, from: number, to: number): Place {
  return from === to ? { w, n: from } : { w, n: from, to };
}
