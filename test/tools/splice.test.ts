/** Replacing passages of a text, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, takeBack } from '../../src/tools/vault/splice.ts';
import { compare } from '../../views/changes.ts';
import { risksOf } from '../../views/risks.ts';

const edit = (find: string, replace: string) => ({ find, replace });

describe('exact edits of a text', () => {
  it('are made in order, each on what the one before left', () => {
    const { text, passages } = applyEdits('one\ntwo\nthree\n', [edit('two', '2'), edit('2\nthree', '2\n3')]);
    expect(text).toBe('one\n2\n3\n');
    expect(passages).toEqual([{ before: 'two', after: '2' }, { before: '2\nthree', after: '2\n3' }]);
  });

  it('F061 are shown within their lines', () => {
    expect(applyEdits('a\nWe meet at 19:00, in the library.\nb', [edit('19:00', '19:30')]).passages).toEqual([
      { before: 'We meet at 19:00, in the library.', after: 'We meet at 19:30, in the library.' },
    ]);
  });

  it('F065 of a property are shown with all properties, so that the question can name the one that changes', () => {
    const note = '---\ntitle: Reading group\ndue: 2026-12-04\ntags:\n  - books\n---\nWe meet at 19:00.\n';
    const { before, after } = applyEdits(note, [edit('books', 'club')]).passages[0]!;
    expect(before).toBe('---\ntitle: Reading group\ndue: 2026-12-04\ntags:\n  - books\n---');
    expect(risksOf(before, after, compare(before, after)).filter(({ kind }) => kind === 'property')).toEqual([{ kind: 'property', detail: 'tags' }]);
    expect(applyEdits(note, [edit('19:00', '20:00')]).passages[0]!.before).toBe('We meet at 19:00.');
    const across = applyEdits(note, [edit('---\nWe meet', '---\nThey meet')]).passages[0]!;
    expect([across.before.startsWith('---\ntitle'), across.before.endsWith('We meet at 19:00.')]).toEqual([true, true]);
    const long = `---\na: ${'x'.repeat(5_000)}\nb: 1\n---\n`;
    expect(applyEdits(long, [edit('b: 1', 'b: 2')]).passages[0]!.before).toBe('b: 1');
  });

  it('are shown with a part of a very long line, never half a character', () => {
    const [passage] = applyEdits(`${'😀'.repeat(1_000)}x${'😀'.repeat(1_000)}`, [edit('x', 'y')]).passages;
    expect([passage!.before.length, passage!.before.isWellFormed()]).toEqual([601, true]);
    const odd = applyEdits(`${'😀'.repeat(1_000)}xa${'😀'.repeat(1_000)}`, [edit('xa', 'y')]).passages[0]!;
    expect(odd.before.isWellFormed()).toBe(true);
    const shifted = applyEdits(`a${'😀'.repeat(1_000)}.x.${'😀'.repeat(1_000)}`, [edit('x', 'y')]).passages[0]!;
    expect(shifted.before.isWellFormed()).toBe(true);
  });

  it('take signs such as $& for what they are', () => {
    expect(applyEdits('a b c', [edit('b', '$& $1 $$')]).text).toBe('a $& $1 $$ c');
  });

  it('keep the line ends that the note has', () => {
    expect(applyEdits('one\r\ntwo\r\nthree', [edit('one\ntwo', 'one\nand\ntwo')]).text).toBe('one\r\nand\r\ntwo\r\nthree');
    expect(applyEdits('one\r\ntwo\nthree', [edit('one\r\ntwo', 'x')]).text).toBe('x\nthree');
    expect(applyEdits('one\r\ntwo\nthree', [edit('two\nthree', '2\n3')]).text).toBe('one\r\n2\n3');
  });

  it.each<[string, string, readonly { find: string; replace: string }[], string]>([
    ['none', 'a', [], 'There are no edits. Give at least one.'],
    ['an empty find', 'a', [edit('', 'x')], 'The edit has an empty find. Give the passage that is to be replaced, exactly as the note has it.'],
    ['a passage that is not there', 'a', [edit('CANARY', 'x')], 'The edit does not fit: the note has no such passage. Read the note again and copy the passage exactly.'],
    ['a passage that is there twice', 'a CANARY b CANARY', [edit('CANARY', 'x')], 'The edit does not fit: the passage occurs more than once. Give more of the text around it, so that it occurs once.'],
    ['a passage that overlaps itself', 'aaa', [edit('aa', 'x')], 'The edit does not fit: the passage occurs more than once. Give more of the text around it, so that it occurs once.'],
    ['no change', 'a', [edit('a', 'a')], 'The edit changes nothing: find and replace are equal.'],
    ['changes that cancel out', 'a', [edit('a', 'b'), edit('b', 'a')], 'The edits together change nothing.'],
    ['a second one that does not fit', 'a b', [edit('a', 'x'), edit('a', 'y')], 'Edit 2 does not fit: the note has no such passage. Read the note again and copy the passage exactly.'],
  ])('F120 refuse %s, by number and without a word of the text', (_, text, edits, message) => {
    expect(() => applyEdits(text, edits)).toThrow(expect.objectContaining({ code: 'tool-failed', message }));
  });

  it('for any text and any edits that fit, what takes them back gives the text that was there', () => {
    const words = fc.array(fc.constantFrom('a', 'bb', '\n', '\r\n', '😀', ' ', 'é'), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(fc.property(words, fc.array(fc.record({ find: words, replace: words }), { minLength: 1, maxLength: 4 }), (text, edits) => {
      let edited;
      try {
        edited = applyEdits(text, edits);
      } catch {
        return;
      }
      expect(takeBack(edited.text, edited.splices)).toBe(text);
    }), { numRuns: 2_000 });
  });
});
