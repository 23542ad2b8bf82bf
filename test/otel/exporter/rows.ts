/** Rows for tests of sending: whole ones, as the hub writes them, by their number. */
import type { CallRow, Row } from '../../../otel/row.ts';
import { isoMicros } from '../../../otel/text.ts';

export const START = Date.parse('2026-11-30T12:00:00Z') * 1_000;

export function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0');
}

/** A call of a run of its own: three spans. */
export function callRow(n: number, more: Partial<CallRow & Row> = {}): CallRow & Row {
  return {
    v: 1, kind: 'call', id: hex(n * 16 + 1, 16), trace: hex(n, 32), time: isoMicros(START + n * 1_000), run: `run-${n}`, client: { kind: 'mcp', name: 'Claude Code' },
    single: true, plugin: 'books', tool: 'books.list', effect: 'read', replay: 'safe', args: `hmac-sha256:${'5'.repeat(64)}`, size: 2,
    policy: { effective: 'allow', source: 'builtin' }, outcome: 'ok', chars: 2,
    spans: { run: hex(n * 16 + 2, 16), exec: hex(n * 16 + 3, 16) }, us: { exec: [100, 200], end: 300 }, w: 'w1', n, ...more,
  };
}

/** A call with everything a row can hold. */
export function fullRow(n: number, more: Partial<CallRow & Row> = {}): CallRow & Row {
  return callRow(n, {
    effect: 'write', message: 'The shelf is gone.', undo: 'handle-7', approval: { id: 'q-1', decision: 'allow_once', by: 'dialog', granularity: 'once', limitS: 300, position: 0, preview: 'edits' },
    grant: 'q-0', granted: { trace: hex(7, 32), span: hex(7, 16) }, caller: { trace: hex(8, 32), span: hex(8, 16) }, wire: { id: '7', transport: 'tcp' },
    spans: { run: hex(n * 16 + 2, 16), wait: hex(n * 16 + 4, 16), exec: hex(n * 16 + 3, 16) }, us: { wait: [10, 20, 30], exec: [100, 200], end: 300 }, ...more,
  });
}

export function lineOf(row: object): string {
  return `${JSON.stringify(row)}\n`;
}
