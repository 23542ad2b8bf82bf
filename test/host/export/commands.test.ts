/** The commands traces, secret and export, as a user types them: exit codes, sentences, and what is never said. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_HUB, TempPlace } from '../../support/host-process.ts';
import { callRow, lineOf } from '../../otel/exporter/rows.ts';
import { answering, JSON_TYPE, startCollector } from '../../node/export/collector.ts';

const CANARY = 'Bearer canary-9f2';

let place: TempPlace;
let hub: string;
let data: string;
beforeAll(() => {
  place = new TempPlace();
  hub = join(place.vault, '.obsidian/plugins/model-hub');
  data = join(hub, 'data.json');
});
afterAll(() => place.remove());
beforeEach(() => {
  mkdirSync(hub, { recursive: true });
  writeFileSync(data, '{"theirs":1,"plugins":{"books":"deny"}}');
});

interface Ended { readonly code: number | null; readonly out: string; readonly err: string }

async function run(args: readonly string[], { input = '', env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {}): Promise<Ended> {
  const child = spawn(process.execPath, [MODEL_HUB, ...args, '--vault', place.vault, '--state', place.state], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { err += chunk.toString(); });
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const traces = (...args: string[]): Promise<Ended> => run(['traces', ...args]);
const set = (...changes: string[]): Promise<Ended> => traces(...changes.flatMap((change) => ['--set', change]));
const saved = (): { traces?: object; theirs?: number } => JSON.parse(readFileSync(data, 'utf8')) as { traces?: object; theirs?: number };

describe('model-hub traces', () => {
  it('D32 says that sending is off, and that there is no endpoint', async () => {
    const { code, out, err } = await traces();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/send +off\nendpoint +\(none\)\nsampleRate +1\nserviceName +model-hub\ntraceUrl +\(none\)/);
  });

  it('F140 changes several settings at once, and keeps what else is in the file', async () => {
    expect(await set('endpoint=http://localhost:4318', 'send=on', 'sampleRate=0.5', 'header.Authorization=token', 'traceUrl=jaeger', 'serviceName=mine')).toMatchObject({ code: 0, err: '' });
    expect(saved()).toMatchObject({ theirs: 1, traces: { send: true, endpoint: 'http://localhost:4318', headers: { Authorization: 'token' }, sampleRate: 0.5, serviceName: 'mine' } });
    expect(await traces()).toMatchObject({ code: 0, out: expect.stringContaining('No traces are sent. There is no secret called token for http://localhost:4318') as string });
    expect(JSON.parse((await traces('--json')).out)).toMatchObject({ send: true, fault: expect.stringContaining('no secret called token') as string });
    expect(saved().traces).toMatchObject({ headers: { Authorization: 'token' } });
    await set('header.AUTHORIZATION=');
    expect(saved().traces).toMatchObject({ headers: {} });
  });

  it.each([
    'send=yes', 'send=', 'send', '=on', 'endpoint=localhost:4318', 'endpoint=https://me:canary-9f2@localhost', 'endpoint=http://localhost:4317', 'sampleRate=2', 'sampleRate=', 'sampleRate=NaN', 'sampleRate=-1',
    'traceUrl=javascript:alert(1)', 'traceUrl=https://t.example', 'header.=token', 'header.a b=token', 'header.Host=token', 'header.Authorization=Bearer canary-9f2', 'header=token', 'colour=red', '__proto__=x', 'constructor=x', 'headers=x',
  ])('D32 --set %s is a fault: exit code 2, a sentence, and nothing is changed, by what stood before it either', async (change) => {
    const before = readFileSync(data);
    const { code, out, err } = await set('send=on', 'endpoint=http://localhost:4318', change);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^.+\.\nSee model-hub traces --help\.\n$/s)]);
    expect(err).not.toContain('canary');
    expect(readFileSync(data).equals(before)).toBe(true);
  });

  it('D32 over a damaged file it changes nothing, and says what to do', async () => {
    writeFileSync(data, '{"traces":');
    for (const { code, out, err } of [await traces(), await set('send=on')]) expect([code, out, err]).toEqual([1, '', expect.stringContaining('data.json cannot be read as settings.\nMend it')]);
    expect(readFileSync(data, 'utf8')).toBe('{"traces":');
  });

  it('F140 --test is exit code 0 when the span arrived, and 1 when it did not, and says why', async () => {
    const { url } = await startCollector();
    await set(`endpoint=${url}`);
    expect(await traces('--test')).toMatchObject({ code: 0, out: expect.stringContaining('The collector took the test span.') as string });
    const refusing = await startCollector(answering(400, JSON_TYPE, '{"message":"no"}'));
    await set(`endpoint=${refusing.url}`);
    expect(await traces('--test')).toMatchObject({ code: 1, out: expect.stringContaining('The collector refused the test span (status 400). It said: "{"message":"no"}"') as string });
    await set('endpoint=http://127.0.0.1:9');
    expect(await traces('--test')).toMatchObject({ code: 1, out: expect.stringContaining('Is the collector running at this address?') as string });
    await set('endpoint=');
    expect(await traces('--test')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('There is no endpoint.') as string });
  });

  it('telemetry 41 D32 takes nothing from the environment: no endpoint, no header, no proxy', async () => {
    const { url, heard } = await startCollector();
    const other = await startCollector();
    const { origin } = new URL(other.url);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: other.url, OTEL_EXPORTER_OTLP_HEADERS: `authorization=${CANARY}`, OTEL_EXPORTER_OTLP_TRACES_HEADERS: `authorization=${CANARY}`,
      OTEL_RESOURCE_ATTRIBUTES: 'user=canary-9f2', OTEL_SERVICE_NAME: 'canary-9f2', OTEL_SDK_DISABLED: 'true', OTEL_TRACES_SAMPLER: 'always_off', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      HTTP_PROXY: origin, HTTPS_PROXY: origin, http_proxy: origin, ALL_PROXY: origin, TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    expect(await run(['traces', '--test'], { env })).toMatchObject({ code: 1, err: expect.stringContaining('There is no endpoint.') as string });
    await set(`endpoint=${url}`);
    expect(await run(['traces', '--test'], { env })).toMatchObject({ code: 0 });
    expect([heard.length, other.heard]).toEqual([1, []]);
    const text = JSON.stringify(heard);
    expect(text).toContain('test.span');
    expect(text).not.toMatch(/canary|traceparent/);
    expect(heard[0]!.headers).not.toHaveProperty('content-encoding');
  });
});

describe('model-hub secret', () => {
  it('D32 sets a value from stdin for the endpoint, lists its name, uses it, deletes it, and never says it', async () => {
    const { url, heard } = await startCollector();
    const { origin } = new URL(url);
    await set(`endpoint=${url}`, 'header.Authorization=token');
    const said = [await run(['secret', 'set', 'token'], { input: `${CANARY}\n` }), await run(['secret', 'list']), await traces(), await traces('--json'), await traces('--test')];
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(said[0]!.out).toBe(`The secret token is set, for ${origin}.\n`);
    expect(said[1]!.out).toMatch(new RegExp(`^NAME +FOR\ntoken +${origin}\n$`));
    expect(heard[0]!.headers['authorization']).toBe(CANARY);
    expect(JSON.stringify(said)).not.toContain('canary');
    expect(readFileSync(data, 'utf8')).not.toContain('canary');
    if (process.platform !== 'win32') expect(statSync(join(place.state, readdirSync(place.state, { recursive: true }).map(String).find((name) => name.endsWith('named-secrets.json'))!)).mode & 0o077).toBe(0);
    const other = await startCollector();
    await set(`endpoint=${other.url}`);
    expect(await traces('--test')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('There is no secret called token for') as string });
    expect(other.heard).toEqual([]);
    expect(await run(['secret', 'delete', 'token'])).toMatchObject({ code: 0, out: 'The secret token is gone.\n' });
    expect(await run(['secret', 'delete', 'token'])).toMatchObject({ code: 1, err: expect.stringContaining('There is no secret of this name.') as string });
    expect(await run(['secret', 'list'])).toMatchObject({ code: 0, out: 'No secret yet.\n' });
  });

  it.each<[string, readonly string[], string]>([
    ['no verb', [], ''], ['another verb', ['show', 'token'], ''], ['a list of one', ['list', 'token'], ''], ['a set of nothing', ['set'], ''], ['a value as a word', ['set', 'token', 'canary-9f2'], ''],
    ['a bad name', ['set', '../canary'], 'x'], ['no value', ['set', 'token'], ''], ['white space alone', ['set', 'token'], ' \n'], ['two lines', ['set', 'token'], 'canary-9f2\nx'], ['a letter that no header takes', ['set', 'token'], 'canary-9f2 ü'],
  ])('D32 %s is a fault: exit code 2, and nothing is said of the value', async (_, args, input) => {
    await set('endpoint=http://localhost:4318');
    const { code, out, err } = await run(['secret', ...args], { input });
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toContain('canary');
    expect((await run(['secret', 'list'])).out).toBe('No secret yet.\n');
  });

  it('D32 is for an endpoint, and one that nobody can listen in on', async () => {
    expect(await run(['secret', 'set', 'token'], { input: CANARY })).toMatchObject({ code: 1, err: expect.stringContaining('There is no endpoint.') as string });
    await set('endpoint=http://collector.example');
    expect(await run(['secret', 'set', 'token'], { input: CANARY })).toMatchObject({ code: 1, err: expect.stringContaining('over https alone') as string });
  });
});

describe('model-hub export', () => {
  it('D32 E03 sends nothing while sending is off, and needs a time', async () => {
    const { url, heard } = await startCollector();
    await set(`endpoint=${url}`);
    expect(await run(['export'])).toMatchObject({ code: 2, err: expect.stringContaining('--since TIME') as string });
    expect(await run(['export', '--since', 'soon'])).toMatchObject({ code: 2 });
    expect(await run(['export', '--since', '2020-01-01'])).toMatchObject({ code: 1, err: expect.stringContaining('off means off') as string });
    expect(heard).toEqual([]);
  });

  it('D31 E03 sends rows from before once, and writes no file where a row would have it', async () => {
    writeFileSync(join(hub, 'tool-calls.jsonl'), [callRow(1, { message: 'canary-9f2', undo: 'canary-9f2' }), callRow(2), callRow(3, { w: '../../../evil' })].map(lineOf).join(''));
    const { url, heard } = await startCollector();
    await set(`endpoint=${url}`, 'send=on');
    expect(await run(['export', '--since', '2026-11-30'])).toMatchObject({ code: 0, out: `9 spans sent to ${url}; 0 rows were sent before, or are seen to by a running host.\n` });
    expect(JSON.stringify(heard)).not.toContain('canary');
    expect(await run(['export', '--since', '2026-11-30'])).toMatchObject({ code: 0, out: `3 spans sent to ${url}; 2 rows were sent before, or are seen to by a running host.\n` });
    expect(readdirSync(place.folder, { recursive: true }).filter((name) => String(name).includes('evil'))).toEqual([]);
  });

  it('D32 what a crash left is not sent after off and on again, also where no host ran meanwhile', async () => {
    const { url } = await startCollector();
    await set(`endpoint=${url}`, 'send=on');
    await run(['export', '--since', '2026-11-30']);
    const folder = readdirSync(place.state, { recursive: true }).map(String).filter((name) => /traces.[0-9a-f]{16}$/.test(name)).map((name) => join(place.state, name)).find((each) => existsSync(each))!;
    const left = join(folder, 'gone.json');
    writeFileSync(left, JSON.stringify({ writer: 'gone', pid: 2 ** 22 + 1, from: 1, sent: [], live: true }));
    await set('send=on');
    expect(readFileSync(left, 'utf8')).toContain('"live":true');
    await set('send=off');
    await set('send=on');
    expect(JSON.parse(readFileSync(left, 'utf8'))).toMatchObject({ writer: 'gone', live: false });
  });

  it('E03 says how many spans the collector would not have', async () => {
    writeFileSync(join(hub, 'tool-calls.jsonl'), lineOf(callRow(1, { w: 'w9' })));
    const { url } = await startCollector((response, { body }) => (body.includes('"spans"') ? answering(400, JSON_TYPE, '{}') : answering(200, JSON_TYPE, '{}'))(response, { method: '', path: '', headers: {}, body }));
    await set(`endpoint=${url}`, 'send=on');
    expect(await run(['export', '--since', '2026-11-30'])).toMatchObject({ code: 0, out: `0 spans sent to ${url}; 0 rows were sent before, or are seen to by a running host.\nThe collector threw 3 spans away.\n` });
  });
});
