/**
 * The hub as one plugin holds it: every call names that plugin as owner, and after the plugin or the hub has gone every
 * call answers `hub-gone` (D21). This names callers, it does not authenticate them: plugins share one process.
 */
import { denied, HubError, hubGone } from '../core/errors.ts';
import type { Hub } from '../core/hub.ts';
import type { Plugin } from '../core/registry.ts';
import type { Client, HubApi, ToolCallFilter } from '../core/types.ts';

/** Grows with each addition: `replay` and `undo` on tools came with 0.9 (F171). */
export const API_VERSION = '0.9.0';

export interface PluginHub {
  readonly api: HubApi;
  /** From now on every call answers an error that `gone` makes, with the code `hub-gone`. */
  revoke(gone?: () => HubError): void;
}

export function hubForPlugin(hub: Hub, plugin: Plugin): PluginHub {
  let revoked: (() => HubError) | undefined;
  const listening = new Set<() => void>();
  const client: Client = Object.freeze({ kind: 'plugin', name: plugin.id });
  const enter = (owner: unknown): void => {
    if (revoked) throw revoked();
    if (owner !== plugin.id) throw new HubError('invalid-request', `This hub was given to the plugin ${plugin.id}. Pass that id as owner.`);
  };
  const api: HubApi = {
    apiVersion: API_VERSION,
    registerTools(owner, tools, options) {
      enter(owner);
      const { undo } = given(options, 'options of registerTools');
      hub.register(plugin, tools, undo ? { undo } : {});
    },
    unregisterTools(owner) {
      enter(owner);
      hub.unregister(plugin.id);
    },
    async callTool(owner, name, input, options) {
      enter(owner);
      const { run, signal } = given(options, 'options of callTool');
      if (signal !== undefined && !isSignal(signal)) throw new HubError('invalid-request', 'The signal of callTool must be an AbortSignal.');
      return hub.call({ owner: plugin.id, client, tool: name, input, ...(run === undefined ? {} : { run }), ...(signal ? { signal } : {}) });
    },
    tools() {
      enter(plugin.id);
      return hub.tools();
    },
    onToolsChanged(callback) {
      enter(plugin.id);
      if (typeof callback !== 'function') throw new HubError('invalid-request', 'onToolsChanged takes a function.');
      const stop = hub.onToolsChanged(callback);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    },
    startRun(owner, options) {
      enter(owner);
      const { tools, budgetUsd } = given(options, 'options of startRun');
      return hub.openRun(plugin.id, client, { ...(tools === undefined ? {} : { tools }), ...(budgetUsd === undefined ? {} : { budgetUsd }) });
    },
    endRun(owner, id) {
      enter(owner);
      hub.closeRun(plugin.id, id, 'ended');
    },
    run(owner, id) {
      enter(owner);
      return hub.run(plugin.id, id);
    },
    async undo(owner, handle) {
      enter(owner);
      return hub.undo(plugin.id, handle);
    },
    async toolCalls(filter) {
      enter(plugin.id);
      const read = readFilter(given(filter, 'filter of toolCalls'));
      const rows = await hub.read(read).catch(() => {
        throw denied('log', 'The log cannot be read. Let Model Hub read its folder, then try again.'); // the system's own words name it
      });
      return rows.filter((row) => row.kind !== 'run');
    },
  };
  return {
    api: Object.freeze(api),
    revoke: (gone = hubGone) => {
      revoked = gone;
      for (const stop of listening) stop();
    },
  };
}

/** What was given, or nothing. Plugins are written in JavaScript too: what is no object has to be said in the hub's own words. */
function given<T extends object>(options: T | undefined, what: string): Partial<T> {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw new HubError('invalid-request', `The ${what} must be an object, or left out.`);
  return options;
}

/** By its parts, since each window has a class of its own. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

const FILTER_KEYS: readonly (keyof ToolCallFilter)[] = ['run', 'plugin', 'tool', 'since', 'until'];

/** A copy with the known keys. Throws `invalid-request` for a value that is no text, or a time that is none: silence would answer with the wrong rows. */
function readFilter(filter: ToolCallFilter): ToolCallFilter {
  const read: { -readonly [K in keyof ToolCallFilter]: string } = {};
  for (const key of FILTER_KEYS) {
    const value: unknown = filter[key];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new HubError('invalid-request', `The filter's ${key} must be a text.`);
    if ((key === 'since' || key === 'until') && Number.isNaN(Date.parse(value))) throw new HubError('invalid-request', `The filter's ${key} must be a time such as 2026-11-30T12:00:00Z.`);
    read[key] = value;
  }
  return read;
}
