/**
 * A hub as MCP sees one: tools that answer, questions that the test settles, runs that it can look at. It obeys the gate's
 * promises that MCP relies on: a call of a caller that left, or of a run that ended, never reaches the handler.
 */
import type { CallRequest } from '../../src/core/call.ts';
import { denied, HubError } from '../../src/core/errors.ts';
import type { OpenRunOptions } from '../../src/core/runs.ts';
import type { CallAnswer, Client, RunSnapshot, ToolInfo, Verdict } from '../../src/core/types.ts';
import type { McpHub } from '../../src/mcp/conversation.ts';

export interface FakeTool extends Partial<Omit<ToolInfo, 'name'>> {
  readonly answer?: (input: unknown, signal: AbortSignal | undefined) => CallAnswer | Promise<CallAnswer>;
}

interface Asked { readonly request: CallRequest; readonly allow: () => void; readonly deny: () => void; readonly stop: (error: HubError) => void }

export class FakeMcpHub implements McpHub {
  /** Every call that came, in order. */
  readonly requests: CallRequest[] = [];
  /** Names of the tools whose handler ran. */
  readonly ran: string[] = [];
  readonly opened: { readonly owner: string; readonly client: Client; readonly options: OpenRunOptions | undefined; readonly id: string }[] = [];
  readonly closed: { readonly owner: string; readonly id: string; readonly reason: string }[] = [];
  /** The questions that are open. */
  readonly asked: Asked[] = [];
  /** What the next question is told of its place in the line. */
  position = 0;
  readonly #tools = new Map<string, { readonly info: ToolInfo; readonly answer: NonNullable<FakeTool['answer']> }>();
  readonly #listeners = new Set<() => void>();

  tool(name: string, { answer = () => ({ result: { ok: true }, truncated: false }), ...info }: FakeTool = {}): void {
    this.#tools.set(name, {
      answer,
      info: { name, description: 'Does it.', effect: 'read', input: { type: 'object' }, owner: name.split('.')[0]!, policy: { effective: 'allow', source: 'builtin' }, ...info },
    });
    this.#changed();
  }

  set(name: string, effective: Verdict): void {
    const tool = this.#tools.get(name)!;
    this.tool(name, { ...tool.info, answer: tool.answer, policy: { effective, source: 'tool' } });
  }

  remove(name: string): void {
    this.#tools.delete(name);
    this.#changed();
  }

  tools(): readonly ToolInfo[] {
    return [...this.#tools.values()].map(({ info }) => info);
  }

  onToolsChanged(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  openRun(owner: string, client: Client, options?: OpenRunOptions): RunSnapshot {
    const id = `run-${this.opened.length + 1}`;
    this.opened.push({ owner, client, options, id });
    return { id, owner, spentUsd: 0, undo: [] };
  }

  closeRun(owner: string, id: string, reason: string): void {
    this.closed.push({ owner, id, reason });
    for (const { request, stop } of [...this.asked]) if (request.run === id) stop(new HubError('aborted', 'The run of this call was ended.'));
  }

  async call(request: CallRequest): Promise<CallAnswer> {
    this.requests.push(request);
    const tool = this.#tools.get(request.tool);
    if (!tool) throw new HubError('tool-unknown', 'Nobody registered a tool of this name. List the tools to see those there are.');
    if (tool.info.policy.effective === 'deny') throw denied('policy', 'Not allowed. You set this tool to Deny.');
    if (tool.info.policy.effective === 'ask') await this.#ask(request);
    this.ran.push(request.tool);
    return tool.answer(request.input, request.signal);
  }

  #ask(request: CallRequest): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const settle = (end: () => void): void => {
        const at = this.asked.indexOf(asked);
        if (at === -1) return;
        this.asked.splice(at, 1);
        request.onAnswered?.();
        end();
      };
      const asked: Asked = {
        request,
        allow: () => settle(resolve),
        deny: () => settle(() => reject(denied('user', 'The user declined this call.'))),
        stop: (error) => settle(() => reject(error)),
      };
      this.asked.push(asked);
      request.onWaiting?.({ position: this.position, timeoutSeconds: 120 });
      request.signal?.addEventListener('abort', () => asked.stop(new HubError('aborted', 'The caller stopped the call.')), { once: true });
    });
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
