/**
 * The command line. Each command is loaded when it is asked for.
 */
import { AdvisedError } from '../node/advised-error.ts';
import { helpText } from './help.ts';
import { readCommandLine, type CommandLine } from './options.ts';
import { VERSION } from './version.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const notice = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(line: CommandLine): Promise<void> {
  switch (line.command) {
    case 'help':
      return print(helpText(line.topic));
    case 'version':
      return print(VERSION);
    case 'serve':
      return (await import('./serve.ts')).serve(line);
    case 'mcp':
      return (await import('./serve-stdio.ts')).serveStdio(line);
    case 'log':
      return (await import('./commands/log.ts')).logCommand(line, print);
    case 'hash':
      return (await import('./commands/hash.ts')).hashCommand(line, print);
    case 'tools':
      return (await import('./commands/tools.ts')).toolsCommand(line, print, notice);
    case 'traces':
      if (!(await (await import('./commands/traces.ts')).tracesCommand(line, print))) process.exitCode = 1;
      return;
    case 'export':
      return (await import('./commands/export.ts')).exportCommand(line, print);
    case 'secret':
      return (await import('./commands/secret.ts')).secretCommand(line, print);
    case 'verify':
      if (!(await (await import('./commands/verify.ts')).verifyCommand(line, print))) process.exitCode = 1;
  }
}

try {
  await run(readCommandLine(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof AdvisedError)) throw error;
  notice(`${error.message}\n${error.advice}`);
  process.exitCode = error.exitCode;
}
