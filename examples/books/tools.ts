/**
 * The tools of the books plugin. Error messages name neither shelf nor book: they end up in the log and at the caller.
 */
import type { HubTool, NoteEdit } from '../../src/api/model-hub-api.d.ts';
import type { Memory, VaultFiles } from './ports.ts';
import { booksOf, withBook, withoutBook } from './shelf.ts';
import { keep, type Change } from './undo.ts';

const SHELVES = 'Shelves';
const PAGE = 50;
const PAGE_LIMIT = 200;

interface OnShelf {
  readonly shelf: string;
  readonly book: string;
}

interface Paging {
  readonly shelf: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** What a write came to. */
interface Changed extends OnShelf {
  /** How many books the shelf has now. */
  readonly books: number;
}

/** A change that is planned: the shelf's text before and after, and what takes it back. */
interface Plan {
  readonly note: string;
  readonly before: string;
  readonly after: string;
  readonly change: Change;
  readonly shown: Omit<NoteEdit, 'note'>;
}

export function createTools(files: VaultFiles, memory: Memory): readonly HubTool[] {
  // Handles stand beside the results, not in them: results go to whoever called, handles are the hub's.
  const handles = new WeakMap<object, string>();
  const undoHandle = (result: unknown): string | null => handles.get(result as object) ?? null;

  async function noteOf(shelf: string): Promise<string> {
    const wanted = shelf.normalize();
    const note = (await files.list(SHELVES)).find((path) => nameOf(path).normalize() === wanted);
    if (note === undefined) throw new Error('There is no such shelf. List the shelves to see those there are.');
    return note;
  }

  async function readShelf(shelf: string): Promise<{ readonly note: string; readonly text: string }> {
    const note = await noteOf(shelf);
    return { note, text: (await files.read(note)) ?? '' };
  }

  async function planAdd({ shelf, book }: OnShelf): Promise<Plan> {
    const title = book.trim();
    if (title === '' || /[\r\n\u2028\u2029]/.test(title)) throw new Error('A book\'s title must be one line of text.');
    const { note, text } = await readShelf(shelf);
    const { text: after, added, last } = withBook(text, title);
    const shown = last === '' ? { before: '', after: added.line } : { before: last, after: `${last}\n${added.line}` };
    return { note, before: text, after, shown, change: { kind: 'added', note, book: title, ...added } };
  }

  async function planRemove({ shelf, book }: OnShelf): Promise<Plan> {
    const { note, text } = await readShelf(shelf);
    const found = withoutBook(text, book.trim());
    if (!found) throw new Error('The book is not on that shelf. List the shelf\'s books to see their titles.');
    const { text: after, removed } = found;
    return { note, before: text, after, shown: { before: removed.line, after: '' }, change: { kind: 'removed', note, book: book.trim(), ...removed } };
  }

  async function carryOut(plan: Plan, shelf: string, signal: AbortSignal): Promise<Changed> {
    const handle = await keep(memory, plan.change);
    try {
      signal.throwIfAborted();
      if (!(await files.write(plan.note, plan.before, plan.after))) throw new Error('The shelf changed at this moment. Try again.');
    } catch (error) {
      await memory.remove(handle);
      throw error;
    }
    const result: Changed = { shelf, book: plan.change.book, books: booksOf(plan.after).length };
    handles.set(result, handle);
    return result;
  }

  const listShelves: HubTool = {
    name: 'books.list_shelves',
    description: 'Lists the shelves, each with the number of its books.',
    effect: 'read',
    replay: 'safe',
    input: { type: 'object', properties: {} },
    handler: async () => {
      const shelves = await Promise.all((await files.list(SHELVES)).map(async (note) => ({ shelf: nameOf(note), books: booksOf((await files.read(note)) ?? '').length })));
      return shelves.length > 0 ? { shelves } : { empty: true, message: `There are no shelves. A shelf is a note in the folder ${SHELVES}.` };
    },
  };

  const listBooks: HubTool<Paging> = {
    name: 'books.list_books',
    description: `Lists the books of one shelf, in order, ${PAGE} at a time unless limit says otherwise (at most ${PAGE_LIMIT}). Where more follow, "next" is the offset of the next page.`,
    effect: 'read',
    replay: 'safe',
    input: {
      type: 'object',
      required: ['shelf'],
      properties: {
        shelf: { type: 'string', description: 'The shelf\'s name.' },
        offset: { type: 'integer', minimum: 0, description: 'How many books to leave out; 0 if not given.' },
        limit: { type: 'integer', minimum: 1, description: 'How many books to answer.' },
      },
    },
    handler: async ({ shelf, offset = 0, limit = PAGE }) => {
      const all = booksOf((await readShelf(shelf)).text);
      const end = offset + Math.min(limit, PAGE_LIMIT);
      const books = all.slice(offset, end);
      if (books.length === 0) return { empty: true, message: all.length === 0 ? 'The shelf is empty.' : `The shelf has ${all.length} books; the offset is past its end.` };
      return { books, total: all.length, ...(end < all.length ? { next: end } : {}) };
    },
  };

  const addToShelf: HubTool<OnShelf> = {
    name: 'books.add_to_shelf',
    description: 'Puts a book at the end of a shelf. Called twice, the book is on the shelf twice.',
    effect: 'write',
    replay: 'unsafe',
    undo: { kind: 'handle' },
    input: bookOnShelf('The book\'s title, one line.'),
    handler: async (input, { signal }) => carryOut(await planAdd(input), input.shelf, signal),
    undoHandle,
    describe: async (input) => edits(await planAdd(input)),
  };

  const removeFromShelf: HubTool<OnShelf> = {
    name: 'books.remove_from_shelf',
    description: 'Takes a book off a shelf. If it is there more than once, the first goes.',
    effect: 'write',
    replay: 'unsafe',
    undo: { kind: 'handle' },
    input: bookOnShelf('The book\'s title, as the shelf has it.'),
    handler: async (input, { signal }) => carryOut(await planRemove(input), input.shelf, signal),
    undoHandle,
    describe: async (input) => edits(await planRemove(input)),
  };

  return [listShelves, listBooks, addToShelf, removeFromShelf];
}

function bookOnShelf(aboutBook: string): HubTool['input'] {
  return {
    type: 'object',
    required: ['shelf', 'book'],
    properties: { shelf: { type: 'string', description: 'The shelf\'s name.' }, book: { type: 'string', description: aboutBook } },
  };
}

function edits({ note, shown }: Plan): { readonly edits: readonly NoteEdit[] } {
  return { edits: [{ note, ...shown }] };
}

/** A shelf is called as its note is. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
