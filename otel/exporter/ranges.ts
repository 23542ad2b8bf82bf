/** Which of a writer's rows are done with: whole numbers from 1, kept as ranges, since nearly all follow each other. */

export type Range = readonly [from: number, to: number];

export class Ranges {
  #ranges: [number, number][] = [];

  /** They may come from a file, in any order. */
  constructor(ranges: readonly Range[] = []) {
    for (const [from, to] of ranges) this.add(from, to);
  }

  has(n: number): boolean {
    const last = this.#ranges.at(-1);
    if (!last || n > last[1]) return false;
    return this.#ranges.some(([from, to]) => n >= from && n <= to);
  }

  add(from: number, to: number = from): void {
    const last = this.#ranges.at(-1);
    if (last && from === last[1] + 1) {
      last[1] = to;
      return;
    }
    const ranges = [...this.#ranges, [from, to] as [number, number]].sort((a, b) => a[0] - b[0]);
    this.#ranges = [];
    for (const range of ranges) {
      const before = this.#ranges.at(-1);
      if (before && range[0] <= before[1] + 1) before[1] = Math.max(before[1], range[1]);
      else this.#ranges.push(range);
    }
  }

  /** True if a number from `from` to the highest is missing. */
  hasGap(from: number): boolean {
    const above = this.#ranges.filter(([, to]) => to >= from);
    return above.length > 1 || (above.length === 1 && above[0]![0] > from);
  }

  toJSON(): readonly Range[] {
    return this.#ranges;
  }
}
