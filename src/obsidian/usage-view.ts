/** The usage view as a view of Obsidian. */
import { ItemView, type App, type WorkspaceLeaf } from 'obsidian';
import type { Running } from './running.ts';

export const USAGE_VIEW = 'model-hub-usage';

export class UsageView extends ItemView {
  readonly #running: () => Running | undefined;
  constructor(leaf: WorkspaceLeaf, running: () => Running | undefined) {
    super(leaf);
    this.#running = running;
  }

  override getViewType(): string {
    return USAGE_VIEW;
  }

  override getDisplayText(): string {
    return 'Usage and costs';
  }

  override getIcon(): string {
    return 'chart-column';
  }

  override async onOpen(): Promise<void> {
    void this.#running();
  }
}

/** Opens the view, or shows it where it is open. */
export async function showUsage(app: App): Promise<void> {
  const { workspace } = app;
  const leaf = workspace.getLeavesOfType(USAGE_VIEW)[0] ?? workspace.getLeaf('tab');
  await leaf.setViewState({ type: USAGE_VIEW, active: true });
  await workspace.revealLeaf(leaf);
}
