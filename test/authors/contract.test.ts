/** The contract test that authors run: the books plugin passes it, and each mistake is told in a sentence. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTools } from '../../examples/books/tools.ts';
import { createUndo } from '../../examples/books/undo.ts';
import { contractFaults, type Contract, type ToolTrial } from '../../src/authors/contract.ts';
import { UndoFolder } from '../../src/node/undo-folder.ts';
import type { HubTool } from '../../src/api/model-hub-api.d.ts';
import { TempVault } from '../fakes/temp-vault.ts';

const READ: HubTool = { name: 'books.look', description: 'Looks.', effect: 'read', input: { type: 'object', properties: { shelf: { type: 'string' } } }, handler: () => Promise.resolve({ books: 3 }) };
const WRITE: HubTool = {
  ...READ, name: 'books.put', effect: 'write', undo: { kind: 'handle' }, undoHandle: () => 'h-1',
  handler: async (_, { signal }) => {
    signal.throwIfAborted();
    return { line: 7 };
  },
};
const undo = (): Promise<string> => Promise.resolve('Took it off.');
const trial = (more: Partial<ToolTrial> = {}): readonly ToolTrial[] => [{ tool: 'books.look', input: {}, ...more }];
const answering = (value: unknown): Contract => ({ tools: [{ ...READ, handler: () => Promise.resolve(value) }], trials: trial() });
const writing = (more: Partial<HubTool>, undoWith: Contract['undo'] = undo): Contract => ({ tools: [{ ...WRITE, ...more }], undo: undoWith, trials: [{ tool: 'books.put', input: { shelf: 'Unread things' } }] });

describe('the contract test for authors', () => {
  it('F017 F192 is passed by the books plugin: reads, pages, empty shelves, errors, writes and their undos', async () => {
    const vault = new TempVault();
    const before = vault.text('Shelves/To read.md');
    const memory = new UndoFolder(join(vault.root, '.obsidian/plugins/books/undo'));
    expect(await contractFaults({
      tools: createTools(vault.files, memory),
      undo: createUndo(vault.files, memory),
      trials: [
        { tool: 'books.list_shelves', input: {}, gives: 'result' },
        { tool: 'books.list_books', input: { shelf: 'To read', offset: 2, limit: 2 }, gives: 'result' },
        { tool: 'books.list_books', input: { shelf: 'Lent out' }, gives: 'empty' },
        { tool: 'books.list_books', input: { shelf: 'No such shelf at all' }, gives: 'error' },
        { tool: 'books.add_to_shelf', input: { shelf: 'To read', book: 'A Book Of Its Own' }, gives: 'result' },
        { tool: 'books.add_to_shelf', input: { shelf: 'To read', book: 'Two\nLines' }, gives: 'error' },
        { tool: 'books.remove_from_shelf', input: { shelf: 'To read', book: 'Piranesi' }, gives: 'result' },
        { tool: 'books.remove_from_shelf', input: { shelf: 'To read', book: 'Unheard Of' }, gives: 'error' },
      ],
    })).toEqual([]);
    expect(vault.text('Shelves/To read.md')).toBe(before);
  });

  it('F191 asks for no more than a tool needs: replay, undo, description and trials may be absent', async () => {
    expect(await contractFaults({ tools: [READ] })).toEqual([]);
    expect(await contractFaults({ tools: [READ], trials: trial() })).toEqual([]);
  });

  it.each<[string, Contract, string[]]>([
    ['F008 a name that is none', { tools: [{ ...READ, name: 'Books.look' }] }, ['A tool name must be lower-case namespace.name, at most 64 characters: a letter, then letters, digits and hyphens; a dot; a letter, then letters, digits and underscores.']],
    ['F181 a schema that says more', { tools: [{ ...READ, input: { type: 'object', pattern: '.' } as never }] }, ['The tool books.look cannot be registered: its input uses "pattern"; only type, description, properties, required, items, enum, minimum are known.']],
    ['F193 F194 F195 every contradiction, of every tool', { tools: [{ ...READ, undo: { kind: 'handle' } }, { ...WRITE, undo: { kind: 'none', reason: ' ' } }, { ...READ, name: 'books.put2', effect: 'write', undo: { kind: 'handle' } }] }, [
      'The tool books.look cannot be registered: a read has no undo.',
      'The tool books.put cannot be registered: its undo must be { kind: "handle" }, or { kind: "none" } with a reason in words.',
      'The tool books.put2 cannot be registered: an undo of the kind "handle" needs undoHandle.',
    ]],
    ['one name twice', { tools: [READ, READ] }, ['The tool books.look is named twice in one registration.']],
    ['no list, and no function', { tools: {} as never, undo }, ['registerTools takes a list of tools.']],
    ['F079 a handle that nobody takes', { tools: [WRITE] }, ['books.put: its handle is dropped, since no undo function is registered with it.']],
    ['F078 an undo function that nobody calls', { tools: [READ], undo }, ['The undo function is never called: no tool has an undoHandle.']],
    ['an undo that is both', { tools: [{ ...WRITE, undo: { kind: 'none', reason: 'It was sent.' } }], undo }, ['books.put: it says that it cannot be taken back, and has an undoHandle.']],
    ['F189 a read with a handle', { tools: [{ ...READ, undoHandle: () => 'h' }], undo }, ['books.look: a read has nothing to take back; its undoHandle is never called.']],
    ['D26 a name that agents never see', { tools: [{ ...READ, name: 'books.list__shelves' }] }, ['books.list__shelves: agents outside Obsidian do not see it, since its name has two underscores in a row, which some clients cannot take.']],
  ])('tells of %s', async (_, contract, faults) => {
    expect(await contractFaults(contract)).toEqual(faults);
  });

  it('runs nothing while a declaration is at fault', async () => {
    let ran = 0;
    await contractFaults({ tools: [{ ...READ, description: '', handler: () => Promise.resolve(ran++) }], trials: trial() });
    expect(ran).toBe(0);
  });

  it.each<[string, Contract, string[]]>([
    ['a trial of no tool', { tools: [READ], trials: trial({ tool: 'books.gone' }) }, ['books.gone: there is a trial of it, but no such tool.']],
    ['F090 D22 a trial that does not fit the schema', { tools: [READ], trials: trial({ input: { shelves: 1 } }) }, ['books.look: its trial cannot begin. "shelves" is not a property of this input. It takes: shelf.']],
    ['D11 a trial that is no JSON', { tools: [READ], trials: trial({ input: { shelf: new Map() } }) }, ['books.look: its trial cannot begin. The arguments hold an object that is not plain, such as a date or a map.']],
    ['a handler that fails', { tools: [{ ...READ, handler: () => Promise.reject(new Error('There is no shelf.')) }], trials: trial() }, ['books.look: its handler failed. There is no shelf.']],
    ['D11 a handler that changes its input', { tools: [{ ...READ, handler: (input: { shelf?: string }) => { input.shelf = 'x'; return Promise.resolve(1); } }], trials: trial() }, [expect.stringMatching(/^books\.look: its handler failed\. /) as string]],
    ['an answer that is no JSON', answering({ n: 1n }), ['books.look: it answered something that is not JSON.']],
    ['an answer with a date', answering({ when: new Date(0) }), ['books.look: its answer holds something that JSON changes, such as a date, a map or NaN: agents get another answer than plugins.']],
    ['an answer with a map', answering([new Map([[1, 2]])]), ['books.look: its answer holds something that JSON changes, such as a date, a map or NaN: agents get another answer than plugins.']],
    ['an answer with NaN', answering({ mean: NaN }), ['books.look: its answer holds something that JSON changes, such as a date, a map or NaN: agents get another answer than plugins.']],
    ['F098 an answer that is cut', answering('x'.repeat(100_000)), ['books.look: its answer has 100002 characters and is cut at 100000. Take an offset or a cursor, and answer by pages.']],
    ['F197 an empty answer without a message', answering({ empty: true }), ['books.look: its empty answer has no message that says why.']],
    ['F198 an answer that was to be one', { ...answering([]), trials: trial({ gives: 'result' }) }, ['books.look: its trial was to have a result, and was empty.']],
    ['F198 an answer that was to be none', { ...answering([0]), trials: trial({ gives: 'empty' }) }, ['books.look: its trial was to be empty, and had a result.']],
    ['an error that does not come', { ...answering(1), trials: trial({ gives: 'error' }) }, ['books.look: its trial was to fail, and did not.']],
    ['F120 an error that repeats an argument', { tools: [{ ...READ, handler: ({ shelf }: { shelf: string }) => Promise.reject(new Error(`No shelf ${shelf}.`)) }], trials: trial({ input: { shelf: 'Secret things' }, gives: 'error' }) }, ['books.look: its error message holds a text of the arguments. Messages are logged and returned; say what is wrong without it.']],
    ['an error that says nothing', { tools: [{ ...READ, handler: () => Promise.reject(new Error(' ')) }], trials: trial({ gives: 'error' }) }, ['books.look: it failed without a message. Throw an Error that says what is wrong and what to do.']],
    ['F185 a write that goes through although nobody waits for it', writing({ handler: () => Promise.resolve({ line: 7 }) }), ['books.put: it went through although ctx.signal had fired. Call ctx.signal.throwIfAborted() just before the write.']],
    ['F185 a handler that does not stop', { tools: [{ ...READ, handler: (_, { signal }) => new Promise((resolve) => { setTimeout(resolve, signal.aborted ? 1_500 : 0, 1); }) }], trials: trial() }, ['books.look: it went on for over 1 second after ctx.signal had fired. Pass the signal on, or look at it between steps.']],
    ['F060 a description that throws', writing({ describe: () => { throw new Error('no'); } }), ['books.put: its describe threw, took over 500 ms or gave nothing that can be shown, so the question would show the arguments.']],
    ['F061 a description without edits', writing({ describe: () => ({ edits: [] }) }), ['books.put: its describe threw, took over 500 ms or gave nothing that can be shown, so the question would show the arguments.']],
    ['F077 a handle that is no text', writing({ undoHandle: () => Promise.resolve('h') as never }), ['books.put: its undoHandle gave something that is dropped: it must be null, or a text of 1 to 1000 characters.']],
    ['D28 a handle that is too long', writing({ undoHandle: () => 'h'.repeat(1_001) }), ['books.put: its undoHandle gave something that is dropped: it must be null, or a text of 1 to 1000 characters.']],
    ['F077 an undoHandle that throws', writing({ undoHandle: () => { throw new Error('no'); } }), ['books.put: its undoHandle threw, so that the write could not be taken back.']],
    ['F118 a handle that says what was written', writing({ undoHandle: () => 'Unread things:7' }), ['books.put: its undo handle holds a text of the arguments. Handles stand in the log; keep what they stand for yourself.']],
    ['F081 an undo that says nothing', writing({}, () => Promise.resolve(undefined as never)), ['books.put: taking it back answered no sentence that says what was restored.']],
    ['F081 an undo that fails', writing({}, () => Promise.reject(new Error('Gone.'))), ['books.put: taking it back failed. Gone.']],
  ])('tells of %s', async (_, contract, faults) => {
    expect(await contractFaults(contract)).toEqual(faults);
  });

  it('F077 null is a handle for nothing to take back, and passes', async () => {
    expect(await contractFaults(writing({ undoHandle: () => null }))).toEqual([]);
  });

  it('F073 takes the writes back, the last one first', async () => {
    const taken: string[] = [];
    let n = 0;
    const tools = [{ ...WRITE, undoHandle: () => `h-${++n}` }];
    const trials = [1, 2].map(() => ({ tool: 'books.put', input: {} }));
    expect(await contractFaults({ tools, trials, undo: (handle) => { taken.push(handle); return undo(); } })).toEqual([]);
    expect(taken).toEqual(['h-2', 'h-1']);
  });
});
