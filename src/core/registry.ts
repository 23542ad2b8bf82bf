/**
 * Who registered which tools. A plugin's tools are replaced as one set or not at all; a namespace belongs to the first
 * plugin that used it, across restarts (F006–F012, F174–F199).
 */
import { HubError } from './errors.ts';
import type { NamespaceStore } from './ports.ts';
import { InputCheck, readSchema } from './schema.ts';
import type { Description, Effect, HubTool, InputSchema, ToolContext, UndoDeclaration, UndoFunction } from './types.ts';

/** First a letter, then letters, digits and hyphens; a dot; first a letter, then letters, digits and underscores (F006–F009). */
const NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9_]*$/;
/** Most characters of a full name (D26). */
export const NAME_LIMIT = 64;

export interface Plugin {
  readonly id: string;
  /** As people know it. */
  readonly name: string;
}

/** A reason to refuse a call of the hub's own tools whatever the settings say, judged before anybody is asked; `undefined` if there is none. */
export type Guard = (input: unknown) => string | undefined | Promise<string | undefined>;

/** A tool as it was when it was registered: the plugin's own object is not looked at again. */
export interface RegisteredTool {
  readonly name: string;
  readonly plugin: Plugin;
  readonly description: string;
  readonly effect: Effect;
  readonly input: InputSchema;
  readonly check: InputCheck;
  readonly handler: (input: unknown, ctx: ToolContext) => Promise<unknown>;
  readonly replay?: 'safe' | 'unsafe';
  readonly undo?: UndoDeclaration;
  readonly undoHandle?: (result: unknown) => string | null;
  readonly describe?: (input: unknown, ctx: ToolContext) => Description | Promise<Description>;
  readonly guard?: Guard;
}

export interface RegisterOptions {
  readonly undo?: UndoFunction;
  /** Guards by tool name, for the hub's own tools. */
  readonly guards?: ReadonlyMap<string, Guard>;
}

interface PluginEntry {
  readonly plugin: Plugin;
  readonly tools: readonly RegisteredTool[];
  readonly undo?: UndoFunction;
}

export class Registry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #plugins = new Map<string, PluginEntry>();
  readonly #namespaces: Map<string, string>;
  /** Plugins that have registered since the start, also those that are gone. */
  readonly #names = new Map<string, string>();
  readonly #store: NamespaceStore;
  readonly #changed: () => void;

  constructor(store: NamespaceStore, changed: () => void) {
    this.#store = store;
    this.#namespaces = new Map(store.load());
    this.#changed = changed;
  }

  /** Throws `invalid-request` for a bad tool and `tool-name-taken` for a namespace of another plugin; then nothing has changed. */
  register(plugin: Plugin, tools: readonly HubTool[], options: RegisterOptions = {}): void {
    if (!Array.isArray(tools)) throw new HubError('invalid-request', 'registerTools takes a list of tools.');
    if (options.undo !== undefined && typeof options.undo !== 'function') throw new HubError('invalid-request', 'The undo option of registerTools must be a function.');
    const read = tools.map((tool) => readTool(plugin, tool as HubTool, options.guards));
    const names = new Set<string>();
    for (const { name } of read) {
      const owner = this.#namespaces.get(namespaceOf(name));
      if (owner !== undefined && owner !== plugin.id) {
        throw new HubError('tool-name-taken', `The namespace "${namespaceOf(name)}" belongs to the plugin ${owner}. Choose another one.`, { details: { namespace: namespaceOf(name), owner } });
      }
      if (names.has(name)) throw new HubError('invalid-request', `The tool ${name} is named twice in one registration.`);
      names.add(name);
    }

    this.#drop(plugin.id);
    this.#names.set(plugin.id, plugin.name);
    let claimed = false;
    for (const tool of read) {
      this.#tools.set(tool.name, tool);
      if (!this.#namespaces.has(namespaceOf(tool.name))) {
        this.#namespaces.set(namespaceOf(tool.name), plugin.id);
        claimed = true;
      }
    }
    this.#plugins.set(plugin.id, { plugin, tools: Object.freeze(read), ...(options.undo ? { undo: options.undo } : {}) });
    if (claimed) this.#store.save(this.#namespaces);
    this.#changed();
  }

  /** Takes a plugin's tools and its undo function away; its namespaces stay its own. */
  unregister(pluginId: string): void {
    if (this.#drop(pluginId)) this.#changed();
  }

  /** Who owns which namespace, whether its plugin is there or not. */
  namespaces(): ReadonlyMap<string, string> {
    return this.#namespaces;
  }

  /** Frees a plugin's namespaces for whoever comes next (D29). Throws `invalid-request` while it has tools: they would go on under names that are anybody's. */
  forgetNamespaces(pluginId: string): void {
    if (this.#plugins.has(pluginId)) throw new HubError('invalid-request', 'A plugin that has tools keeps its namespaces. Uninstall it first.');
    for (const [namespace, owner] of this.#namespaces) if (owner === pluginId) this.#namespaces.delete(namespace);
    this.#store.save(this.#namespaces);
    this.#changed();
  }

  find(name: unknown): RegisteredTool | undefined {
    return typeof name === 'string' ? this.#tools.get(name) : undefined;
  }

  /** All tools by name, in the order of their names. */
  list(): readonly RegisteredTool[] {
    return [...this.#tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A plugin as people know it; its id if it was not there since the start. */
  nameOf(pluginId: string): string {
    return this.#names.get(pluginId) ?? pluginId;
  }

  /** The plugin's undo function as it is registered now. */
  undoOf(pluginId: string): UndoFunction | undefined {
    return this.#plugins.get(pluginId)?.undo;
  }

  #drop(pluginId: string): boolean {
    const entry = this.#plugins.get(pluginId);
    if (!entry) return false;
    for (const tool of entry.tools) this.#tools.delete(tool.name);
    return this.#plugins.delete(pluginId);
  }
}

/** The name if it is one that a tool may have, otherwise a placeholder: what callers write may hold anything. */
export function printableName(name: unknown): string {
  return isToolName(name) ? name : '(no tool name)';
}

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= NAME_LIMIT && NAME.test(name);
}

function namespaceOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

function readTool(plugin: Plugin, tool: HubTool, guards: ReadonlyMap<string, Guard> | undefined): RegisteredTool {
  if (typeof tool !== 'object' || tool === null) throw new HubError('invalid-request', 'A tool must be an object.');
  const { name, description, effect, input, handler, replay, undo, undoHandle, describe } = tool;
  if (!isToolName(name)) {
    throw new HubError('invalid-request', `A tool name must be lower-case namespace.name, at most ${NAME_LIMIT} characters: a letter, then letters, digits and hyphens; a dot; a letter, then letters, digits and underscores.`);
  }
  const fault = (what: string): HubError => new HubError('invalid-request', `The tool ${name} cannot be registered: ${what}.`);
  if (typeof description !== 'string' || description.trim() === '') throw fault('it needs a description');
  if (effect !== 'read' && effect !== 'write') throw fault('its effect must be "read" or "write"');
  if (typeof handler !== 'function') throw fault('its handler must be a function');
  if (replay !== undefined && replay !== 'safe' && replay !== 'unsafe') throw fault('its replay must be "safe" or "unsafe"');
  if (undoHandle !== undefined && typeof undoHandle !== 'function') throw fault('its undoHandle must be a function');
  if (describe !== undefined && typeof describe !== 'function') throw fault('its describe must be a function');
  const declared = undo === undefined ? undefined : readUndo(undo, fault);
  if (declared && effect === 'read') throw fault('a read has no undo');
  if (declared?.kind === 'handle' && !undoHandle) throw fault('an undo of the kind "handle" needs undoHandle');
  const guard = guards?.get(name);
  const schema = readSchema(input, name);
  return Object.freeze({
    name,
    plugin,
    description,
    effect,
    input: schema,
    check: new InputCheck(schema),
    // Called on the tool that the plugin handed in: its methods may use `this`.
    handler: (value: unknown, ctx: ToolContext) => handler.call(tool, value, ctx),
    ...(replay ? { replay } : {}),
    ...(declared ? { undo: declared } : {}),
    ...(undoHandle ? { undoHandle: (result: unknown) => undoHandle.call(tool, result) } : {}),
    ...(describe ? { describe: (value: unknown, ctx: ToolContext) => describe.call(tool, value, ctx) } : {}),
    ...(guard ? { guard } : {}),
  });
}

function readUndo(undo: unknown, fault: (what: string) => HubError): UndoDeclaration {
  const { kind, reason } = (undo ?? {}) as { kind?: unknown; reason?: unknown };
  if (kind === 'handle') return Object.freeze({ kind });
  if (kind === 'none' && typeof reason === 'string' && reason.trim() !== '') return Object.freeze({ kind, reason });
  throw fault('its undo must be { kind: "handle" }, or { kind: "none" } with a reason in words');
}
