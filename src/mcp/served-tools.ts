/**
 * The tools as MCP clients see them: those that are not denied (D07) and that the host serves (F242), in the order of
 * their names, each with all four hints, because clients take a missing hint for the worst.
 */
import type { Tool } from '@modelcontextprotocol/server';
import type { Hub } from '../core/hub.ts';
import { closed } from '../core/schema.ts';
import type { ToolInfo } from '../core/types.ts';
import { NAME_FAULTS, servedName, titleOf, type NameFault } from './names.ts';

/** A result may have 100 000 characters; one that was cut is a text inside JSON, with its quotes escaped, and the note beside it. */
const MOST_RESULT_CHARS = 250_000;

export interface ServedToolsOptions {
  /** False for tools that are kept from MCP, such as those that read notes: agents read files themselves (F242). */
  readonly served?: (tool: ToolInfo) => boolean;
  /** Told once of each tool that cannot be served under its name. */
  readonly notice?: (text: string) => void;
}

export class ServedTools {
  readonly #hub: Pick<Hub, 'tools' | 'onToolsChanged'>;
  readonly #served: ((tool: ToolInfo) => boolean) | undefined;
  readonly #notice: (text: string) => void;
  readonly #told = new Set<string>();

  constructor(hub: Pick<Hub, 'tools' | 'onToolsChanged'>, options: ServedToolsOptions = {}) {
    this.#hub = hub;
    this.#served = options.served;
    this.#notice = options.notice ?? (() => undefined);
  }

  list(): Tool[] {
    const tools = this.#hub.tools().flatMap((tool) => {
      if (tool.policy.effective === 'deny' || this.#served?.(tool) === false) return [];
      const served = servedName(tool.name);
      if ('name' in served) return [wireTool(tool, served.name)];
      this.#tell(tool.name, served.fault);
      return [];
    });
    return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** False for a tool that is there but kept from MCP: to a client it must not exist. A denied one exists, and is refused. */
  serves(full: string): boolean {
    const tool = this.#served && this.#hub.tools().find(({ name }) => name === full);
    return tool === undefined || this.#served?.(tool) !== false;
  }

  /** Calls back when the list is another one; answers the function that stops it. Changes of one turn are told together. */
  onChange(callback: () => void): () => void {
    let known = JSON.stringify(this.list());
    let due = false;
    let stopped = false;
    const look = (): void => {
      due = false;
      const now = JSON.stringify(this.list());
      if (stopped || now === known) return;
      known = now;
      callback();
    };
    const stop = this.#hub.onToolsChanged(() => {
      if (due) return;
      due = true;
      queueMicrotask(look);
    });
    return () => {
      stopped = true;
      stop();
    };
  }

  #tell(name: string, fault: NameFault): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.#notice(`The tool ${name} is not served over MCP: ${NAME_FAULTS[fault]}.`);
  }
}

function wireTool({ name, description, effect, input, replay, undo }: ToolInfo, served: string): Tool {
  const reads = effect === 'read';
  const title = titleOf(name);
  return {
    name: served,
    title,
    description,
    inputSchema: closed(input) as Tool['inputSchema'],
    annotations: {
      title,
      readOnlyHint: reads,
      // What can be taken back destroys nothing.
      destructiveHint: !reads && undo?.kind !== 'handle',
      idempotentHint: replay === 'safe' || (reads && replay === undefined),
      openWorldHint: false,
    },
    _meta: { 'anthropic/maxResultSizeChars': MOST_RESULT_CHARS },
  };
}
