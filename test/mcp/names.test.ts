/** Tool names over MCP, and back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullName, servedName, titleOf } from '../../src/mcp/names.ts';

describe('names over MCP', () => {
  it.each([
    ['books.list_shelves', { name: 'books_list_shelves' }],
    ['my-books.a', { name: 'my-books_a' }],
    ['b.trailing_', { name: 'b_trailing_' }],
    ['calendar.respondToEvent', { fault: 'malformed' }],
    ['a/b', { fault: 'malformed' }],
    ['__x', { fault: 'malformed' }],
    ['_x.y', { fault: 'malformed' }],
    ['x._y', { fault: 'malformed' }],
    ['constructor', { fault: 'malformed' }],
    ['', { fault: 'malformed' }],
    ['x.a__b', { fault: 'double_underscore' }],
    [`books.${'a'.repeat(42)}`, { name: `books_${'a'.repeat(42)}` }],
    [`books.${'a'.repeat(43)}`, { fault: 'too_long' }],
  ])('M01 M02 M03 M05 M06 D26 serves %s as it may be served, or not at all', (full, served) => {
    expect(servedName(full)).toEqual(served);
  });

  it.each([
    ['books_list_shelves', 'books.list_shelves'],
    ['my-books_a', 'my-books.a'],
    ['books.list_shelves', undefined],
    ['books', undefined],
    ['x_a__b', undefined],
    ['_x_y', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['toString', undefined],
    ['books_list\n', undefined],
    [`books_${'a'.repeat(43)}`, undefined],
    ['', undefined],
  ])('B17 D26 reads %j back as %s', (served, full) => {
    expect(fullName(served)).toBe(full);
  });

  const part = (more: string, most: number): fc.Arbitrary<string> => fc.tuple(
    fc.constantFrom(...'abcxyz'), fc.string({ unit: fc.constantFrom(...`abc019${more}`), maxLength: most }),
  ).map(([first, rest]) => first + rest);

  it('M01 M05 M06 D26 every name that is served keeps to the strictest client, and comes back as it was', () => {
    fc.assert(fc.property(part('-', 30), part('_', 40), (namespace, name) => {
      const full = `${namespace}.${name}`;
      const served = servedName(full);
      if ('fault' in served) {
        expect(full.length > 48 || full.includes('__')).toBe(true);
        return;
      }
      expect(served.name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/);
      expect(served.name).not.toContain('__');
      expect(fullName(served.name)).toBe(full);
    }));
  });

  it('D26 no two tools are served under one name', () => {
    fc.assert(fc.property(part('-', 6), part('_', 6), part('-', 6), part('_', 6), (n1, t1, n2, t2) => {
      const [a, b] = [servedName(`${n1}.${t1}`), servedName(`${n2}.${t2}`)];
      const alike = 'name' in a && 'name' in b && a.name === b.name;
      expect(alike && (n1 !== n2 || t1 !== t2)).toBe(false);
    }));
  });

  it('has a title for people', () => {
    expect(titleOf('books.add_to_shelf')).toBe('Books: add to shelf');
  });
});
