/** What the page is shown of rows: each with the address of its trace, where the user has set one. */
import { describe, expect, it } from 'vitest';
import type { RowBody } from '../../otel/row.ts';
import { TRACE_URLS } from '../../otel/trace-url.ts';
import { shownRows } from '../../src/shown/data.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const shared = { v: 1, trace: TRACE, time: '2026-11-30T12:00:00.000000Z', run: 'r', client: { kind: 'mcp', name: 'Claude Code' }, plugin: 'books', tool: 'books.list' } as const;
const ROWS = [
  { ...shared, kind: 'undo', id: '00f067aa0ba902b8', outcome: 'done', of: '00f067aa0ba902b7', trigger: 'view', ms: 4, spans: { run: '00f067aa0ba902b6' }, us: { end: 4 } },
  { ...shared, kind: 'call', id: '00f067aa0ba902b7', single: true, outcome: 'ok', spans: { run: '00f067aa0ba902b6' }, us: { end: 4 } },
] as readonly RowBody[];

const addresses = (traceUrl: string): (string | undefined)[] => shownRows(ROWS, { undoable: new Set(), pluginName: (id) => id, traceUrl }).map((row) => row.traceUrl);

describe('rows on the page', () => {
  it('E01 each call and undo has the address of its own span, from the template', () => {
    expect(addresses(TRACE_URLS.Jaeger)).toEqual([`http://localhost:16686/trace/${TRACE}?uiFind=00f067aa0ba902b8`, `http://localhost:16686/trace/${TRACE}?uiFind=00f067aa0ba902b7`]);
  });

  it.each(['', 'javascript:alert(1)//{trace}', 'http://localhost:16686/'])('E01 none has an address from the template "%s"', (template) => {
    expect(addresses(template)).toEqual([undefined, undefined]);
  });
});
