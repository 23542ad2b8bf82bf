/** Which rows of which writers were met: ranges of counters, so that a million rows in order take a few numbers (formats: `w`, `n`). */
export class SeenRows {
  readonly #writers = new Map<string, number[]>();
  #last: { readonly writer: string; readonly ranges: number[] } | undefined;

  /** True the first time that this row is met. `n` is a safe integer. */
  add(writer: string, n: number): boolean {
    const ranges = this.#rangesOf(writer);
    // As a writer's rows come: each the next.
    if (ranges.length > 0 && ranges[ranges.length - 1] === n) {
      ranges[ranges.length - 1] = n + 1;
      return true;
    }
    return insert(ranges, n);
  }

  #rangesOf(writer: string): number[] {
    if (this.#last?.writer === writer) return this.#last.ranges;
    let ranges = this.#writers.get(writer);
    if (!ranges) this.#writers.set(writer, (ranges = []));
    this.#last = { writer, ranges };
    return ranges;
  }
}

/** `ranges`: begin (included) and end (not included) of each, in order, with a gap between any two. */
function insert(ranges: number[], n: number): boolean {
  const at = firstAfter(ranges, n);
  if (at % 2 === 1) return false; // within a range: its begin is not after n, its end is
  const touchesBefore = at > 0 && ranges[at - 1] === n;
  const touchesAfter = at < ranges.length && ranges[at] === n + 1;
  if (touchesBefore && touchesAfter) ranges.splice(at - 1, 2);
  else if (touchesBefore) ranges[at - 1] = n + 1;
  else if (touchesAfter) ranges[at] = n;
  else ranges.splice(at, 0, n, n + 1);
  return true;
}

/** The place of the first number that is greater than `n`. */
function firstAfter(numbers: readonly number[], n: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! > n) high = middle;
    else low = middle + 1;
  }
  return low;
}
