/** A log of many rows for the benchmarks: one call's row with other times, ids, runs and tools, in one chain. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { Chain } from '../otel/chain.ts';
import { openJson } from '../otel/row-json.ts';
import { rowOf } from '../otel/row-of.ts';
import { createTracing } from '../otel/tracing.ts';
import { startCall } from '../test/fakes/call-spans.ts';

const RUNS = 10_000;
const TOOLS = 20;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The spans of a call that ran. */
export function endedCall(): { readonly call: ReadableSpan; readonly exec: ReadableSpan } {
  const ended: ReadableSpan[] = [];
  const done = (): Promise<void> => Promise.resolve();
  const tracing = createTracing({ processors: [{ onStart: () => undefined, onEnd: (span) => void ended.push(span), forceFlush: done, shutdown: done }], serviceVersion: '0', instanceId: 'i', vaultId: 'v' });
  const span = startCall(tracing.spans);
  span.end(1_796_000_000_000_300);
  const [first, second] = ended;
  if (!first || !second) throw new Error('the spans did not end');
  return { exec: first, call: second };
}

/** The last hours' rows, up to now. */
export function fillLog(file: string, count: number): void {
  const { call, exec } = endedCall();
  const rows = new Chain('filler', digest);
  const body = openJson(rowOf(call, { exec })!);
  const begin = Date.now() - count * 60;
  const fd = openSync(file, 'a');
  for (let i = 0; i < count; i += 1000) {
    const batch = Array.from({ length: 1000 }, (_, k) => ({ json: body
      .replace(/"id":"\w+"/, `"id":"${(i + k).toString(16).padStart(16, '0')}"`)
      .replace(/"time":"[^"]+"/, `"time":"${new Date(begin + (i + k) * 60).toISOString().replace('Z', '000Z')}"`)
      .replace('"run":"run-1"', `"run":"run-${(i + k) % RUNS}"`)
      .replace('"tool":"books.list_shelves"', `"tool":"books.tool_${(i + k) % TOOLS}"`)
      .replace('"spans":', (i + k) % 1000 === 0 ? '"undo":"shelf:7","spans":' : '"spans":'), late: false }));
    const links = rows.extend(batch);
    writeSync(fd, links.map(({ line }) => line).join(''));
    rows.commit(links, links.length);
  }
  closeSync(fd);
}
