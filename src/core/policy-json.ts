/**
 * The policies as `data.json` holds them. Read with care: the file is edited by people and carried by sync services, and
 * a mistake in it must not open anything.
 */
import type { PluginPolicy, PolicySettings } from './ports.ts';
import type { Setting } from './types.ts';

type JsonObject = { readonly [key: string]: unknown };

/** The parts of `data.json` that policies are kept in. */
export interface PolicyJson {
  readonly version: 1;
  readonly mcpRunGrants: boolean;
  readonly plugins: { readonly [id: string]: { readonly setting: Setting; readonly tools: { readonly [name: string]: Setting } } };
}

export function policyToJson({ mcpRunGrants, plugins }: PolicySettings): PolicyJson {
  return { version: 1, mcpRunGrants, plugins: Object.fromEntries([...plugins].map(([id, { setting, tools }]) => [id, { setting, tools: Object.fromEntries(tools) }])) };
}

/** Throws a `SyntaxError` where the shape is another one: what it was meant to deny cannot be known. */
export function policyFromJson(found: unknown): PolicySettings {
  const { plugins = {}, mcpRunGrants } = objectIn(found);
  return { plugins: new Map(Object.entries(objectIn(plugins)).map(([id, value]) => [id, readPlugin(value)])), mcpRunGrants: mcpRunGrants === true };
}

/** What `ours` changed since `base`, put into `theirs`: what somebody else wrote meanwhile stays, but for what was changed on both sides. */
export function mergePolicies(base: PolicySettings, ours: PolicySettings, theirs: PolicySettings): PolicySettings {
  const plugins = mergeMaps(base.plugins, ours.plugins, theirs.plugins, NO_POLICY, (was, is, other) => ({
    setting: is.setting === was.setting ? other.setting : is.setting,
    tools: mergeMaps(was.tools, is.tools, other.tools, 'default', (before, now, elsewhere) => (now === before ? elsewhere : now)),
  }));
  return { plugins, mcpRunGrants: ours.mcpRunGrants === base.mcpRunGrants ? theirs.mcpRunGrants : ours.mcpRunGrants };
}

const NO_POLICY: PluginPolicy = { setting: 'default', tools: new Map() };

function mergeMaps<Value>(
  base: ReadonlyMap<string, Value>, ours: ReadonlyMap<string, Value>, theirs: ReadonlyMap<string, Value>, none: Value, merge: (base: Value, ours: Value, theirs: Value) => Value,
): ReadonlyMap<string, Value> {
  const merged = new Map<string, Value>();
  for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
    const [was, is] = [base.get(key), ours.get(key)];
    if (was !== undefined && is === undefined) continue; // taken out here
    merged.set(key, merge(was ?? none, is ?? none, theirs.get(key) ?? none));
  }
  return merged;
}

/** A plugin may be written as its setting alone. */
function readPlugin(value: unknown): PluginPolicy {
  if (!isObject(value)) return { setting: readSetting(value), tools: new Map() };
  const { setting, tools = {} } = value;
  return { setting: readSetting(setting), tools: new Map(Object.entries(objectIn(tools)).map(([name, tool]) => [name, readSetting(tool)])) };
}

/** A word that is no setting asks: a typing error in the file must not open anything. */
function readSetting(value: unknown): Setting {
  if (value === undefined) return 'default';
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === 'allow' || word === 'ask' || word === 'deny' || word === 'default' ? word : 'ask';
}

/** The settings as an object. Throws a `SyntaxError` if they are none. */
export function objectIn(value: unknown): JsonObject {
  if (!isObject(value)) throw new SyntaxError('The settings are not as they should be.');
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
