/** The usage view as a view of Obsidian: the last calls, as they come, each with its undo while it is possible. */
import { ItemView, Notice, type App, type WorkspaceLeaf } from 'obsidian';
import { shownRows } from '../shown/data.ts';
import { drawCalls } from '../../views/calls.ts';
import { CALLS } from '../../views/words.ts';
import type { Running } from './running.ts';
import { REASON_NOT_OPEN, USAGE } from './words.ts';

export const USAGE_VIEW = 'model-hub-usage';

const SHOWN_CALLS = 20;
/** Rows that come within so long are drawn together; the gate may also have been opened anew. */
const LOOK_MS = 500;

export class UsageView extends ItemView {
  readonly #running: () => Running | undefined;
  /** The gate whose rows are followed. */
  #followed: Running | undefined;
  #stop: () => void = () => undefined;
  #isOld = true;

  constructor(leaf: WorkspaceLeaf, running: () => Running | undefined) {
    super(leaf);
    this.#running = running;
  }

  override getViewType(): string {
    return USAGE_VIEW;
  }

  override getDisplayText(): string {
    return USAGE.title;
  }

  override getIcon(): string {
    return 'chart-column';
  }

  override async onOpen(): Promise<void> {
    this.registerInterval(window.setInterval(() => void this.#look(), LOOK_MS));
    await this.#look();
  }

  override onClose(): Promise<void> {
    this.#stop();
    return Promise.resolve();
  }

  async #look(): Promise<void> {
    const running = this.#running();
    if (running !== this.#followed) {
      this.#stop();
      this.#followed = running;
      this.#isOld = true;
      const stops = running ? [running.host.hub.onRow(() => (this.#isOld = true)), running.host.hub.onToolsChanged(() => (this.#isOld = true))] : [];
      this.#stop = () => stops.forEach((stop) => stop());
    }
    if (!this.#isOld) return;
    this.#isOld = false;
    await this.#draw(running);
  }

  async #draw(running: Running | undefined): Promise<void> {
    const { contentEl } = this;
    contentEl.addClass('mh-view');
    const list = contentEl.querySelector<HTMLElement>('.mh-view-calls') ?? this.#frame();
    if (!running) return list.setText(REASON_NOT_OPEN);
    const { hub, traces } = running.host;
    const rows = await hub.recent(SHOWN_CALLS).catch(() => []); // a log that cannot be read is told elsewhere
    drawCalls(list, shownRows(rows, { undoable: hub.undoable(), pluginName: running.pluginName, traceUrl: traces.settings().traceUrl }), {
      undo: (call) => void running.undo(call).then((sentence) => new Notice(sentence)),
    });
  }

  #frame(): HTMLElement {
    this.contentEl.empty();
    this.contentEl.createEl('h4', { text: CALLS.title });
    return this.contentEl.createDiv({ cls: 'mh-view-calls' });
  }
}

/** Opens the view, or shows it where it is open. */
export async function showUsage(app: App): Promise<void> {
  const { workspace } = app;
  const leaf = workspace.getLeavesOfType(USAGE_VIEW)[0] ?? workspace.getLeaf('tab');
  await leaf.setViewState({ type: USAGE_VIEW, active: true });
  await workspace.revealLeaf(leaf);
}
