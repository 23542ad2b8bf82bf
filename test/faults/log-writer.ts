/**
 * A process that logs calls, for tests that need several or kill one. Arguments: hub folder, state folder, and how many
 * (0: without end), or where the first call stops for good: `begun` (its intent is written) or `answered` (its row is).
 * Prints the id of each call once its row is with the operating system, or when it stops.
 */
import { openCallLog } from '../../src/node/log/call-log.ts';
import { HeadFolder } from '../../src/node/log/head-folder.ts';
import { SystemClock } from '../../src/node/clock.ts';
import { NodeCrypto } from '../../src/node/node-crypto.ts';
import { createTracing } from '../../otel/tracing.ts';
import { startCall } from '../fakes/call-spans.ts';

const [hubFolder = '', stateFolder = '', count = '0'] = process.argv.slice(2);
const clock = new SystemClock();
const log = openCallLog({ hubFolder, heads: new HeadFolder(stateFolder), clock, crypto: new NodeCrypto(undefined), notices: { notice: (text) => process.stderr.write(`${text}\n`) } });
const { spans } = createTracing({ processors: [log.processor], serviceVersion: '0.0.0', instanceId: 'test', vaultId: 'test' });

// As the gate does before a write; it also makes the folder.
if (!(await log.writable())) throw new Error('the log cannot be written');
const limit = Number(count) || Infinity;
for (let i = 0; i < limit; i++) {
  const span = startCall(spans, { at: clock.micros() });
  log.journal.begin({
    kind: 'call', id: span.spanId, trace: span.traceId, runSpan: '0'.repeat(15) + '1', at: clock.micros(), run: 'run-1',
    client: { kind: 'mcp', name: 'Claude Code' }, plugin: 'books', tool: 'books.add_to_shelf',
  });
  if (count === 'begun') await stopHere(span.spanId);
  span.end(clock.micros());
  await log.written();
  if (count === 'answered') await stopHere(span.spanId);
  log.journal.end(span.spanId);
  process.stdout.write(`${span.spanId}\n`);
  if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
}
await log.close();

async function stopHere(id: string): Promise<void> {
  process.stdout.write(`${id}\n`);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
