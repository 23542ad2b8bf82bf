/**
 * What the gate is measured against: its floor written out, the MCP SDK's own round trip in memory, and the AI SDK's tool
 * loop with telemetry. All do the same read with the same five fields, and keep what they record on disk where they keep
 * anything.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { mkdtempSync, openSync, rmSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT_CONTEXT, trace, type Span } from '@opentelemetry/api';
import { AlwaysOnSampler, BasicTracerProvider, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { Ajv } from 'ajv';
import canonicalize from 'canonicalize';
import { LogProcessor } from '../otel/log-processor.ts';
import { Monitor } from '../otel/monitor.ts';
import { createTracing } from '../otel/tracing.ts';
import { Hub } from '../src/core/hub.ts';
import type { CallLog } from '../src/core/ports.ts';
import { SystemClock } from '../src/node/clock.ts';
import { LogFiles } from '../src/node/log/log-files.ts';
import { NodeCrypto } from '../src/node/node-crypto.ts';
import { MemoryJournal, MemoryNamespaces, MemorySettings } from '../test/fakes/stores.ts';
import type { Subject } from './measure.ts';

export const SCHEMA = {
  type: 'object',
  properties: { shelf: { type: 'string' }, query: { type: 'string' }, limit: { type: 'integer', minimum: 1 }, offset: { type: 'integer' }, sort: { type: 'string', enum: ['title', 'added'] } },
  required: ['shelf', 'limit'],
} as const;
const INPUT = { shelf: 'To read', query: 'Austen', limit: 20, offset: 0, sort: 'title' };
const RESULT = { shelf: 'To read', books: ['Emma', 'Persuasion', 'Mansfield Park'] };
const handler = (): Promise<typeof RESULT> => Promise.resolve(RESULT);
const KEY = 'ab'.repeat(32);

/** How the units of a round follow each other. */
export const SHAPES = ['sequential', '64 at once'] as const;
export type Shape = (typeof SHAPES)[number];

/** Runs `one` `count` times, one after another or 64 at a time. */
async function repeat(shape: Shape, count: number, one: () => Promise<unknown>): Promise<void> {
  if (shape === 'sequential') {
    for (let i = 0; i < count; i++) await one();
    return;
  }
  for (let i = 0; i < count; i += 64) await Promise.all(Array.from({ length: Math.min(64, count - i) }, one));
}

/** The gate as the host puts it together: real clock, keyed hashes, rows in a real file, the monitor. */
export function gate(shape: Shape): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'model-hub-bench-'));
  const crypto = new NodeCrypto(KEY);
  const files = new LogFiles(folder);
  const processor = new LogProcessor({ sink: files, digest: (text) => crypto.digest(text), writer: 'bench' });
  const { spans } = createTracing({ processors: [processor, new Monitor({ onViolation: ({ rule }) => { throw new Error(rule); } })], serviceVersion: '0', instanceId: 'i', vaultId: 'v' });
  const log: CallLog = {
    written: () => processor.written(), writable: () => processor.writable(), head: () => processor.head(),
    read: () => Promise.resolve([]), recent: () => Promise.resolve([]), ended: () => Promise.resolve(false), onRow: (callback) => processor.onRow(callback),
  };
  const hub = new Hub({ clock: new SystemClock(), crypto, spans, log, journal: new MemoryJournal(), namespaces: new MemoryNamespaces(), settings: new MemorySettings() });
  hub.register({ id: 'books', name: 'Books' }, [{ name: 'books.list', description: 'Lists books.', effect: 'read', replay: 'safe', input: SCHEMA, handler }]);
  const client = { kind: 'plugin', name: 'books' } as const;
  const run = hub.openRun('books', client).id;
  return {
    run: (count) => repeat(shape, count, () => hub.call({ owner: 'books', client, tool: 'books.list', input: INPUT, run })),
    close: async () => {
      await hub.close();
      files.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Validate, canonical form and hash, the same two spans with the same attributes, one row appended: nothing else. */
export function floor(shape: Shape): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'model-hub-floor-'));
  const rows = new FloorRows(openSync(join(folder, 'rows.jsonl'), 'a'));
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [rows] });
  const tracer = provider.getTracer('floor');
  const run = tracer.startSpan('invoke_agent books', {}, ROOT_CONTEXT);
  const runContext = trace.setSpan(ROOT_CONTEXT, run);
  const validate = new Ajv({ ownProperties: true }).compile({ ...SCHEMA, additionalProperties: false });
  const key = createSecretKey(KEY, 'hex');
  const one = async (): Promise<unknown> => {
    const span = tracer.startSpan('tool_call books.list', {}, runContext);
    try {
      if (!validate(INPUT)) throw new Error('does not fit');
      const canonical = canonicalize(INPUT)!;
      note(span, {
        'gen_ai.tool.name': 'books.list', 'gen_ai.tool.call.id': span.spanContext().spanId, 'gen_ai.conversation.id': 'r-1', 'gen_ai.agent.name': 'books', 'modelhub.client.kind': 'plugin',
        'modelhub.tool.owner': 'books', 'modelhub.tool.effect': 'read', 'modelhub.tool.replay': 'safe',
        'modelhub.arguments.hash': `hmac-sha256:${createHmac('sha256', key).update(canonical).digest('hex')}`, 'modelhub.arguments.size': canonical.length,
        'modelhub.policy.effective': 'allow', 'modelhub.policy.source': 'builtin',
      });
      const execution = tracer.startSpan('execute_tool books.list', {}, trace.setSpan(ROOT_CONTEXT, span));
      note(execution, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'books.list', 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': 'c' });
      const result = await handler();
      execution.end();
      note(span, { 'modelhub.call.outcome': 'ok', 'modelhub.result.size': JSON.stringify(result).length });
      return result;
    } finally {
      span.end();
      await rows.written();
    }
  };
  return {
    run: (count) => repeat(shape, count, one),
    close: () => {
      rows.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function note(span: Span, attributes: { readonly [key: string]: string | number }): void {
  for (const key in attributes) span.setAttribute(key, attributes[key]!);
}

/** The floor's rows: what ends in one turn is written at once. */
class FloorRows implements SpanProcessor {
  readonly #fd: number;
  #lines = '';
  #count = 0;
  #turn: Promise<void> | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  onStart(): void {
    // The floor follows nothing.
  }

  onEnd(span: ReadableSpan): void {
    if (!span.name.startsWith('tool_call ')) return;
    const { attributes, startTime, duration } = span;
    const { traceId, spanId } = span.spanContext();
    this.#lines += `${JSON.stringify({
      v: 1, kind: 'call', id: spanId, trace: traceId, time: new Date(startTime[0] * 1000 + startTime[1] / 1e6).toISOString(), run: attributes['gen_ai.conversation.id'],
      client: { kind: attributes['modelhub.client.kind'], name: attributes['gen_ai.agent.name'] }, plugin: attributes['modelhub.tool.owner'], tool: attributes['gen_ai.tool.name'],
      effect: attributes['modelhub.tool.effect'], args: attributes['modelhub.arguments.hash'], policy: { effective: attributes['modelhub.policy.effective'], source: attributes['modelhub.policy.source'] },
      outcome: attributes['modelhub.call.outcome'], ms: duration[0] * 1000 + duration[1] / 1e6, chars: attributes['modelhub.result.size'],
      spans: { run: span.parentSpanContext?.spanId }, us: { end: duration[1] / 1e3 }, w: 'bench', n: ++this.#count,
    })}\n`;
    this.#turn ??= Promise.resolve().then(() => {
      writeSync(this.#fd, this.#lines);
      this.#lines = '';
      this.#turn = undefined;
    });
  }

  written(): Promise<void> | undefined {
    return this.#turn;
  }

  close(): void {
    closeSync(this.#fd);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** The official MCP SDK, client to server and back in memory; the SDK checks the input, and the result goes out as the hub serves it, as text and as structure. No gate, no log. */
export async function mcp(shape: Shape): Promise<Subject> {
  const server = new McpServer({ name: 'bench', version: '0' });
  server.registerTool('books_list', { description: 'Lists books.', inputSchema: fromJsonSchema(SCHEMA as never) }, async () => {
    const result = await handler();
    return { content: [{ type: 'text' as const, text: JSON.stringify(result) }], structuredContent: result };
  });
  const client = new Client({ name: 'bench', version: '0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return {
    run: (count) => repeat(shape, count, () => client.callTool({ name: 'books_list', arguments: INPUT })),
    close: () => client.close(),
  };
}

/** The AI SDK's tool loop with telemetry switched on, over a model that asks for the tool once in each loop. */
export function aiSdk(shape: Shape): Subject {
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler() });
  const model = new MockLanguageModelV3({
    doGenerate: () => Promise.resolve({
      content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'list', input: JSON.stringify(INPUT) }],
      warnings: [], finishReason: { unified: 'tool-calls', raw: undefined },
      usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    }),
  });
  const tools = { list: tool({ description: 'Lists books.', inputSchema: jsonSchema<typeof INPUT>(SCHEMA as never), execute: handler }) };
  const experimental_telemetry = { isEnabled: true, tracer: provider.getTracer('ai'), recordInputs: false, recordOutputs: false };
  return {
    run: async (count) => {
      await repeat(shape, count, () => generateText({ model, prompt: 'List my books.', tools, stopWhen: stepCountIs(1), experimental_telemetry }));
      model.doGenerateCalls.length = 0; // the double keeps every call; a real model would not
    },
  };
}
