/** The workspace: leaves in the main window and in windows of their own, and what happens to them, as events. */
import type * as obsidian from 'obsidian';
import { ShimEvents } from './events.ts';
import { ShimLeaf, type Ground } from './leaf.ts';
import { real } from './stands.ts';
import type { ShimWindows } from './windows.ts';

type Creator = (leaf: obsidian.WorkspaceLeaf) => obsidian.View;
type Has = 'activeLeaf' | 'containerEl' | 'layoutReady' | 'onLayoutReady' | 'getLeaf' | 'moveLeafToPopout' | 'openPopoutLeaf' | 'setActiveLeaf' | 'getLeafById'
  | 'getRightLeaf' | 'getLeftLeaf' | 'ensureSideLeaf' | 'getActiveViewOfType' | 'getActiveFile' | 'iterateRootLeaves' | 'iterateAllLeaves' | 'getLeavesOfType' | 'detachLeavesOfType' | 'revealLeaf' | 'on';

const SIZE = { width: 800, height: 600 };

export class ShimWorkspace extends ShimEvents implements Pick<obsidian.Workspace, Has> {
  activeLeaf: obsidian.WorkspaceLeaf | null = null;
  containerEl: HTMLElement;
  layoutReady = false;
  readonly #windows: ShimWindows;
  readonly #ground: Ground;
  readonly #creators = new Map<string, Creator>();
  readonly #leaves = new Set<ShimLeaf>();
  readonly #rootEl: HTMLElement;
  readonly #sideEls: { readonly left: HTMLElement; readonly right: HTMLElement };
  readonly #waiting: (() => unknown)[] = [];

  constructor(app: obsidian.App, windows: ShimWindows) {
    super();
    this.#windows = windows;
    this.containerEl = document.body.createDiv('workspace');
    const left = this.containerEl.createDiv('workspace-split mod-left-split');
    this.#rootEl = this.containerEl.createDiv('workspace-split mod-root');
    this.#sideEls = { left, right: this.containerEl.createDiv('workspace-split mod-right-split') };
    this.#ground = {
      app,
      create: (type, leaf) => this.#creators.get(type)?.(leaf.asLeaf()),
      changed: () => this.trigger('layout-change'),
      gone: (leaf) => this.#gone(leaf),
    };
  }

  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback();
    else this.#waiting.push(callback);
  }

  /** The app is there: what waited runs. */
  setLayoutReady(): void {
    this.layoutReady = true;
    for (const callback of this.#waiting.splice(0)) callback();
    this.trigger('layout-change');
  }

  /** Leaves that wait for this type get their view. Throws if somebody has the type already. */
  registerView(type: string, creator: Creator): void {
    if (this.#creators.has(type)) throw new Error(`Attempting to register an existing view type "${type}"`);
    this.#creators.set(type, creator);
    for (const leaf of this.#ofType(type)) void leaf.rebuild();
  }

  /** Leaves of this type stay, with a word that the plugin is not active. */
  unregisterView(type: string): void {
    this.#creators.delete(type);
    for (const leaf of this.#ofType(type)) void leaf.rebuild();
  }

  getLeaf(newLeaf?: obsidian.PaneType | boolean): obsidian.WorkspaceLeaf {
    if (newLeaf === 'window') return this.openPopoutLeaf();
    const free = [...this.#leaves].find((leaf) => leaf.containerEl.parentElement === this.#rootEl && leaf.view.navigation && !leaf.pinned);
    return (!newLeaf && free ? free : this.#add(this.#rootEl)).asLeaf();
  }

  getLeftLeaf(_split: boolean): obsidian.WorkspaceLeaf { return this.#add(this.#sideEls.left).asLeaf(); }
  getRightLeaf(_split: boolean): obsidian.WorkspaceLeaf { return this.#add(this.#sideEls.right).asLeaf(); }

  async ensureSideLeaf(type: string, side: obsidian.Side, options: { active?: boolean; reveal?: boolean; state?: Record<string, unknown> } = {}): Promise<obsidian.WorkspaceLeaf> {
    const there = this.#ofType(type).find((leaf) => leaf.containerEl.parentElement === this.#sideEls[side]);
    const leaf = there ?? this.#add(this.#sideEls[side]);
    await leaf.setViewState({ type, active: options.active ?? false, ...(options.state ? { state: options.state } : {}) });
    if (options.reveal) await this.revealLeaf(leaf.asLeaf());
    return leaf.asLeaf();
  }

  openPopoutLeaf(data?: obsidian.WorkspaceWindowInitData): obsidian.WorkspaceLeaf {
    const leaf = this.#add(this.#rootEl);
    this.moveLeafToPopout(leaf.asLeaf(), data);
    return leaf.asLeaf();
  }

  moveLeafToPopout(given: obsidian.WorkspaceLeaf, data?: obsidian.WorkspaceWindowInitData): obsidian.WorkspaceWindow {
    const leaf = given as unknown as ShimLeaf;
    const win = this.#windows.open(leaf.getDisplayText(), () => this.#closed(container), data?.size ?? SIZE);
    const container = real<obsidian.WorkspaceWindow>({ win, doc: win.document });
    win.document.body.addClass('is-popout-window');
    leaf.container = container;
    leaf.moveTo(win.document.body.createDiv('workspace').createDiv('workspace-split mod-root'));
    this.trigger('window-open', container, win);
    this.trigger('layout-change');
    return container;
  }

  setActiveLeaf(leaf: obsidian.WorkspaceLeaf, params?: { focus?: boolean } | boolean): void {
    this.activeLeaf = leaf;
    if (typeof params === 'object' && params.focus) (leaf as unknown as ShimLeaf).containerEl.win.focus();
    this.trigger('active-leaf-change', leaf);
  }

  getLeafById(id: string): obsidian.WorkspaceLeaf | null {
    return [...this.#leaves].find((leaf) => leaf.id === id)?.asLeaf() ?? null;
  }

  getActiveViewOfType<T extends obsidian.View>(type: obsidian.Constructor<T>): T | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  getActiveFile(): obsidian.TFile | null { return null; }

  iterateRootLeaves(callback: (leaf: obsidian.WorkspaceLeaf) => unknown): void {
    for (const leaf of this.#leaves) if (leaf.containerEl.parentElement === this.#rootEl) callback(leaf.asLeaf());
  }

  iterateAllLeaves(callback: (leaf: obsidian.WorkspaceLeaf) => unknown): void {
    for (const leaf of this.#leaves) callback(leaf.asLeaf());
  }

  getLeavesOfType(type: string): obsidian.WorkspaceLeaf[] {
    return this.#ofType(type).map((leaf) => leaf.asLeaf());
  }

  detachLeavesOfType(type: string): void {
    for (const leaf of this.#ofType(type)) leaf.detach();
  }

  async revealLeaf(leaf: obsidian.WorkspaceLeaf): Promise<void> {
    const { containerEl } = leaf as unknown as ShimLeaf;
    containerEl.scrollIntoView();
    containerEl.win.focus();
    this.setActiveLeaf(leaf);
    await leaf.loadIfDeferred();
  }

  #ofType(type: string): ShimLeaf[] {
    return [...this.#leaves].filter((leaf) => leaf.view.getViewType() === type);
  }

  #add(parentEl: HTMLElement): ShimLeaf {
    const leaf = new ShimLeaf(this.#ground);
    this.#leaves.add(leaf);
    leaf.moveTo(parentEl);
    return leaf;
  }

  #gone(leaf: ShimLeaf): void {
    this.#leaves.delete(leaf);
    if (this.activeLeaf === leaf.asLeaf()) this.activeLeaf = null;
    const alone = leaf.container && ![...this.#leaves].some(({ container }) => container === leaf.container);
    if (alone) leaf.container!.win.close();
    this.trigger('layout-change');
  }

  /** A second window went: its leaves go with it. */
  #closed(container: obsidian.WorkspaceWindow): void {
    for (const leaf of this.#leaves) if (leaf.container === container) leaf.detach();
    this.trigger('window-close', container, container.win);
  }
}
