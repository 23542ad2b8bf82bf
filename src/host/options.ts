/**
 * The command line: which command, with which options. A word that is not known is an error that names it.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { AdvisedError } from '../node/advised-error.ts';

export const COMMANDS = ['serve', 'mcp', 'log', 'verify', 'hash', 'tools', 'traces', 'export', 'secret'] as const;
export type CommandName = (typeof COMMANDS)[number];

export const OPTIONS = {
  vault: { type: 'string' },
  state: { type: 'string' },
  port: { type: 'string' },
  'ask-seconds': { type: 'string' },
  'no-open': { type: 'boolean' },
  json: { type: 'boolean' },
  last: { type: 'string' },
  run: { type: 'string' },
  plugin: { type: 'string' },
  tool: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  set: { type: 'string', multiple: true },
  test: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

type OptionName = keyof typeof OPTIONS;

/** What each command takes; another option is a mistake, and said so rather than left unread. */
const ALLOWED: { readonly [C in CommandName]: readonly OptionName[] } = {
  serve: ['vault', 'state', 'port', 'ask-seconds', 'no-open'],
  mcp: ['vault', 'state', 'port', 'ask-seconds'],
  log: ['vault', 'state', 'json', 'last', 'run', 'plugin', 'tool', 'since', 'until'],
  verify: ['vault', 'state', 'json'],
  hash: ['vault', 'state'],
  tools: ['vault', 'state', 'json', 'set'],
  traces: ['vault', 'state', 'json', 'set', 'test'],
  export: ['vault', 'state', 'since'],
  secret: ['vault', 'state'],
};

export interface CommandLine {
  readonly command: CommandName | 'help' | 'version';
  /** What `--help` was asked about. */
  readonly topic?: CommandName;
  readonly vault: string | undefined;
  readonly state: string | undefined;
  readonly port: number | undefined;
  readonly askSeconds: number | undefined;
  readonly open: boolean;
  readonly json: boolean;
  readonly last: number | undefined;
  readonly filter: { readonly run?: string; readonly plugin?: string; readonly tool?: string; readonly since?: string; readonly until?: string };
  readonly set: readonly string[];
  readonly test: boolean;
  readonly rest: readonly string[];
}

/** Throws a {@link AdvisedError} with exit code 2. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { values, positionals } = parse(argv);
  const [first = 'serve', ...rest] = positionals;
  if (!isCommand(first)) throw wrong(`There is no command "${first}".`);
  for (const name of Object.keys(values) as OptionName[]) {
    if (name !== 'help' && name !== 'version' && !ALLOWED[first].includes(name)) throw wrong(`The command ${first} takes no --${name}.`);
  }
  if (rest.length > 0 && first !== 'hash' && first !== 'secret') throw wrong(`The command ${first} takes no further word.`);
  const filter = Object.fromEntries((['run', 'plugin', 'tool', 'since', 'until'] as const).flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));
  for (const key of ['since', 'until'] as const) {
    if (values[key] !== undefined && Number.isNaN(Date.parse(values[key]))) throw wrong(`--${key} takes a time such as 2026-11-30T12:00:00Z.`);
  }
  return {
    command: values.help ? 'help' : values.version ? 'version' : first,
    ...(positionals.length > 0 ? { topic: first } : {}),
    vault: values.vault,
    state: values.state,
    port: whole(values.port, '--port', 0, 65_535),
    askSeconds: whole(values['ask-seconds'], '--ask-seconds', 1, 600),
    open: values['no-open'] !== true,
    json: values.json === true,
    last: whole(values.last, '--last', 1, 1_000_000),
    filter,
    set: values.set ?? [],
    test: values.test === true,
    rest,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrong((error as Error).message.split('.')[0]! + '.');
  }
}

function isCommand(word: string): word is CommandName {
  return (COMMANDS as readonly string[]).includes(word);
}

function whole(text: string | undefined, name: string, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most) throw wrong(`${name} takes a whole number from ${least} to ${most}.`);
  return number;
}

function wrong(message: string): AdvisedError {
  return new AdvisedError(message, 'See model-hub --help.', 2);
}
