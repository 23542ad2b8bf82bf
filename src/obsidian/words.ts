/** The words that only Obsidian has: commands, notifications, the settings' pages. Everything else is in `views/words.ts`. */
import type { Client } from '../core/types.ts';
import { clientKind, count, HUB } from '../../views/words.ts';

export const COMMANDS = {
  usage: 'Models: Show usage and costs',
  showQuestion: 'Show the open question',
  allowOnce: 'Allow the open question once',
  deny: 'Deny the open question',
  undoLast: 'Undo the last write',
  verify: 'Check the log',
} as const;

export const QUESTIONS = {
  notification: (tool: string) => `Allow ${tool}?`,
  notificationBody: ({ kind, name }: Client) => `${clientKind(kind)} “${name}” waits for your answer.`,
  none: 'No question is open.',
  waiting: (n: number) => (n === 1 ? '1 question waits' : `${n} questions wait`),
} as const;

export const UNDO = {
  last: (tool: string) => `Undo ${tool}`, none: 'There is no write to take back.', failed: (why: string) => `Not taken back. ${why}`,
} as const;

export const USAGE = { title: 'Usage and costs' } as const;

export const PAGES = {
  tools: 'Tools', toolsCount: (tools: number, plugins: number) => (tools === 0 ? 'None yet' : `${count(tools, 'tool')} of ${count(plugins, 'plugin')}`),
  toolsAbout: 'What may run without asking, asks first, or is off.',
  filter: 'Filter plugins and tools', filterAbout: 'A tool\'s own setting comes first, then its plugin\'s, then the built-in rule: reads run, writes ask.',
  clients: 'Agents from outside', gone: 'Plugins that are gone',
  forget: 'Forget', forgetAbout: (names: readonly string[]) => `Uninstalled. Nobody else may use its names: ${names.join(', ')}.`, forgetOf: (id: string) => `Forget ${id}`,
  show: (name: string) => `Show the tools of ${name}`, hide: (name: string) => `Hide the tools of ${name}`,

  mcp: 'MCP server', mcpAbout: 'Lets agents on this computer, such as Claude Code, call your tools, under the same rules.', mcpOn: 'Serve tools to agents on this computer',
  mcpOnAbout: 'Listens on 127.0.0.1 only, for clients that bring the token. Of this device alone: other devices have a switch of their own.',
  on: 'On', off: 'Off', notRunning: 'Not running',
  address: 'Address', token: 'Token', tokenAbout: 'Who has it can call your tools, as far as you allow. It is kept in Obsidian\'s secret storage.',
  copy: 'Copy', copied: 'Copied', renew: 'New token', renewed: 'The old token opens nothing any more. Give the new one to your agents.',
  connect: 'Connect Claude Code', connectAbout: 'Run this once in a terminal.',

  traces: 'Traces', tracesAbout: 'Sends each call as a trace to an OpenTelemetry collector of yours.',
  log: 'Log', logAbout: 'Each call, how it ended and why; arguments as a hash only.',
  logPlace: 'Where it is', logSize: 'Size', logSizeOf: (bytes: number, files: number) => `${size(bytes)} in ${count(files, 'file')}`,
  logVerify: 'Check', logVerifyAbout: 'Finds rows that were changed, taken out or moved.', logChecking: 'Checking…',
  logDelete: 'Delete', logDeleteAbout: 'All rows go, and the undo of past writes with them. They also go when you uninstall Model Hub.',
  logDeleteAsk: 'Delete the log?', logDeleteSure: 'Every row goes for good, and past writes can no longer be taken back. Model Hub starts a new log.', cancel: 'Cancel', logDeleted: 'The log was deleted.',
  plainHashes: 'Hashes without a key', plainHashesAbout: 'Lets other programs recompute the hash of arguments. Short arguments can then be guessed from it. In force when Model Hub is loaded again.',
  cli: 'Answer from the command line', cliAbout: 'Lets the command model-hub:allow of Obsidian\'s command line say yes. Leave it off where an agent has a terminal: it could say yes to itself.',
  notOpen: 'Model Hub is not running', loading: 'Model Hub starts when the vault is ready.',
} as const;

/** Bytes in words. */
export function size(bytes: number): string {
  if (bytes < 1_000) return count(bytes, 'byte');
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const REASON_NOT_OPEN = `${HUB} is not running.`;
