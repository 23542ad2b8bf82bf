import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { booksOf, withBook, withLineBelow, withoutBook, withoutLine } from '../../examples/books/shelf.ts';

const SHELF = '---\ntags:\n- shelf\n---\n# To read\n\n- Emma\n* [ ] Stoner\n+ Piranesi  \n\nSome words.\n';

describe('a shelf', () => {
  it('has its list items as books, check boxes or not, and not the lists of its properties', () => {
    expect(booksOf(SHELF)).toEqual(['Emma', 'Stoner', 'Piranesi']);
    expect(booksOf('- \n-x\n  - nested\n-- y')).toEqual([]);
  });

  it('takes a new book below the last one', () => {
    expect(withBook(SHELF, 'Middlemarch')).toMatchObject({ text: SHELF.replace('Piranesi  \n', 'Piranesi  \n- Middlemarch\n'), last: '+ Piranesi  ' });
  });

  it('takes its first book after an empty line at its end', () => {
    expect(withBook('# New\n', 'Emma').text).toBe('# New\n\n- Emma\n');
    expect(withBook('# New\n\nNothing yet.', 'Emma').text).toBe('# New\n\nNothing yet.\n\n- Emma\n');
    expect(withBook('', 'Emma').text).toBe('- Emma\n');
  });

  it('keeps its line ends', () => {
    expect(withBook('- Emma\r\n', 'Stoner').text).toBe('- Emma\r\n- Stoner\r\n');
  });

  it('for any lines, a book that is taken off can be put back where it was', () => {
    const line = fc.constantFrom('- Emma', '- Stoner', '* Emma', '', '# Shelf', 'words');
    fc.assert(fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end);
      const removed = withoutBook(text, 'Emma');
      if (!removed) {
        expect(booksOf(text)).not.toContain('Emma');
        return;
      }
      expect(booksOf(removed.text).length).toBe(booksOf(text).length - 1);
      // A note of two lines has then no line end left to tell which kind it had.
      if (removed.text.includes(end)) expect(withLineBelow(removed.text, removed.line, removed.below)).toBe(text);
    }));
  });

  it('for any lines, a book that is added can be taken off again', () => {
    const line = fc.constantFrom('- Emma', '- Stoner', '', '# Shelf', 'words');
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      const text = `- First\n${lines.join('\n')}`;
      const added = withBook(text, 'Emma');
      expect(withoutLine(added.text, added.line)).toBe(text);
    }));
  });
});
