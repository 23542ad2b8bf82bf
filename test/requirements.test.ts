/** Holds the list of requirements and the names of the tests against each other, both ways. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { namesIn, testNames } from '../.config/test-names.mjs';
import { REQUIREMENTS } from './requirements.ts';

const ID = /\b(?:F\d{3}|D\d{2}|E\d{2})\b/g;
const idsOf = (names: readonly string[]): Set<string> => new Set(names.flatMap((name) => name.match(ID) ?? []));

const cited = idsOf(testNames(fileURLToPath(new URL('.', import.meta.url))));

describe('the list of what works', () => {
  it('names nothing that no test proves', () => {
    expect(REQUIREMENTS.filter((id) => !cited.has(id))).toEqual([]);
  });

  it('leaves out nothing that a test proves', () => {
    expect([...cited].filter((id) => !REQUIREMENTS.includes(id)).toSorted()).toEqual([]);
  });

  it('is in order, each once, and of numbers only', () => {
    const rank = (id: string): string => `${'FDE'.indexOf(id[0]!)}${id}`;
    expect([...new Set(REQUIREMENTS)].toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))).toEqual(REQUIREMENTS);
    expect(REQUIREMENTS.filter((id) => !/^(?:F\d{3}|D\d{2}|E\d{2})$/.test(id))).toEqual([]);
  });
});

describe('the names of tests', () => {
  it('are read from calls, templates and tables, and from nothing else', () => {
    const source = `
      // F001 in a comment
      const text = 'F002 in a text';
      describe('F003 a group', () => {
        it("F004 a test", () => { expect('F005').toBe('F005'); });
        it(\`F006 a template of \${n} parts, F007\`, () => undefined);
        it('F008 ' + 'in two parts', () => undefined);
        it.each([['F009 a row', 'F010 no name'], ['F011 a row', 1]])('%s: F012 its name', () => undefined);
        it.skipIf(no)('F013 perhaps', () => undefined);
        test.each(table)('F014 %s', () => undefined);
        submit('F015 no test', () => undefined);
      });`;
    expect([...idsOf(namesIn(source))]).toEqual(['F003', 'F004', 'F006', 'F007', 'F008', 'F012', 'F009', 'F011', 'F013', 'F014']);
  });
});
