/**
 * The spans of one call, made without the gate, for tests of what is behind it.
 */
import type { HubSpan, HubSpans } from '../../otel/tracing.ts';

export const HASH = `hmac-sha256:${'5'.repeat(64)}`;

export interface CallWords {
  readonly tool?: string;
  readonly effect?: 'read' | 'write';
  readonly run?: string;
  readonly message?: string;
  readonly undo?: string;
  readonly plugin?: string;
  readonly at?: number;
}

/** A call under way, as far as its handler's end. */
export function startCall(spans: HubSpans, { tool = 'books.list_shelves', effect = 'read', run = 'run-1', message, undo, plugin = 'books', at = 1_796_000_000_000_000 }: CallWords = {}): HubSpan {
  const root = spans.start('invoke_agent', 'Claude Code', at);
  const span = spans.start('tool_call', tool, at, root);
  span.set('gen_ai.tool.name', tool);
  span.set('gen_ai.tool.call.id', 'call-1');
  span.set('gen_ai.conversation.id', run);
  span.set('gen_ai.agent.name', 'Claude Code');
  span.set('modelhub.client.kind', 'mcp');
  span.set('modelhub.tool.owner', plugin);
  span.set('modelhub.tool.effect', effect);
  span.set('modelhub.arguments.hash', HASH);
  span.set('modelhub.arguments.size', 2);
  span.set('modelhub.policy.effective', 'allow');
  span.set('modelhub.policy.source', 'builtin');
  const exec = spans.start('execute_tool', tool, at + 100, span);
  exec.set('gen_ai.operation.name', 'execute_tool');
  exec.set('gen_ai.tool.name', tool);
  exec.set('gen_ai.tool.type', 'function');
  exec.set('gen_ai.tool.call.id', 'call-1');
  exec.end(at + 200);
  span.set('modelhub.call.outcome', message === undefined ? 'ok' : 'failed');
  if (message !== undefined) {
    span.set('modelhub.call.code', 'tool-failed');
    span.set('modelhub.local.message', message);
  }
  if (undo !== undefined) span.set('modelhub.local.undo_handle', undo);
  return span;
}
