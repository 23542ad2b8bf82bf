/**
 * Cells as lines of text with their columns lined up. Whatever could steer a terminal is written out.
 */
import { printable } from '../printable.ts';

export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printable));
  const widths = head.map((title, column) => Math.max(title.length, ...clean.map((row) => row[column]?.length ?? 0)));
  return [head, ...clean].map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()).join('\n');
}
