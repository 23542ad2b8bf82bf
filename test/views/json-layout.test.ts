/** Arguments laid out in lines, to the character. */
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut } from '../../views/json-layout.ts';

const lines = (json: string): string[] => {
  const found: string[] = [];
  for (const { text, depth, inside } of layOut(json)) {
    if (depth === undefined) found.push(`${found.pop() ?? ''}${text}`);
    else found.push(`${inside ? '|' : ' '}${'.'.repeat(depth)}${text}`);
  }
  return found;
};

describe('arguments in lines', () => {
  it('F044 each key stands on a line of its own, at its depth', () => {
    expect(lines('{"a":[1,{"b":null}],"c":{},"d":[]}')).toEqual([' {', ' ."a":[', ' ..1,', ' ..{', ' ..."b":null', ' ..}', ' .],', ' ."c":{},', ' ."d":[]', ' }']);
  });

  it('F044 a text with line breaks is broken where it breaks, and its later lines stand inside it', () => {
    expect(lines(String.raw`{"note":"one\n\"fake\": 1\ntwo"}`)).toEqual([' {', String.raw` ."note":"one\n`, String.raw`|..\"fake\": 1\n`, '|..two"', ' }']);
  });

  it('F044 a backslash before an n is no line break', () => {
    expect(lines(String.raw`{"path":"C:\\new"}`)).toEqual([' {', String.raw` ."path":"C:\\new"`, ' }']);
  });

  it('B26 the pieces put together are the text, to the last character, whatever the arguments are', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const json = canonicalize(value) ?? 'null';
      expect([...layOut(json)].map(({ text }) => text).join('')).toBe(json);
    }));
  });

  it('B26 text that is no JSON comes out whole too', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', 'n', 'u', ',', ':', '\u{1F600}', 'x') }), (text) => {
      expect([...layOut(text)].map((piece) => piece.text).join('')).toBe(text);
    }));
  });

  it('B26 a long line is cut into pieces, never inside an escape or a pair', () => {
    const long = `"${'\u{1F600}'.repeat(3_000)}${String.raw`\u0001`.repeat(3_000)}"`;
    const pieces = [...layOut(long)].map(({ text }) => text);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.every((text) => text.isWellFormed() && !/\\u[0-9a-f]{0,3}$/.test(text))).toBe(true);
    expect(pieces.join('')).toBe(long);
  });
});
