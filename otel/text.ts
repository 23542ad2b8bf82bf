/**
 * How times and free text stand in a row. The core keeps its words to the same line: a message is cut once, in one way.
 */

/** The most UTF-16 units of a text in a row (D31). */
const LINE_LIMIT = 500;

// Line breaks of every alphabet, control characters (C0, DEL, C1), and marks that turn the reading direction around.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const HAS_UNPRINTABLE = new RegExp(UNPRINTABLE.source);

/**
 * One line of at most 500 UTF-16 units: control characters become a space, lone surrogates U+FFFD; never ends inside a
 * pair. A line comes out as it went in, so whoever says it again changes nothing.
 */
export function oneLine(text: string): string {
  const part = text.slice(0, 8 * LINE_LIMIT); // a tool may throw megabytes
  const line = (HAS_UNPRINTABLE.test(part) ? part.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ') : part).trim();
  if (line.length <= LINE_LIMIT) return line.toWellFormed();
  const end = isHighSurrogate(line.charCodeAt(LINE_LIMIT - 2)) ? LINE_LIMIT - 2 : LINE_LIMIT - 1;
  return `${line.slice(0, end)}…`.toWellFormed();
}

/** The longest beginning of the text that takes at most so many bytes as UTF-8; never ends inside a character. */
export function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = new Uint8Array(most);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read);
}

/** True for the first half of a pair: a text must not be cut behind it. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Seconds and nanoseconds: the only form of a time that the SDK does not guess about. */
export function hrTime(micros: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(micros / 1e6);
  return [seconds, (micros - seconds * 1e6) * 1000];
}

/** The microseconds since 1970 of a row's time. */
export function microsOf(time: string): number {
  return Date.parse(`${time.slice(0, 23)}Z`) * 1000 + Number(time.slice(23, 26));
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
