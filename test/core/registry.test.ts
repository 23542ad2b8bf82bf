/** Names, namespaces and tools: what may be registered, by whom, and what replaces what. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Registry } from '../../src/core/registry.ts';
import type { HubTool } from '../../src/core/types.ts';
import { MemoryNamespaces } from '../fakes/stores.ts';

const BOOKS = { id: 'books', name: 'Books' };
const OTHER = { id: 'other', name: 'Other' };

function tool(name: string, more: Partial<HubTool> = {}): HubTool {
  return { name, description: 'Does it.', effect: 'read', input: { type: 'object' }, handler: () => Promise.resolve(1), ...more };
}

describe('the registry', () => {
  let namespaces: MemoryNamespaces;
  let registry: Registry;
  let changes: number;

  beforeEach(() => {
    namespaces = new MemoryNamespaces();
    changes = 0;
    registry = new Registry(namespaces, () => changes++);
  });

  it.each(['books.list_shelves', 'a.b', 'my-books2.add_to_shelf2', `${'a'.repeat(31)}.${'b'.repeat(32)}`])('F006 F007 F008 F009 %s is a name', (name) => {
    registry.register(BOOKS, [tool(name)]);
    expect(registry.find(name)?.name).toBe(name);
  });

  it.each(['list', 'Books.list', 'books.List', '1books.list', 'books.1list', 'books.li-st', 'bo_oks.list', 'books.', '.list', 'books.list.more', 'books list', 'bоoks.list', 'books.list\n', '', `${'a'.repeat(32)}.${'b'.repeat(32)}`, '__proto__', 'constructor', 7, null])(
    'F006 D26 B35 %j is no name, and nothing is registered', (name) => {
      expect(() => registry.register(BOOKS, [tool('books.list'), tool(name as string)])).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
      expect([registry.list(), changes, namespaces.saved.size]).toEqual([[], 0, 0]);
    });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'books.constructor'])('B17 nobody has registered %s', (name) => {
    registry.register(BOOKS, [tool('books.list')]);
    expect(registry.find(name)).toBeUndefined();
  });

  it('B17 a tool may be called constructor', () => {
    registry.register(BOOKS, [tool('books.constructor')]);
    expect(registry.find('books.constructor')?.name).toBe('books.constructor');
  });

  it('F010 F012 F159 a namespace belongs to the plugin that came first, and another is refused by name', () => {
    registry.register(BOOKS, [tool('books.list')]);
    expect(() => registry.register(OTHER, [tool('other.x'), tool('books.more')])).toThrow(expect.objectContaining({ code: 'tool-name-taken', message: expect.stringContaining('books') as string }) as Error);
    expect(registry.list().map(({ name }) => name)).toEqual(['books.list']);
  });

  it('F011 B35 the namespace stays with its plugin across restarts, in either order of loading', () => {
    registry.register(BOOKS, [tool('books.list')]);
    const after = new Registry(namespaces, () => undefined);
    expect(() => after.register(OTHER, [tool('books.list')])).toThrow(expect.objectContaining({ code: 'tool-name-taken' }) as Error);
    after.register(BOOKS, [tool('books.list')]);
    expect(after.find('books.list')?.plugin.id).toBe('books');
  });

  it('F175 M10 registering again replaces the plugin\'s earlier tools as one set', () => {
    registry.register(BOOKS, [tool('books.list'), tool('books.old')], { undo: () => Promise.resolve('') });
    registry.register(BOOKS, [tool('books.list'), tool('books.new')]);
    expect(registry.list().map(({ name }) => name)).toEqual(['books.list', 'books.new']);
    expect(registry.undoOf('books')).toBeUndefined();
  });

  it('F176 F177 tools that are taken away are unknown, and the namespace stays taken', () => {
    registry.register(BOOKS, [tool('books.list')]);
    registry.unregister('books');
    expect(registry.find('books.list')).toBeUndefined();
    expect(() => registry.register(OTHER, [tool('books.list')])).toThrow(expect.objectContaining({ code: 'tool-name-taken' }) as Error);
  });

  it('D29 names that the user lets go are free for another plugin, not while their own has tools', () => {
    registry.register(BOOKS, [tool('books.list'), tool('shelves.list')]);
    registry.register(OTHER, [tool('other.list')]);
    expect(() => registry.forgetNamespaces('books')).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
    registry.unregister('books');
    registry.forgetNamespaces('books');
    expect([...new Registry(namespaces, () => undefined).namespaces()]).toEqual([['other', 'other']]);
    registry.register(OTHER, [tool('books.list')]);
    expect(registry.find('books.list')?.plugin.id).toBe('other');
  });

  it('F022 a plugin is called by its name, also when its tools are gone, and by its id where that is not known', () => {
    registry.register(BOOKS, [tool('books.list')]);
    registry.unregister('books');
    expect([registry.nameOf('books'), registry.nameOf('never')]).toEqual([BOOKS.name, 'never']);
  });

  it('a name that is given twice in one registration is refused', () => {
    expect(() => registry.register(BOOKS, [tool('books.list'), tool('books.list')])).toThrow('named twice');
  });

  it('F178 what is registered is a copy: changing the plugin\'s object later changes nothing', () => {
    const mine = { ...tool('books.list') } as { -readonly [K in keyof HubTool]: HubTool[K] };
    registry.register(BOOKS, [mine]);
    mine.effect = 'write';
    mine.description = 'Deletes it.';
    expect(registry.find('books.list')).toMatchObject({ effect: 'read', description: 'Does it.' });
  });

  it.each<[string, Partial<HubTool>]>([
    ['no description', { description: ' ' }],
    ['an effect that is none', { effect: 'maybe' as 'read' }],
    ['no handler', { handler: undefined as never }],
    ['a replay that is none', { replay: 'sometimes' as 'safe' }],
    ['F188 an undo by handle without undoHandle', { effect: 'write', undo: { kind: 'handle' } }],
    ['F187 no undo without a reason', { effect: 'write', undo: { kind: 'none', reason: '' } }],
    ['F189 an undo on a read', { undo: { kind: 'none', reason: 'r' } }],
    ['an undo of another kind', { effect: 'write', undo: { kind: 'maybe' } as never }],
  ])('F182 F186 a tool with %s is refused', (_, more) => {
    expect(() => registry.register(BOOKS, [tool('books.list', more)])).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
  });

  it('F191 replay and undo may be left out', () => {
    registry.register(BOOKS, [tool('books.add', { effect: 'write' })]);
    expect(registry.find('books.add')).not.toHaveProperty('undo');
  });
});
