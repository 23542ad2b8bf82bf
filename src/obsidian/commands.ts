/** The command palette: the open question answered without the pointer, undo, the usage view, the check of the log. */
import { Notice, type Plugin } from 'obsidian';
import { verificationLines } from '../../views/verification.ts';
import type { CliParts } from './cli.ts';
import { COMMANDS } from './words.ts';

export interface CommandParts extends CliParts {
  /** The newest write that can be taken back is there. */
  readonly canUndo: () => boolean;
}

/** `running`: the parts while the gate is open. */
export function addCommands(plugin: Pick<Plugin, 'addCommand'>, running: () => CommandParts | undefined, showUsage: () => void): void {
  plugin.addCommand({ id: 'show-usage', name: COMMANDS.usage, callback: showUsage });
  /** Offered only while it can be done. */
  const when = (id: string, name: string, isPossible: (parts: CommandParts) => boolean, run: (parts: CommandParts) => void): void => {
    plugin.addCommand({
      id, name,
      checkCallback: (checking) => {
        const parts = running();
        if (!parts || !isPossible(parts)) return false;
        if (!checking) run(parts);
        return true;
      },
    });
  };
  const isAsked = ({ approvals }: CommandParts): boolean => approvals.question !== undefined;
  when('show-question', COMMANDS.showQuestion, isAsked, ({ approvals }) => approvals.show());
  when('allow-once', COMMANDS.allowOnce, isAsked, ({ approvals }) => approvals.answerOpen('allow_once'));
  when('deny', COMMANDS.deny, isAsked, ({ approvals }) => approvals.answerOpen('deny'));
  when('undo-last', COMMANDS.undoLast, (parts) => parts.canUndo(), ({ undoLast }) => void undoLast().then((sentence) => new Notice(sentence)));
  when('verify-log', COMMANDS.verify, () => true, ({ host }) => void host.log.verify().then((found) => new Notice(verificationLines(found).join('\n'), 0)));
}
