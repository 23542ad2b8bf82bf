/**
 * Text of other people's, fit for a terminal: what could move the cursor, colour the text or turn it around is written as
 * its number.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
