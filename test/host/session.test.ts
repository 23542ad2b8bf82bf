/** A scripted session with the official MCP client against the host as a user starts it. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRow, Row } from '../../otel/row.ts';
import type { Person} from '../support/host-process.ts';
import { HostProcess, modelHub, TempPlace } from '../support/host-process.ts';

interface Result { readonly isError?: boolean; readonly structuredContent?: unknown; readonly content: readonly { readonly type: string; readonly text?: string }[] }

/** One long conversation of an agent with the host as `npm start` runs it; each test goes on where the one before ended. */
describe('a session with the host', () => {
  const place = new TempPlace();
  let host: HostProcess;
  let agent: Client;
  let person: Person;
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> => (await agent.callTool({ name, arguments: args })) as Result;
  const rows = async (): Promise<(Row & { undo?: string })[]> => (await modelHub(place, 'log', '--json', '--last', '1000')).out.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);

  beforeAll(async () => {
    host = await HostProcess.start(place, ['--ask-seconds', '4']);
    person = await host.person();
    agent = await host.client();
  });

  afterAll(async () => {
    person.leave();
    await agent.close();
    await host.stop();
    place.remove();
  });

  it('F240 D26 the tools are listed under names that clients can take', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['books_add_to_shelf', 'books_list_books', 'books_list_shelves', 'books_remove_from_shelf', 'vault_edit_note']);
  });

  it('F034 a read runs freely', async () => {
    expect(await call('books_list_shelves', {})).toMatchObject({ structuredContent: { shelves: expect.arrayContaining([{ shelf: 'To read', books: expect.any(Number) as number }]) as unknown } });
  });

  it('F048 a write asks at the page, with the book in full, and runs after Allow once', async () => {
    const calling = call('books_add_to_shelf', { shelf: 'To read', book: 'CANARY-7f3a' });
    const question = await person.question();
    expect(question).toMatchObject({ client: { kind: 'mcp', name: 'Claude Code' }, tool: 'books.add_to_shelf', arguments: '{"book":"CANARY-7f3a","shelf":"To read"}', choices: ['deny', 'allow_once'], preview: { kind: 'edits' } });
    expect(await person.answer('allow_once')).toMatchObject({ accepted: true });
    expect((await calling).isError ?? false).toBe(false);
    expect(place.note('Shelves/To read.md')).toContain('- CANARY-7f3a');
  });

  it('F056 D08 Allow for this run is refused to an MCP write, and the question stays open', async () => {
    const calling = call('books_add_to_shelf', { shelf: 'To read', book: 'Middlemarch' });
    expect(await person.answer('allow_run')).toMatchObject({ accepted: false, why: 'not_offered' });
    expect(await person.answer('allow_once')).toMatchObject({ accepted: true });
    await calling;
  });

  it('F047 Deny refuses, with code and reason on both sides of the answer', async () => {
    const calling = call('books_add_to_shelf', { shelf: 'To read', book: 'Dracula' });
    await person.answer('deny');
    const result = await calling;
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'tool-denied', reason: 'user' } });
    expect(result.content[0]?.text).toContain('tool-denied');
    expect(place.note('Shelves/To read.md')).not.toContain('Dracula');
  });

  it('F054 D10 nobody answers: refused when the clock has run out', async () => {
    const calling = call('books_add_to_shelf', { shelf: 'To read', book: 'Ulysses' });
    await person.question(); // seen, and left alone
    expect(await calling).toMatchObject({ isError: true, structuredContent: { code: 'tool-denied', reason: 'no-answer' } });
    expect(person.settlements.at(-1)).toMatchObject({ decision: 'none', by: 'timeout' });
  });

  it('F059 a tool that is set to Deny while it asks is refused, and then hidden from the list', async () => {
    const calling = call('books_remove_from_shelf', { shelf: 'To read', book: 'Middlemarch' });
    await person.question();
    await person.set({ plugin: 'books', tool: 'books.remove_from_shelf', setting: 'deny' });
    expect(await calling).toMatchObject({ isError: true, structuredContent: { code: 'tool-denied', reason: 'policy' } });
    expect((await agent.listTools()).tools.map(({ name }) => name)).not.toContain('books_remove_from_shelf');
    expect(await call('books_remove_from_shelf', { shelf: 'To read', book: 'Middlemarch' })).toMatchObject({ structuredContent: { code: 'tool-denied', reason: 'policy' } });
  });

  it('F070 F073 D28 the book comes off again, once, and the plugin says so', async () => {
    const added = (await rows()).find((row) => row.kind === 'call' && row.undo !== undefined)!;
    expect((await person.undo(added.id)).sentence).toMatch(/CANARY-7f3a/);
    expect(place.note('Shelves/To read.md')).not.toContain('CANARY');
    expect(await person.undo(added.id)).toMatchObject({ code: 'invalid-request' });
  });

  it('F061 F073 a note is edited: the edit is shown, and the undo puts the text back', async () => {
    const before = place.note('Projects/Reading group.md');
    const find = before.split('\n').find((line) => line.length > 20)!;
    const calling = call('vault_edit_note', { note: 'Projects/Reading group.md', edits: [{ find, replace: `${find} CANARY-7f3a` }] });
    expect((await person.question()).preview).toMatchObject({ kind: 'edits', edits: [{ note: 'Projects/Reading group.md' }] });
    await person.answer('allow_once');
    await calling;
    expect(place.note('Projects/Reading group.md')).toContain('CANARY-7f3a');
    const { id } = (await rows()).findLast((row) => row.kind === 'call')!;
    expect((await person.undo(id)).sentence).toBe('Restored the text of “Projects/Reading group.md”.');
    expect(place.note('Projects/Reading group.md')).toBe(before);
  });

  it('D33 B07 no call reaches the hub\'s own folder, and nobody is asked about it', async () => {
    for (const note of ['.obsidian/plugins/model-hub/data.json', 'x/../.obsidian/plugins/model-hub/tool-calls.jsonl', '../state/secrets.json']) {
      expect(await call('vault_edit_note', { note, edits: [{ find: 'a', replace: 'b' }] })).toMatchObject({ structuredContent: { code: 'tool-denied', reason: 'guard' } });
    }
  });

  it('F110 F112 F115 F118 the log has one row for each, in order, and no argument\'s text is anywhere in the folder', async () => {
    const seen = (await rows()).map((row) => `${row.kind} ${row.kind === 'run' ? '' : row.tool} ${row.kind === 'run' ? row.reason : row.outcome}${row.kind === 'call' && row.reason ? ` ${row.reason}` : ''}`);
    expect(seen).toEqual([
      'call books.list_shelves ok', 'call books.add_to_shelf ok', 'call books.add_to_shelf ok', 'call books.add_to_shelf refused user', 'call books.add_to_shelf refused no-answer',
      'call books.remove_from_shelf refused policy', 'call books.remove_from_shelf refused policy', 'undo books.add_to_shelf done', 'undo books.add_to_shelf already_done',
      'call vault.edit_note ok', 'undo vault.edit_note done', 'call vault.edit_note refused guard', 'call vault.edit_note refused guard', 'call vault.edit_note refused guard',
    ]);
    for (const text of ['CANARY', 'Middlemarch', 'Dracula', 'Ulysses']) expect(place.logBytes()).not.toContain(text);
  });

  it('D25 the hash of given arguments can be recomputed, and is that of the row', async () => {
    const { out } = await modelHub(place, 'hash', '{"shelf":"To read","book":"Dracula"}');
    expect((await rows()).find((row): row is Row & CallRow => row.kind === 'call' && row.reason === 'user')?.args).toBe(out.trim());
  });

  it('E02 Ctrl-C ends cleanly, and the log verifies', async () => {
    await agent.close();
    expect(await host.stop('SIGINT')).toBe(0);
    const { code, out } = await modelHub(place, 'verify');
    expect([code, out]).toEqual([0, expect.stringContaining('Green: 15 rows of 1 start')]);
  });
});
