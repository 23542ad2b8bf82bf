/**
 * Kills the host twenty times while agents work, and looks whether an answered call was lost: 1 000 calls from 8 agents at
 * once over MCP, SIGKILL at random moments, the host started again each time. Reads and writes are mixed; writes are
 * allowed by setting, so that each kill may fall at any door.
 */
import type { Client } from '@modelcontextprotocol/client';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CallRow, Row } from '../otel/row.ts';
import { admit } from '../src/core/input.ts';
import { NodeCrypto } from '../src/node/node-crypto.ts';
import { HostProcess, modelHub, MODEL_HUB, TempPlace } from '../test/support/host-process.ts';
import { bar, report, table } from './measure.ts';

const AGENTS = 8;
const CALLS = 1_000;
const KILLS = 20;
const WRITE_SHARE = 0.2;

interface Answered { readonly hash: string; readonly ok: boolean }

if (!existsSync(MODEL_HUB)) throw new Error('Build the host first: npm run build');
const place = new TempPlace();
await modelHub(place, 'tools', '--set', 'books.add_to_shelf=allow');
const { hashKey } = JSON.parse(readFileSync(join(place.state, 'secrets.json'), 'utf8')) as { hashKey: string };
const crypto = new NodeCrypto(hashKey);
const port = await freePort();

const answered: Answered[] = [];
let asked = 0;
let unanswered = 0;
let kills = 0;
let host = start();

async function start(): Promise<HostProcess> {
  return HostProcess.start(place, ['--port', String(port)]);
}

/** One agent: calls until the thousand are answered; a call whose answer never came is left, as an agent would. */
async function agent(name: string): Promise<void> {
  let client: Client | undefined;
  while (answered.length < CALLS) {
    const n = asked++;
    const write = Math.random() < WRITE_SHARE;
    const input = write ? { shelf: 'To read', book: `Book ${n}` } : { shelf: 'Finished', offset: n };
    try {
      client ??= await (await host).client(name);
      const result = await client.callTool({ name: write ? 'books_add_to_shelf' : 'books_list_books', arguments: input }, { timeout: 5_000 });
      answered.push({ hash: crypto.hashArguments(admit(input).canonical), ok: result.isError !== true });
    } catch {
      unanswered++;
      await client?.close().catch(() => undefined);
      client = undefined;
      await pause(20);
    }
  }
  await client?.close().catch(() => undefined);
}

/** Kills at moments spread over the thousand calls, none of them agreed with anybody. */
async function killer(): Promise<void> {
  while (kills < KILLS) {
    const next = Math.min(CALLS - 1, ((kills + Math.random()) * CALLS) / KILLS);
    while (answered.length < next) await pause(Math.random() * 3);
    const victim = await host;
    await victim.stop('SIGKILL');
    kills++;
    host = start();
    await host;
  }
}

const begun = performance.now();
await Promise.all([killer(), ...Array.from({ length: AGENTS }, (_, n) => agent(`agent-${n}`))]);
await (await host).stop();

const rows = (await modelHub(place, 'log', '--json', '--last', '1000000')).out.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
const calls = rows.filter((row): row is Row & CallRow => row.kind === 'call');
const byHash = new Map<string, number>();
for (const { args } of calls) byHash.set(args ?? '', (byHash.get(args ?? '') ?? 0) + 1);
const rowsOfAnswered = answered.reduce((sum, { hash }) => sum + (byHash.get(hash) ?? 0), 0);
const lost = answered.filter(({ hash }) => !byHash.has(hash)).length;
const doubled = answered.filter(({ hash }) => (byHash.get(hash) ?? 0) > 1).length;
const books = new Set((place.note('Shelves/To read.md').match(/Book \d+/g) ?? []));
const unrecorded = [...books].filter((book) => !byHash.has(crypto.hashArguments(admit({ shelf: 'To read', book }).canonical))).length;
const { code, out } = await modelHub(place, 'verify');
place.remove();

table(['what', 'count'], [
  ['kills', String(kills)],
  ['calls answered', String(answered.length)],
  ['… of them refused or failed', String(answered.filter(({ ok }) => !ok).length)],
  ['rows of answered calls', String(rowsOfAnswered)],
  ['tries that got no answer, the host being killed or down', String(unanswered)],
  ['rows of those', String(calls.length - rowsOfAnswered)],
  ['… interrupted', String(calls.filter(({ outcome }) => outcome === 'interrupted').length)],
  ['books on the shelf without a row', String(unrecorded)],
  ['seconds', ((performance.now() - begun) / 1000).toFixed(1)],
]);
console.log(out.trim());
report({
  kills_missing: bar(KILLS - kills, 0),
  answered_calls_without_a_row: bar(lost, 0),
  answered_calls_with_two_rows: bar(doubled, 0),
  writes_without_a_row: bar(unrecorded, 0),
  log_not_green: bar(code ?? 1, 0),
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A port that nobody has just now. The host keeps it over its restarts, as clients' settings do. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}
