/** Questions and rows as tests show them. */
import type { Question } from '../../src/core/questions.ts';
import type { ShownRow } from '../../views/calls.ts';
import type { ToolsData } from '../../views/tools-settings.ts';

export const HASH = `hmac-sha256:${'0f1e2d3c'.repeat(8)}`;

export function question(more: Partial<Question> = {}): Question {
  return {
    id: 'q-1', run: 'run-7f3a', client: { kind: 'mcp', name: 'Claude Code' }, plugin: 'Books', tool: 'books.add_to_shelf',
    description: 'Adds a book to a shelf.', effect: 'write', arguments: '{"book":"The Left Hand of Darkness","shelf":"To read"}', hash: HASH,
    preview: { kind: 'arguments' }, undo: { possible: true }, why: 'Writes ask unless you set otherwise.', choices: ['deny', 'allow_once', 'allow_run'],
    spentUsdMicros: 0, timeoutSeconds: 120, remainingMs: 120_000, waiting: 0, ...more,
  };
}

export const TOOLS: ToolsData = {
  mcpRunGrants: false,
  plugins: [
    { id: 'books', name: 'Books', setting: 'default', tools: [
      { name: 'books.add_to_shelf', description: 'Adds a book to a shelf.', effect: 'write', setting: 'default', policy: { effective: 'ask', source: 'builtin' } },
      { name: 'books.list_shelves', description: 'Lists the shelves and how many books each holds.', effect: 'read', setting: 'default', policy: { effective: 'allow', source: 'builtin' } },
      { name: 'books.remove_from_shelf', description: 'Takes a book off its shelf.', effect: 'write', setting: 'deny', policy: { effective: 'deny', source: 'tool' } },
    ] },
    { id: 'model-hub', name: 'Model Hub', setting: 'ask', tools: [
      { name: 'vault.edit_note', description: 'Replaces passages of a note.', effect: 'write', setting: 'default', policy: { effective: 'ask', source: 'plugin' } },
    ] },
  ],
};

const shared = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', client: { kind: 'mcp', name: 'Claude Code' }, pluginName: 'Books' } as const;

export const ROWS: readonly ShownRow[] = [
  { ...shared, kind: 'undo', id: 'u1', time: '2026-11-30T12:04:10.000000Z', tool: 'books.add_to_shelf', outcome: 'done', of: 'c5', ms: 4 },
  { ...shared, kind: 'call', id: 'c7', time: '2026-11-30T12:03:10.000000Z', tool: 'books.add_to_shelf', outcome: 'ok', canUndo: true, policy: { effective: 'ask', source: 'builtin' }, approval: { id: 'a', decision: 'allow_once', by: 'dialog' }, waitMs: 8421, ms: 12.4 },
  { ...shared, kind: 'call', id: 'c6', time: '2026-11-30T12:02:10.000000Z', tool: 'vault.edit_note', pluginName: 'Model Hub', outcome: 'refused', canUndo: false, reason: 'user', policy: { effective: 'ask', source: 'builtin' }, waitMs: 3010 },
  { ...shared, kind: 'call', id: 'c5', time: '2026-11-30T12:01:40.000000Z', tool: 'books.add_to_shelf', outcome: 'ok', canUndo: false, policy: { effective: 'allow', source: 'grant' }, ms: 9 },
  { ...shared, kind: 'call', id: 'c4', time: '2026-11-30T12:01:10.000000Z', tool: 'books.list_shelves', outcome: 'empty', canUndo: false, policy: { effective: 'allow', source: 'builtin' }, ms: 2.31 },
  { ...shared, kind: 'call', id: 'c3', time: '2026-11-30T12:00:50.000000Z', tool: 'books.add_to_shelf', outcome: 'invalid', canUndo: false, message: 'The arguments do not fit: "shelf" is missing.' },
  { ...shared, kind: 'call', id: 'c2', time: '2026-11-30T12:00:40.000000Z', tool: 'books.remove_from_shelf', outcome: 'refused', canUndo: false, reason: 'policy', policy: { effective: 'deny', source: 'tool' } },
  { ...shared, kind: 'call', id: 'c1', time: '2026-11-30T12:00:10.000000Z', tool: 'books.list_shelves', outcome: 'timeout', canUndo: false, message: 'The tool did not finish within 60 seconds.', ms: 60_000 },
];
