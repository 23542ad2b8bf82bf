/** A shelf is a note: reading its books, and changing one line of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { booksOf, withBook, withoutAdded, withoutBook, withRemoved } from '../../examples/books/shelf.ts';

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
    expect(withBook('# New\r\n', 'Emma').text).toBe('# New\r\n\r\n- Emma\r\n');
  });

  it('keeps the line ends of every other line where the note has several kinds', () => {
    expect(withBook('# Old\r\n- Emma\n\nwords\r\n', 'Stoner').text).toBe('# Old\r\n- Emma\n- Stoner\n\nwords\r\n');
    expect(withoutBook('# Old\r\n- Emma\n\nwords\r\n', 'Emma')!.text).toBe('# Old\r\n\nwords\r\n');
  });

  it('reads a note with a byte order mark like any other', () => {
    expect(booksOf('\ufeff---\ntags:\n- shelf\n---\n- Emma\n')).toEqual(['Emma']);
    expect(booksOf('\ufeff- Emma\n')).toEqual(['Emma']);
  });

  it('takes an added book off its list, not a line of its properties that reads the same', () => {
    const { added } = withBook('---\ntags:\n- Emma\n---\n- Stoner\n', 'Emma');
    expect(withoutAdded('---\ntags:\n- Emma\n---\n- Stoner\n', added)).toBeUndefined();
  });

  it('for any lines, a book that is taken off can be put back where it was', () => {
    const line = fc.constantFrom('- Emma', '- Stoner', '* Emma', '', '# Shelf', 'words');
    fc.assert(fc.property(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), line, fc.constantFrom('', '\ufeff'), (lines, last, mark) => {
      const text = `${mark}${lines.flat().join('')}${last}`;
      const removed = withoutBook(text, 'Emma');
      if (!removed) {
        expect(booksOf(text)).not.toContain('Emma');
        return;
      }
      expect(booksOf(removed.text).length).toBe(booksOf(text).length - 1);
      expect(withRemoved(removed.text, removed.removed)).toBe(text);
    }));
  });

  it('for any lines, a book that is added can be taken off again', () => {
    const line = fc.constantFrom('- Emma', '- Stoner', '', '# Shelf', 'words');
    fc.assert(fc.property(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), line, (lines, last) => {
      const text = lines.flat().join('') + last;
      const { text: more, added } = withBook(text, 'Emma');
      expect(withoutAdded(more, added)).toBe(text);
    }));
  });
});
