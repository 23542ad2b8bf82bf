/**
 * `model-hub serve`, the main job: the gate over a vault, its page, MCP over HTTP, and the terminal as one more device.
 */
import { spawn } from 'node:child_process';
import { endOnSignals } from './ending.ts';
import { openFrontHost, type FrontHost } from './front-host.ts';
import type { CommandLine } from './options.ts';
import { findPlaces, type Places } from './places.ts';
import { rawTerminal } from './terminal/terminal.ts';
import { TerminalDevice } from './terminal/terminal-device.ts';

export async function serve({ vault, state, port, askSeconds, open }: CommandLine): Promise<void> {
  const places = findPlaces({ vault, state });
  const host = await openFrontHost({ places, port, askSeconds, notice: (text) => void process.stderr.write(`! ${text}\n`) });
  const ending = endOnSignals(() => host.close());
  process.stdout.write(greeting(host, places));
  const atTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (atTerminal) {
    const terminal = rawTerminal(process.stdin, process.stdout, ending.end);
    const detach = new TerminalDevice(host.hub.approvals, terminal).start();
    ending.before(detach);
  }
  if (open && atTerminal && !process.env['CI']) openInBrowser(host.loginUrl);
  await ending.ended;
}

function greeting({ loginUrl, mcpUrl, secrets, hub }: FrontHost, { vault }: Places): string {
  return `
  Model Hub serves ${vault}
  ${hub.tools().length} tools, each behind your settings; reads run, writes ask.

  Page   ${loginUrl}
  MCP    ${mcpUrl}
         Authorization: Bearer ${secrets.mcpToken}

  Connect Claude Code:
    claude mcp add --transport http model-hub ${mcpUrl} --header "Authorization: Bearer ${secrets.mcpToken}"

  The page has this for Claude Desktop and Codex too. Ctrl-C ends.

`;
}

/** Best effort: the address stands in the terminal. */
function openInBrowser(url: string): void {
  const [command, args] = process.platform === 'darwin' ? ['open', [url]] : process.platform === 'win32' ? ['rundll32', ['url.dll,FileProtocolHandler', url]] : ['xdg-open', [url]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
