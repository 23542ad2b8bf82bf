/** The version of Obsidian that the shim stands for. */

export const API_VERSION = '1.13.1';

/** Compares `1.13.0` with `1.9.12` by numbers. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (have![at] ?? 0) - (want![at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
