/** What changed between two texts, word by word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../views/changes.ts';
import { risksOf } from '../../views/risks.ts';

const shown = (before: string, after: string): string => compare(before, after).parts.map((part) => (part.kind === 'same' ? part.text : `[-${part.out}-]{+${part.in}+}`)).join('');
const risks = (before: string, after: string): string[] => risksOf(before, after, compare(before, after)).map(({ kind, detail }) => `${kind}: ${detail}`);

describe('edits, word by word', () => {
  it('F063 F064 a changed word goes out and comes in, the rest stays', () => {
    expect(shown('Take it with food.', 'Take it before food.')).toBe('Take it [-with-]{+before+} food.');
  });

  it('F065 a number changes as a whole', () => {
    expect(shown('costs 1,250.00 in all', 'costs 1,950.00 in all')).toBe('costs [-1,250.00-]{+1,950.00+} in all');
  });

  it('F063 a line that goes from between lines that begin alike goes as that line', () => {
    expect(shown('- one\n- two\n- three', '- one\n- three')).toBe('- one\n[-- two\n-]{++}- three');
    expect(shown('# A\n\n- [ ] one\n- [ ] three', '# A\n\n- [ ] one\n- [ ] two\n- [ ] three')).toBe('# A\n\n- [ ] one\n[--]{+- [ ] two\n+}- [ ] three');
  });

  it('F063 neighbouring words read as one change', () => {
    expect(shown('a red big house', 'a blue small house')).toBe('a [-red big-]{+blue small+} house');
  });

  it('F063 writing without spaces is compared character by character', () => {
    expect(shown('今日は雨です', '今日は雪です')).toBe('今日は[-雨-]{+雪+}です');
  });

  it('F063 what goes out and stays is the text before, what comes in and stays the text after', () => {
    const text = fc.array(fc.constantFrom('one ', 'two', '\n', '10', '2026-11-30', 'ä', '\u{1F600}', '---'), { maxLength: 30 }).map((words) => words.join(''));
    fc.assert(fc.property(text, text, (before, after) => {
      const { parts } = compare(before, after);
      expect(parts.map((part) => (part.kind === 'same' ? part.text : part.out)).join('')).toBe(before);
      expect(parts.map((part) => (part.kind === 'same' ? part.text : part.in)).join('')).toBe(after);
    }));
  });

  it('B26 a passage that is too long to compare is shown whole, and said to be', () => {
    const before = Array.from({ length: 30_000 }, (_, at) => `w${at}`).join(' ');
    expect(compare(before, before.replaceAll('w', 'v'))).toMatchObject({ compared: false, parts: [{ kind: 'change', out: before }] });
    expect(risks(before, before.replaceAll('w', 'v'))).toContainEqual(expect.stringMatching(/^not_compared: /));
  });
});

describe('risky changes', () => {
  it.each([
    ['a number', '10 mg a day', '100 mg a day', ['number: 10 becomes 100']],
    ['a sign', 'moves by -5 points', 'moves by 5 points', ['number: -5 becomes 5']],
    ['a date', 'due 2026-12-01', 'due 2027-12-01', ['date: 2026-12-01 becomes 2027-12-01']],
    ['a month', 'on 3 March', 'on 3 April', ['date: March becomes April']],
    ['a time', 'at 09:30', 'at 21:30', ['time: 09:30 becomes 21:30']],
    ['a number put into words', '10 mg', 'some mg', ['number: 10 is removed']],
    ['a link between notes', 'see [[Doctor]]', 'see [[Pharmacy]]', ['link: [[Doctor]] becomes [[Pharmacy]]']],
    ['an address', '[pay](https://bank.example/a)', '[pay](https://bank.evil.example/a)', ['link: https://bank.example/a becomes https://bank.evil.example/a']],
    ['an address at the end of a sentence', 'at https://example.org/rooms.', 'at https://example.net/rooms.', ['link: https://example.org/rooms becomes https://example.net/rooms']],
    ['a path in a link', '[x](notes/a.md)', '[x](notes/b.md)', ['link: notes/a.md becomes notes/b.md']],
    ['properties', '---\nstatus: draft\ntags:\n  - a\n---\nText', '---\nstatus: done\ntags:\n  - b\n---\nText', ['property: status, tags']],
    ['much text that goes', `Keep. ${'word '.repeat(100)}`, 'Keep.', ['deletion: 501 characters go without being replaced']],
    ['nothing of the kind', 'a calm sentence', 'a quiet sentence', []],
    ['a number that is added', 'about', 'about 10', []],
  ])('F065 warns of %s', (_, before, after, expected) => {
    expect(risks(before, after)).toEqual(expected);
  });
});
