/** What people are shown of the hub: settings and rows as plain data. Undo handles stay here (D28), and so do secrets. */
import type { ExportState } from '../../otel/exporter/exporter.ts';
import type { TraceSettings } from '../../otel/exporter/settings.ts';
import type { RowBody } from '../../otel/row.ts';
import { TRACE_URLS, traceUrl } from '../../otel/trace-url.ts';
import type { PolicySettings } from '../core/ports.ts';
import type { ToolInfo } from '../core/types.ts';
import type { ShownRow } from '../../views/calls.ts';
import type { PluginLine, ToolLine, ToolsData } from '../../views/tools-settings.ts';
import type { TracesData } from '../../views/traces-settings.ts';

/** The plugin's name as people know it, from its id. */
export type PluginName = (id: string) => string;

/** Plugins in the order of their names, each with its tools. */
export function toolsData(tools: readonly ToolInfo[], settings: PolicySettings, pluginName: PluginName): ToolsData {
  const byOwner = new Map<string, ToolLine[]>();
  for (const { name, description, effect, owner, policy } of tools) {
    const lines = byOwner.get(owner) ?? [];
    byOwner.set(owner, lines);
    lines.push({ name, description, effect, policy, setting: settings.plugins.get(owner)?.tools.get(name) ?? 'default' });
  }
  const plugins = [...byOwner].map(([id, lines]): PluginLine => ({ id, name: pluginName(id), setting: settings.plugins.get(id)?.setting ?? 'default', tools: lines }));
  return { plugins: plugins.sort((a, b) => a.name.localeCompare(b.name)), mcpRunGrants: settings.mcpRunGrants };
}

export interface ShownWith {
  readonly undoable: ReadonlySet<string>;
  readonly pluginName: PluginName;
  /** The template of a trace's address; empty for none (E01). */
  readonly traceUrl: string;
}

/** Rows as they are shown. Rows about runs are left out. */
export function shownRows(rows: readonly RowBody[], { undoable, pluginName, traceUrl: template }: ShownWith): readonly ShownRow[] {
  return rows.flatMap((row): ShownRow[] => {
    if (row.kind === 'run') return [];
    const { id, trace, time, client, tool } = row;
    const address = traceUrl(template, row);
    const shared = {
      id, trace, time, client, tool,
      ...(row.plugin === undefined ? {} : { pluginName: pluginName(row.plugin) }),
      ...(row.message === undefined ? {} : { message: row.message }),
      ...(row.ms === undefined ? {} : { ms: row.ms }),
      ...(address === undefined ? {} : { traceUrl: address }),
    };
    if (row.kind === 'undo') return [{ kind: 'undo', ...shared, outcome: row.outcome, of: row.of, ms: row.ms }];
    const { outcome, reason, policy, approval, waitMs } = row;
    return [{
      kind: 'call', ...shared, outcome, canUndo: undoable.has(id),
      ...(reason === undefined ? {} : { reason }), ...(policy === undefined ? {} : { policy }),
      ...(approval === undefined ? {} : { approval }), ...(waitMs === undefined ? {} : { waitMs }),
    }];
  });
}

/** The address that every collector has unless it was given another. */
const USUAL_ENDPOINT = 'http://localhost:4318';

/** `secrets`: names, each with the origin that it is for. */
export function tracesData(settings: TraceSettings, secrets: readonly (readonly [name: string, origin: string])[], state: ExportState): TracesData {
  return {
    settings, state,
    secrets: secrets.map(([name, origin]) => ({ name, origin })),
    examples: { endpoint: USUAL_ENDPOINT, traceUrls: Object.entries(TRACE_URLS).map(([name, template]) => ({ name, template })) },
  };
}
