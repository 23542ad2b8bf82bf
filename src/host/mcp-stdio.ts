/**
 * One MCP conversation over stdin and stdout: the process is the run. Stdout belongs to the protocol, so whatever else
 * writes there goes to stderr. The conversation ends with stdin, at a signal, and with the process that started it, whose
 * end does not always close the pipe.
 */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Server } from '@modelcontextprotocol/server';
import { PassThrough, Writable } from 'node:stream';
import { Conversation } from '../mcp/conversation.ts';
import { LineFilter } from '../mcp/line-filter.ts';
import { createMcpServer, type McpParts } from '../mcp/server.ts';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const PARENT_LOOK_MS = 1_000;

export type StdioEnd = 'closed' | 'signal' | 'parent_gone';

export interface McpStdio {
  /** Resolves when the conversation is over, with what ended it. The run is closed and calls under way are stopped by then. */
  readonly ended: Promise<StdioEnd>;
  /** Ends the conversation. */
  close(): Promise<void>;
}

/** Serves until the end. To be called before anything is written to stdout. */
export function serveMcpStdio(parts: McpParts): McpStdio {
  const stdout = takeStdout();
  const reply = (message: object): void => void stdout.write(`${JSON.stringify(message)}\n`);
  const lines = new PassThrough();
  const filter = new LineFilter({ pass: (line) => lines.write(line), reply });
  const onData = (chunk: Buffer): void => filter.push(chunk);
  const onEnd = (): void => void lines.end();
  process.stdin.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onEnd);

  const conversation = new Conversation({ hub: parts.hub, clock: parts.clock, transport: 'pipe' });
  let server: Server | undefined; // a client may try the newer revision first: then the second one made is the one that stays
  const transport = new StdioServerTransport(lines, stdout);
  const handle = serveStdio(() => {
    server = createMcpServer(parts, () => conversation);
    return server;
  }, { transport });
  const stopWatching = parts.tools.onChange(() => {
    server?.sendToolListChanged().catch(() => {
      // The client has gone or has not greeted yet.
    });
  });

  let finish: (why: StdioEnd) => void;
  const ended = new Promise<StdioEnd>((resolve) => {
    finish = resolve;
  }).then((why) => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    clearInterval(looking);
    process.stdin.off('data', onData);
    stopWatching();
    conversation.end('session_closed');
    return why;
  });
  const end = async (why: StdioEnd): Promise<void> => {
    finish(why);
    await handle.close();
  };
  const onSignal = (): void => void end('signal');
  for (const signal of SIGNALS) process.once(signal, onSignal);
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid !== parent) void end('parent_gone');
  }, PARENT_LOOK_MS);
  lines.once('end', () => finish('closed')).once('close', () => finish('closed'));
  stdout.once('error', () => void end('closed'));

  return {
    ended,
    close: async () => {
      await end('closed');
      await ended;
    },
  };
}

/** A stream of our own on stdout; everybody else's `process.stdout.write`, and so `console.log`, goes to stderr from now on. */
function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write: (chunk: string | Buffer, done: (error?: Error | null) => void) => boolean = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
  stdout.on('error', (error) => void stream.destroy(error)); // the client has closed its end
  return stream;
}
