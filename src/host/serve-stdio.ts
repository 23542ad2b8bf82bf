/**
 * `model-hub mcp`: one MCP client over stdin and stdout, with the page beside it for the questions. Stdout is the
 * protocol's; everything for people goes to stderr.
 */
import { openFrontHost } from './front-host.ts';
import { serveMcpStdio } from './mcp-stdio.ts';
import type { CommandLine } from './options.ts';
import { findPlaces } from './places.ts';

/** How long the end may take. */
const MOST_MS = 2_000;

export async function serveStdio({ vault, state, port, askSeconds }: CommandLine): Promise<void> {
  const notice = (text: string): void => void process.stderr.write(`${text}\n`);
  const host = await openFrontHost({ places: findPlaces({ vault, state }), port, askSeconds, notice });
  const conversation = serveMcpStdio(host.mcp);
  notice(`Model Hub: questions are answered at ${host.loginUrl}`);
  await conversation.ended;
  setTimeout(() => process.exit(1), MOST_MS).unref();
  await host.close();
  process.exit(0); // stdin may be held open by a client that has gone
}
