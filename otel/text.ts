/** How times and free text stand in a row. */

/** The most UTF-16 units of a text in a row (D31). */
const LINE_LIMIT = 500;

// Control characters, and what any reader may take for the end of a line or a change of the reading direction.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const HAS_UNPRINTABLE = new RegExp(UNPRINTABLE.source);

/** One line, no control characters, no lone surrogates, at most 500 UTF-16 units. Whoever set the text should have seen to it; a row does not rely on that. */
export function asLine(text: string): string {
  const line = HAS_UNPRINTABLE.test(text) ? text.replace(UNPRINTABLE, ' ').trim() : text;
  if (line.length <= LINE_LIMIT) return line.isWellFormed() ? line : line.toWellFormed();
  const last = line.charCodeAt(LINE_LIMIT - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? LINE_LIMIT - 2 : LINE_LIMIT - 1; // never inside a pair
  return `${line.slice(0, end)}…`.toWellFormed();
}

let cachedMillis = Number.NaN;
let cachedPrefix = '';

/** ISO 8601, UTC, six decimals. The part down to the millisecond is kept: many rows share it, and making it costs ten times the rest. */
export function isoMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  if (millis !== cachedMillis) {
    cachedPrefix = new Date(millis).toISOString().slice(0, -1);
    cachedMillis = millis;
  }
  const rest = micros - millis * 1000;
  return `${cachedPrefix}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
