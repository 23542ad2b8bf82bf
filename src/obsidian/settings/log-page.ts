/** The page of the log: where it is, how large, whether it is whole; and deleting it. */
import { Modal, Notice, Setting, type App, type SettingDefinitionPage } from 'obsidian';
import { verificationLines } from '../../../views/verification.ts';
import { PAGES } from '../words.ts';
import type { SettingsParts, Switch } from './settings-tab.ts';

export function logPage(app: App, { host: { log, folder }, deleteLog }: SettingsParts): SettingDefinitionPage<Switch> {
  const { writable } = log.state();
  return {
    type: 'page', name: PAGES.log, desc: PAGES.logAbout, status: writable ? null : 'warning',
    items: [
      { name: PAGES.logPlace, desc: folder },
      {
        name: PAGES.logSize,
        render: (row) => {
          void log.source.list().then((files) => row.setDesc(PAGES.logSizeOf(files.reduce((sum, file) => sum + file.size, 0), files.length)));
        },
      },
      {
        name: PAGES.logVerify, desc: PAGES.logVerifyAbout,
        render: (row) => void row.addButton((button) => button.setButtonText(PAGES.logVerify).onClick(async () => {
          row.setDesc(PAGES.logChecking);
          row.setDesc(verificationLines(await log.verify()).join('\n'));
        })),
      },
      {
        name: PAGES.logDelete, desc: PAGES.logDeleteAbout,
        render: (row) => void row.addButton((button) => button.setButtonText(PAGES.logDelete).setDestructive().onClick(() => new DeleteLog(app, deleteLog).open())),
      },
      { name: PAGES.plainHashes, desc: PAGES.plainHashesAbout, control: { type: 'toggle', key: 'plainHashes' } },
      { name: PAGES.cli, desc: PAGES.cliAbout, control: { type: 'toggle', key: 'cliAllows' } },
    ],
  };
}

class DeleteLog extends Modal {
  readonly #delete: () => Promise<void>;

  constructor(app: App, deleteLog: () => Promise<void>) {
    super(app);
    this.#delete = deleteLog;
  }

  override onOpen(): void {
    this.setTitle(PAGES.logDeleteAsk);
    this.contentEl.createEl('p', { text: PAGES.logDeleteSure });
    new Setting(this.contentEl)
      .addButton((button) => button.setButtonText(PAGES.cancel).onClick(() => this.close()))
      .addButton((button) => button.setButtonText(PAGES.logDelete).setDestructive().onClick(async () => {
        this.close();
        await this.#delete();
        new Notice(PAGES.logDeleted);
      }));
  }
}
