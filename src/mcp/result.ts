/**
 * What a call comes to on the wire. Text and structured content say the same, word for word: some clients show one, some
 * the other, some both. Structured content is an object always, and no output schema is declared, so that a refusal
 * passes the checks of every client. The handle of an undo is never sent (D28).
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { HubError } from '../core/errors.ts';
import type { CallAnswer } from '../core/types.ts';

const CAN_BE_UNDONE = 'The user can take this back.';

export function answerResult({ result, undo }: CallAnswer): CallToolResult {
  // The plugin's own object may change, or turn into something else as JSON: it is read once.
  const value: unknown = JSON.parse(JSON.stringify(result));
  const note = undo === undefined ? {} : { undo: CAN_BE_UNDONE };
  // A result that has an `undo` of its own keeps it.
  const fits = isObject(value) && !(undo !== undefined && Object.hasOwn(value, 'undo'));
  const content = { ...(fits ? value : { result: value }), ...note };
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}

export function errorResult(error: unknown): CallToolResult {
  const known = error instanceof HubError ? error : new HubError('tool-failed', 'Model Hub itself failed at this call. Please report it.');
  const { code, message, details: { reason } } = known;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { code, message, ...(reason === undefined ? {} : { reason }) },
  };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
