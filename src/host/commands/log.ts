/**
 * `model-hub log`: the calls and undos of a vault, as a table or as rows.
 */
import type { Row } from '../../../otel/row.ts';
import { LogReader } from '../../../otel/log-reader.ts';
import { LogFiles } from '../../node/log/log-files.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';
import { columns } from './columns.ts';

const SHOWN = 20;

export async function logCommand({ vault, state, filter, last, json }: CommandLine, print: (text: string) => void): Promise<void> {
  const reader = new LogReader(new LogFiles(findPlaces({ vault, state }).hubFolder));
  const asked = Object.keys(filter).length > 0;
  const { rows, damaged, torn, unknown } = await reader.read(filter);
  const shown = last === undefined && asked ? rows : rows.slice(-(last ?? SHOWN));
  if (json) {
    for (const row of shown) print(JSON.stringify(row));
    return;
  }
  if (shown.length === 0) print('No call yet that fits.');
  else print(columns(['TIME', 'WHO', 'TOOL', 'OUTCOME', 'WHY', 'WAITED', 'RAN', 'ID'], shown.map(cells)));
  if (shown.length < rows.length) print(`The last ${shown.length} of ${rows.length}; --last N shows more.`);
  if (damaged + torn + unknown > 0) print(`Lines that could not be read: ${damaged + unknown} damaged, ${torn} half-written. model-hub verify says more.`);
}

function cells(row: Row): readonly string[] {
  const time = row.time.slice(0, 19).replace('T', ' ');
  const who = `${row.client.name} (${row.client.kind})`;
  if (row.kind === 'run') return [time, who, '', row.reason, '', '', '', row.id];
  const what = row.kind === 'undo' ? `undo ${row.tool}` : row.tool;
  const why = [row.reason ?? row.code, row.message].filter(Boolean).join(': ');
  const waited = row.kind === 'call' ? millis(row.waitMs) : '';
  return [time, who, what, row.outcome, why === '' ? decided(row) : why, waited, millis(row.ms), row.id];
}

/** What let a call through that went well. */
function decided(row: Row): string {
  if (row.kind !== 'call') return '';
  if (row.approval) return `${row.approval.decision} by ${row.approval.by}`;
  return row.grant === undefined ? '' : `granted by ${row.grant.slice(0, 8)}`;
}

function millis(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}
