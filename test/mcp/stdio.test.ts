/** MCP over stdin and stdout, in a process of its own. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LineFilter } from '../../src/mcp/line-filter.ts';
import { ERAS, until, type Message } from './serving.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let folder: string;
let host: string;

beforeAll(async () => {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build', 'stdio-'));
  host = join(folder, 'host.mjs');
  await build({ entryPoints: [join(ROOT, 'test/mcp/stdio-host.ts')], outfile: host, bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', logLevel: 'error' });
});

afterAll(() => rmSync(folder, { recursive: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The host by hand: what it said so far on either stream, and how it ended. */
class Pipe {
  readonly child: ChildProcess;
  out = '';
  err = '';
  code: number | null | undefined;

  constructor(child: ChildProcess = spawn(process.execPath, [host], { stdio: 'pipe' })) {
    this.child = child;
    children.push(child);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    child.on('exit', (code) => {
      this.code = code;
    });
  }

  send(bytes: string | Uint8Array): void {
    this.child.stdin?.write(bytes);
  }

  lines(): Message[] {
    return this.out.split('\n').filter(Boolean).map((text) => JSON.parse(text) as Message);
  }

  async answer(id: number): Promise<Message> {
    await until(`the answer to ${id}`, () => this.lines().some((message) => message.id === id));
    return this.lines().find((message) => message.id === id)!;
  }

  /** What the host says of its end. */
  async end(): Promise<object> {
    await until('the end', () => this.code !== undefined && this.err.includes('ended '));
    return endOf(this.err);
  }
}

const GREETING = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by hand', version: '1' } } };
const call = (id: number, name: string, args: object = {}): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
const line = (message: unknown, end = '\n'): string => JSON.stringify(message) + end;

describe.each(ERAS)('MCP over stdio, %s', (era) => {
  it('F243 lists, calls, tells of a longer list and ends with its client; the process is one run', async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [host], stderr: 'pipe' });
    let err = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    let told = 0;
    const client = new Client({ name: 'Claude Desktop', version: '1' }, era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
    client.setNotificationHandler('notifications/tools/list_changed', () => void told++);
    await client.connect(transport);
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['books_add_to_shelf', 'books_echo', 'books_grow']);
    const text = 'a\u2028b\u2029c\u0085d\r\ne';
    expect((await client.callTool({ name: 'books_echo', arguments: { text } })).structuredContent).toEqual({ text });
    await client.callTool({ name: 'books_grow' });
    await until('the client is told', () => told === 1);
    await client.close();
    await until('the end', () => err.includes('ended '));
    expect(endOf(err)).toEqual({
      why: 'closed', opened: [['Claude Desktop', era === 'modern' ? '2026-07-28' : '2025-11-25']], closed: ['session_closed'], asked: 0,
      ran: ['books.echo', 'books.grow'], wire: { requestId: expect.stringMatching(/^\d+$/), transport: 'pipe' },
    });
    expect(err).toContain('noise on stdout\nmore noise\n');
  });

  it('F157 X2 a cancel closes the question', async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [host], stderr: 'pipe' });
    let err = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    const client = new Client({ name: 'x', version: '1' }, era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
    await client.connect(transport);
    const cancel = new AbortController();
    const answer = client.callTool({ name: 'books_add_to_shelf' }, { signal: cancel.signal });
    await until('the question', () => err.includes('asked 1'));
    cancel.abort();
    await expect(answer).rejects.toBeInstanceOf(Error);
    await until('its end', () => err.trimEnd().endsWith('asked 0'));
    await client.close();
  });
});

describe('the pipe', () => {
  it('M36 M37 takes a byte order mark, CRLF, and any line break inside a text', async () => {
    const pipe = new Pipe();
    const text = 'a\u2028b\u2029c\u0085d';
    pipe.send(`\ufeff${line(GREETING, '\r\n')}`);
    pipe.send(line(call(1, 'books_echo', { text }), '\r\n'));
    pipe.send(`\ufeff${line(call(2, 'books_echo', { n: 2 }))}`);
    expect((await pipe.answer(1)).result?.structuredContent).toEqual({ text });
    expect((await pipe.answer(2)).result?.structuredContent).toEqual({ n: 2 });
    expect(pipe.lines().map(({ id }) => id)).toEqual([0, 1, 2]); // and nothing but the protocol
  });

  it('M42 refuses a batch, each request in it by its id, and goes on', async () => {
    const pipe = new Pipe();
    pipe.send(line(GREETING));
    await pipe.answer(0);
    pipe.send(` ${line([call(1, 'books_echo'), call(2, 'books_echo'), { jsonrpc: '2.0', method: 'notifications/initialized' }])}`);
    pipe.send(line([]));
    pipe.send(line(call(3, 'books_echo')));
    await pipe.answer(3);
    const message = 'Batches are not served. Send each message by itself.';
    expect(pipe.lines().slice(1, 4)).toEqual([
      { jsonrpc: '2.0', error: { code: -32600, message }, id: 1 },
      { jsonrpc: '2.0', error: { code: -32600, message }, id: 2 },
      { jsonrpc: '2.0', error: { code: -32600, message }, id: null },
    ]);
    pipe.child.stdin?.end();
    expect(await pipe.end()).toMatchObject({ ran: ['books.echo'] });
  });

  it.each([
    ['stdin ends', (pipe: Pipe) => pipe.child.stdin?.end(), 'closed'],
    ['it is told SIGTERM', (pipe: Pipe) => pipe.child.kill('SIGTERM'), 'signal'],
    ['it is told SIGHUP', (pipe: Pipe) => pipe.child.kill('SIGHUP'), 'signal'],
  ])('M39 the host ends when %s, with its question closed and nothing run', async (_when, how, why) => {
    const pipe = new Pipe();
    pipe.send(line(GREETING) + line(call(1, 'books_add_to_shelf')));
    await until('the question', () => pipe.err.includes('asked 1'));
    how(pipe);
    expect(await pipe.end()).toMatchObject({ why, closed: ['session_closed'], asked: 0, ran: [] });
    expect(pipe.code).toBe(0);
  });

  it('M39 the host ends with the process that started it, though somebody else still holds its stdin', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(holder);
    const starts = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(host)}], { stdio: 'inherit' }); setInterval(() => undefined, 1000);`;
    const between = new Pipe(spawn(process.execPath, ['-e', starts], { stdio: [holder.stdout, 'pipe', 'pipe'] }));
    await until('the host', () => between.err.includes('ready '));
    const pid = Number(/ready (\d+)/.exec(between.err)?.[1]);
    between.child.kill('SIGKILL');
    await until('the end', () => between.err.includes('ended '));
    expect(between.err).toContain('"why":"parent_gone"');
    await until('the process is gone', () => !isAlive(pid));
  });
});

describe('lines', () => {
  function filtered(...chunks: Uint8Array[]): { readonly passed: string[]; readonly replies: object[] } {
    const passed: string[] = [];
    const replies: object[] = [];
    const filter = new LineFilter({ pass: (bytes) => passed.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)), reply: (error) => replies.push(error) });
    for (const chunk of chunks) filter.push(chunk);
    return { passed, replies };
  }
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('M37 come whole however they are cut, on the byte 0x0A alone', () => {
    const text = '\ufeff{"a":"ä\u2028😀"}\r\n{"b":1}\n\n{"c":2}\nrest';
    const expected = ['{"a":"ä\u2028😀"}\r\n', '{"b":1}\n', '\n', '{"c":2}\n'];
    const all = bytes(text);
    for (let at = 0; at <= all.length; at++) expect(filtered(all.subarray(0, at), all.subarray(at)).passed).toEqual(expected);
    expect(filtered(...[...all].map((byte) => Uint8Array.of(byte))).passed).toEqual(expected);
  });

  it('of more than 4 MB are answered and dropped; the next one passes', () => {
    const mega = bytes('x'.repeat(1024 * 1024));
    expect(filtered(mega, mega, mega, mega, mega, bytes('\n{"a":1}\n'))).toEqual({
      passed: ['{"a":1}\n'],
      replies: [{ jsonrpc: '2.0', error: { code: -32000, message: 'The message is larger than 4 MB. Send less at a time.' }, id: null }],
    });
  });

  it('M42 that begin a list but are none are refused once', () => {
    expect(filtered(bytes('\t[{"id":1\n')).replies).toHaveLength(1);
    expect(filtered(bytes('[null,{"id":{}},{"id":"a"}]\n')).replies).toMatchObject([{ id: 'a' }]);
  });
});

function endOf(err: string): object {
  return JSON.parse(/ended (.*)/.exec(err)?.[1] ?? 'null') as object;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
