/**
 * Obsidian's command line: what is asked, and yes, no and undo. A yes needs the question's id and a switch of its own, off
 * unless the user turned it on: an agent that has a terminal could otherwise answer its own question.
 */
import type { CliData, Plugin } from 'obsidian';
import type { Question } from '../core/questions.ts';
import { verificationLines } from '../../views/verification.ts';
import type { ApprovalDevice } from './approval-device.ts';
import type { HubHost } from './hub-host.ts';
import { PAGES, QUESTIONS, REASON_NOT_OPEN } from './words.ts';

export interface CliParts {
  readonly host: HubHost;
  readonly approvals: ApprovalDevice;
  /** Takes the last write back, and says what became of it. */
  readonly undoLast: () => Promise<string>;
  /** The switch. */
  readonly mayAllow: () => boolean;
}

/** `running`: the parts while the gate is open. */
export function registerCli(plugin: Pick<Plugin, 'registerCliHandler'>, running: () => CliParts | undefined): void {
  const command = (name: string, about: string, flags: Parameters<Plugin['registerCliHandler']>[2], run: (parts: CliParts, data: CliData) => string | Promise<string>): void => {
    plugin.registerCliHandler(name, about, flags, (data) => {
      const parts = running();
      return parts ? run(parts, data) : REASON_NOT_OPEN;
    });
  };
  const id = { id: { value: '<id>', description: 'The question\'s id', required: true } };
  command('model-hub', 'Show the open question', null, ({ approvals }) => questionLines(approvals.question));
  command('model-hub:allow', 'Allow the open question once', id, ({ approvals, mayAllow }, data) => {
    if (!mayAllow()) return `Saying yes from here is off. Turn on “${PAGES.cli}” under Settings → Model Hub first, and only if no agent of yours has a terminal.`;
    return approvals.answer(data['id'] ?? '', 'allow_once');
  });
  command('model-hub:deny', 'Deny the open question', id, ({ approvals }, data) => approvals.answer(data['id'] ?? '', 'deny'));
  command('model-hub:undo', 'Undo the last write', null, ({ undoLast }) => undoLast());
  command('model-hub:verify', 'Check the log', null, async ({ host }) => verificationLines(await host.log.verify()).join('\n'));
  command('model-hub:calls', 'List the last 20 calls', null, async ({ host }) => (await host.hub.recent(20)).flatMap((row) => (row.kind === 'run' ? [] : [`${row.time}  ${row.kind}  ${row.tool}  ${row.outcome}${row.code === undefined ? '' : `  ${row.code}`}`])).join('\n'));
}

function questionLines(question: Question | undefined): string {
  if (!question) return QUESTIONS.none;
  const { id, tool, client, effect, arguments: input, waiting, remainingMs } = question;
  return [`${id}  ${tool}  ${effect}  asked by ${client.kind} “${client.name}”`, `arguments  ${input}`, `time left  ${Math.ceil(remainingMs / 1000)} s when it was shown, ${waiting} behind it`].join('\n');
}
