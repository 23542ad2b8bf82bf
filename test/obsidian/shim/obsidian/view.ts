/** `View` and `ItemView`: what a plugin draws in a leaf. */
import type * as obsidian from 'obsidian';
import { ShimComponent } from './component.ts';
import { setIcon, setTooltip } from './icons.ts';

export abstract class ShimView extends ShimComponent implements Pick<obsidian.View, keyof obsidian.View> {
  app: obsidian.App;
  icon = '';
  navigation = true;
  leaf: obsidian.WorkspaceLeaf;
  containerEl: HTMLElement;
  scope: obsidian.Scope | null = null;

  constructor(leaf: obsidian.WorkspaceLeaf) {
    super();
    this.leaf = leaf;
    this.app = (leaf as unknown as { readonly app: obsidian.App }).app;
    this.containerEl = createDiv('workspace-leaf-content');
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;

  protected onOpen(): Promise<void> { return Promise.resolve(); }
  protected onClose(): Promise<void> { return Promise.resolve(); }

  getState(): Record<string, unknown> { return {}; }
  setState(_state: unknown, _result: obsidian.ViewStateResult): Promise<void> { return Promise.resolve(); }
  getEphemeralState(): Record<string, unknown> { return {}; }
  setEphemeralState(_state: unknown): void {}
  getIcon(): string { return this.icon; }
  onResize(): void {}
  onPaneMenu(): void {}

  /** Called by the leaf: loads, shows, opens. */
  async openIn(parentEl: HTMLElement): Promise<void> {
    this.containerEl.dataset['type'] = this.getViewType();
    parentEl.appendChild(this.containerEl);
    this.load();
    await this.onOpen();
  }

  /** Called by the leaf. */
  async closeAway(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.detach();
  }
}

export abstract class ShimItemView extends ShimView implements Pick<obsidian.ItemView, keyof obsidian.ItemView> {
  contentEl: HTMLElement;
  readonly #actionsEl: HTMLElement;
  readonly #titleEl: HTMLElement;

  constructor(leaf: obsidian.WorkspaceLeaf) {
    super(leaf);
    const header = this.containerEl.createDiv('view-header');
    this.#titleEl = header.createDiv('view-header-title-container').createDiv('view-header-title');
    this.#actionsEl = header.createDiv('view-actions');
    this.contentEl = this.containerEl.createDiv('view-content');
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const action = this.#actionsEl.createEl('button', { cls: 'clickable-icon view-action', prepend: true });
    setIcon(action, icon);
    setTooltip(action, title);
    action.addEventListener('click', (event) => void callback(event));
    return action;
  }

  override openIn(parentEl: HTMLElement): Promise<void> {
    this.#titleEl.setText(this.getDisplayText());
    return super.openIn(parentEl);
  }
}

/** What a leaf shows that has nothing to show, or whose plugin is not loaded. */
export class ShimEmptyView extends ShimItemView {
  readonly #type: string;

  constructor(leaf: obsidian.WorkspaceLeaf, type: string) {
    super(leaf);
    this.#type = type;
    if (type !== 'empty') this.contentEl.createDiv({ cls: 'pane-empty', text: 'Plugin no longer active' });
  }

  getViewType(): string { return this.#type; }
  getDisplayText(): string { return this.#type === 'empty' ? 'New tab' : this.#type; }
}
