/**
 * The process that the stdio tests start: a conversation over a fake hub. Says on stderr what ended it, and how.
 */
import { log } from 'node:console';
import { SystemClock } from '../../src/node/clock.ts';
import { serveMcpStdio } from '../../src/host/mcp-stdio.ts';
import { ServedTools } from '../../src/mcp/served-tools.ts';
import { FakeMcpHub } from '../fakes/mcp-hub.ts';

const hub = new FakeMcpHub();
hub.tool('books.echo', { answer: (input) => {
  log('noise on stdout');
  process.stdout.write('more noise\n');
  return { result: input, truncated: false };
} });
hub.tool('books.add_to_shelf', { effect: 'write', policy: { effective: 'ask', source: 'builtin' } });
hub.tool('books.grow', { answer: () => {
  hub.tool('books.grown');
  return { result: 'grown', truncated: false };
} });

const stdio = serveMcpStdio({ hub, clock: new SystemClock(), version: '1.2.3', tools: new ServedTools(hub) });
const state = setInterval(() => {
  process.stderr.write(`asked ${hub.asked.length}\n`);
}, 20);
void stdio.ended.then((why) => {
  clearInterval(state);
  process.stderr.write(`ended ${JSON.stringify({ why, opened: hub.opened.map(({ client, options }) => [client.name, options?.mcp?.protocolVersion]), closed: hub.closed.map(({ reason }) => reason), asked: hub.asked.length, ran: hub.ran, wire: hub.requests[0]?.wire })}\n`);
  process.exit(0);
});
process.stderr.write(`ready ${process.pid}\n`);
