/** Obsidian's `Component`: what is registered while it is loaded goes when it is unloaded, the last first. */
import type * as obsidian from 'obsidian';
import { offref } from './events.ts';

export class ShimComponent implements obsidian.Component {
  #loaded = false;
  readonly #children: obsidian.Component[] = [];
  readonly #cleanUps: (() => unknown)[] = [];

  load(): void {
    void this.loadAndWait();
  }

  /** As `load`; waits for an `onload` that answers a promise. */
  async loadAndWait(): Promise<void> {
    if (this.#loaded) return;
    this.#loaded = true;
    await (this.onload() as void | Promise<void>);
    for (const child of this.#children) child.load();
  }

  onload(): void {}
  onunload(): void {}

  unload(): void {
    if (!this.#loaded) return;
    this.#loaded = false;
    for (const child of this.#children.splice(0).reverse()) child.unload();
    for (const cleanUp of this.#cleanUps.splice(0).reverse()) cleanUp();
    this.onunload();
  }

  addChild<T extends obsidian.Component>(component: T): T {
    this.#children.push(component);
    if (this.#loaded) component.load();
    return component;
  }

  removeChild<T extends obsidian.Component>(component: T): T {
    const at = this.#children.indexOf(component);
    if (at >= 0) this.#children.splice(at, 1);
    component.unload();
    return component;
  }

  register(callback: () => unknown): void {
    this.#cleanUps.push(callback);
  }

  registerEvent(ref: obsidian.EventRef): void {
    this.register(() => offref(ref));
  }

  registerDomEvent(el: Window | Document | HTMLElement, type: string, callback: (this: HTMLElement, event: never) => unknown, options?: boolean | AddEventListenerOptions): void {
    const listener = callback as unknown as EventListener;
    el.addEventListener(type, listener, options);
    this.register(() => el.removeEventListener(type, listener, options));
  }

  registerInterval(id: number): number {
    this.register(() => window.clearInterval(id));
    return id;
  }
}
