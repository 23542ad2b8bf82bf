/**
 * One conversation with an MCP client, which is one run (F243). The run is opened at the first call, not at the greeting:
 * clients greet at each start and each look at their health, and a run without a call is a row that says nothing.
 *
 * A conversation over HTTP has no end that can be relied upon, so silence ends it: 30 minutes with nothing open.
 */
import { HubError } from '../core/errors.ts';
import type { Hub } from '../core/hub.ts';
import type { Clock } from '../core/ports.ts';

/** How long a conversation may have nothing open before it has ended. */
export const IDLE_MS = 30 * 60_000;
/** Conversations of one kind at once. Over it, the one that has been idle longest makes room. */
export const MOST_CONVERSATIONS = 200;

/** What MCP needs of the hub. */
export type McpHub = Pick<Hub, 'call' | 'openRun' | 'closeRun' | 'tools' | 'onToolsChanged'>;

export type ConversationEnd = 'session_closed' | 'idle' | 'shutdown';

export interface ConversationParts {
  readonly hub: McpHub;
  readonly clock: Clock;
  readonly transport: 'tcp' | 'pipe';
  /** The session of the protocol, where there is one. */
  readonly sessionId?: string;
  /** Without it, silence ends nothing: the conversation ends with its pipe. */
  readonly idleMs?: number;
  /** Called once, when the run has been closed. */
  readonly onEnd?: (reason: ConversationEnd) => void;
}

export class Conversation {
  /** Whose runs its calls may use: nobody else's. */
  readonly owner: string;
  readonly transport: 'tcp' | 'pipe';
  readonly #parts: ConversationParts;
  #run: string | undefined;
  #open = 0;
  #cancelTimer: () => void = () => undefined;
  #ended = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.owner = `mcp:${parts.sessionId ?? crypto.randomUUID()}`;
    this.transport = parts.transport;
    this.#wait();
  }

  /** True while nothing is open. */
  get idle(): boolean {
    return this.#open === 0;
  }

  /** Something is open, a call or a stream. Answers the function that says that it is over; calling it again does nothing. */
  hold(): () => void {
    this.#cancelTimer();
    this.#open++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#open--;
      this.#wait();
    };
  }

  /** The run's id; the first call opens it. Throws what `openRun` throws, and `aborted` if the conversation ended before it. */
  run(clientName: string, protocolVersion: string | undefined): string {
    const { hub, sessionId } = this.#parts;
    // A run opened now would never be closed.
    if (this.#ended && this.#run === undefined) throw new HubError('aborted', 'The session of this call has ended. Begin a new one.');
    this.#run ??= hub.openRun(this.owner, { kind: 'mcp', name: clientName }, {
      mcp: { ...(sessionId === undefined ? {} : { sessionId }), ...(protocolVersion === undefined ? {} : { protocolVersion }) },
    }).id;
    return this.#run;
  }

  /** Closes the run; its calls in flight end as aborted. */
  end(reason: ConversationEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer();
    if (this.#run !== undefined) this.#parts.hub.closeRun(this.owner, this.#run, reason);
    this.#parts.onEnd?.(reason);
  }

  #wait(): void {
    const { idleMs, clock } = this.#parts;
    if (idleMs === undefined || this.#ended || this.#open > 0) return;
    this.#cancelTimer = clock.after(idleMs, () => this.end('idle'));
  }
}

/** Ends the first that is idle, of those given in the order of their last use. False if none is. */
export function endOneIdle(conversations: Iterable<Conversation>): boolean {
  for (const conversation of conversations) {
    if (!conversation.idle) continue;
    conversation.end('idle');
    return true;
  }
  return false;
}
