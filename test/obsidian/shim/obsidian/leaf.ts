/** A leaf of the workspace: it holds one view, and keeps its place when the view changes or the leaf moves to another window. */
import type * as obsidian from 'obsidian';
import { tellMigrated } from './dom.ts';
import { ShimEvents } from './events.ts';
import { ShimEmptyView, type ShimView } from './view.ts';

type Missing = 'parent' | 'openFile' | 'getRoot' | 'setGroupMember' | 'setGroup' | 'getContainer';

/** What a leaf needs of the workspace. */
export interface Ground {
  readonly app: obsidian.App;
  create(type: string, leaf: ShimLeaf): obsidian.View | undefined;
  changed(): void;
  gone(leaf: ShimLeaf): void;
}

export class ShimLeaf extends ShimEvents implements Omit<obsidian.WorkspaceLeaf, Missing> {
  readonly id = crypto.randomUUID();
  readonly app: obsidian.App;
  readonly containerEl: HTMLElement;
  view: obsidian.View;
  hoverPopover = null;
  pinned = false;
  /** The second window that it is in, if it is. */
  container: obsidian.WorkspaceWindow | undefined;
  readonly #ground: Ground;
  #state: obsidian.ViewState = { type: 'empty' };

  constructor(ground: Ground) {
    super();
    this.#ground = ground;
    this.app = ground.app;
    this.containerEl = createDiv('workspace-leaf');
    this.view = new ShimEmptyView(this.asLeaf(), 'empty') as unknown as obsidian.View;
  }

  get isDeferred(): boolean { return false; }
  loadIfDeferred(): Promise<void> { return Promise.resolve(); }

  asLeaf(): obsidian.WorkspaceLeaf {
    return this as unknown as obsidian.WorkspaceLeaf;
  }

  async open(view: obsidian.View): Promise<obsidian.View> {
    await (this.view as unknown as ShimView).closeAway();
    this.view = view;
    await (view as unknown as ShimView).openIn(this.containerEl);
    this.#ground.changed();
    return view;
  }

  getViewState(): obsidian.ViewState {
    return { type: this.view.getViewType(), state: this.view.getState(), pinned: this.pinned };
  }

  async setViewState(state: obsidian.ViewState, ephemeral?: unknown): Promise<void> {
    this.#state = state;
    if (this.view.getViewType() !== state.type || this.view instanceof ShimEmptyView) await this.rebuild();
    if (state.state) await this.view.setState(state.state, { history: false });
    if (ephemeral !== undefined) this.setEphemeralState(ephemeral);
    if (state.active) this.app.workspace.setActiveLeaf(this.asLeaf());
  }

  /** The view anew: its plugin came or went. */
  async rebuild(): Promise<void> {
    const view = this.#ground.create(this.#state.type, this) ?? (new ShimEmptyView(this.asLeaf(), this.#state.type) as unknown as obsidian.View);
    await this.open(view);
  }

  getEphemeralState(): unknown { return this.view.getEphemeralState(); }
  setEphemeralState(state: unknown): void { this.view.setEphemeralState(state); }
  togglePinned(): void { this.setPinned(!this.pinned); }

  setPinned(pinned: boolean): void {
    this.pinned = pinned;
    this.trigger('pinned-change', pinned);
  }

  detach(): void {
    if (!this.containerEl.isConnected) return;
    this.containerEl.detach();
    this.#ground.gone(this);
    void (this.view as unknown as ShimView).closeAway();
  }

  /** Into another element, maybe of another window: those who asked to know are told. */
  moveTo(parentEl: HTMLElement): void {
    const before = this.containerEl.doc;
    parentEl.appendChild(this.containerEl);
    if (this.containerEl.doc !== before) tellMigrated(this.containerEl);
    this.onResize();
  }

  getIcon(): string { return this.view.getIcon(); }
  getDisplayText(): string { return this.view.getDisplayText(); }
  onResize(): void { this.view.onResize(); }
}
