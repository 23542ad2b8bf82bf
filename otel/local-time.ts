/** The time of a row as a number, and the day on which it was where the person is. */

/** `YYYY-MM`, and the day of the month from 1. */
export interface LocalDay { readonly month: string; readonly day: number }

const QUARTER_MINUTES = 15; // no clock differs from another by less
const MINUTE_MICROS = 60_000_000;

/** Microseconds since 1970 from `YYYY-MM-DDTHH:MM:SS.ffffffZ`; -1 for any other form. */
export class RowTimes {
  #minute = -1;
  #minuteMicros = 0;

  /** `from`: where the text begins in the line; `to`: behind its end. */
  micros(line: Uint8Array, { from, to }: { readonly from: number; readonly to: number }): number {
    if (to - from !== 27 || line[from + 26] !== 0x5a || line[from + 19] !== 0x2e) return -1;
    const minute = ((digits(line, from, 4) * 100 + digits(line, from + 5, 2)) * 100 + digits(line, from + 8, 2)) * 10_000 + digits(line, from + 11, 2) * 100 + digits(line, from + 14, 2);
    const rest = digits(line, from + 17, 2) * 1_000_000 + digits(line, from + 20, 6);
    if (Number.isNaN(minute) || Number.isNaN(rest)) return -1;
    if (minute !== this.#minute) {
      const millis = Date.parse(`${String.fromCharCode(...line.subarray(from, from + 16))}:00Z`);
      if (Number.isNaN(millis)) return -1;
      this.#minute = minute;
      this.#minuteMicros = millis * 1000;
    }
    return this.#minuteMicros + rest;
  }
}

/** Not a number where one of them is no digit. */
function digits(line: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    const digit = line[i]! - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

export class LocalDays {
  #quarter = -1;
  #day: LocalDay = { month: '', day: 0 };

  /** Rows come in the order of their times: the last answer is mostly the next. */
  of(micros: number): LocalDay {
    const quarter = Math.floor(micros / (QUARTER_MINUTES * MINUTE_MICROS));
    if (quarter !== this.#quarter) {
      const date = new Date(micros / 1000);
      this.#quarter = quarter;
      this.#day = { month: monthOf(date), day: date.getDate() };
    }
    return this.#day;
  }
}

/** The month of a date where the person is: `YYYY-MM`. */
export function monthOf(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** When a month begins and ends where the person is; the end is that of the next. */
export function boundsOf(month: string): { readonly since: Date; readonly until: Date } {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { since: new Date(year, number - 1, 1), until: new Date(year, number, 1) };
}
