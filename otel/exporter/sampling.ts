/** Which traces are sent: a share of them, by their random id, so that a trace is sent whole or not at all. */

/** The last 56 bits of an id are random, in every system's ids. */
const RANDOM_DIGITS = 14;

export function isSampled(traceId: string, rate: number): boolean {
  return rate >= 1 || Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) / 16 ** RANDOM_DIGITS < rate;
}
