/**
 * The app's windows: the main one, and those that are opened beside it (`about:blank` of the same origin, filled from here).
 * Which of them the person is in is `activeWindow`.
 */
import { teachDom } from './dom.ts';
import type { ShimKeymap } from './keys.ts';

export class ShimWindows {
  readonly #open = new Set<Window>();
  readonly #keymap: ShimKeymap;

  constructor(keymap: ShimKeymap) {
    this.#keymap = keymap;
    this.#take(window);
    this.#activate(window);
    window.addEventListener('pagehide', () => this.closeAll());
  }

  /** Every window that is open, the main one first. */
  all(): readonly Window[] {
    return [window, ...this.#open];
  }

  /** Opens a window and makes it the active one. `closed` is called once, when the person or the app closes it. */
  open(title: string, closed: (win: Window) => void, { width, height }: { readonly width: number; readonly height: number }): Window {
    const win = window.open('about:blank', '', `popup,width=${width},height=${height}`);
    if (!win) throw new Error('The browser opens no second window.');
    const doc = win.document;
    doc.documentElement.lang = 'en';
    doc.title = title;
    for (const style of document.head.querySelectorAll('link[rel=stylesheet], style')) doc.head.append(doc.importNode(style, true));
    doc.body.className = document.body.classList.contains('theme-dark') ? 'theme-dark' : 'theme-light';
    this.#open.add(win);
    this.#take(win);
    this.#activate(win);
    win.addEventListener('pagehide', () => {
      if (!this.#open.delete(win)) return;
      if (activeWindow === win) this.#activate(window);
      closed(win);
    });
    return win;
  }

  closeAll(): void {
    for (const win of this.#open) win.close();
  }

  /** Adds a style to every window there is; later ones copy it. Answers what takes it away. */
  addStyle(css: string): () => void {
    const id = `style-${crypto.randomUUID()}`;
    for (const { document: doc } of this.all()) doc.head.createEl('style', { text: css, attr: { 'data-style': id } });
    return () => {
      for (const { document: doc } of this.all()) doc.head.querySelector(`[data-style="${id}"]`)?.remove();
    };
  }

  setTheme(theme: 'dark' | 'light'): void {
    for (const { document: doc } of this.all()) {
      doc.body.classList.toggle('theme-dark', theme === 'dark');
      doc.body.classList.toggle('theme-light', theme === 'light');
    }
  }

  #take(win: Window): void {
    teachDom(win);
    this.#keymap.hearWindow(win);
    for (const event of ['focus', 'pointerdown', 'keydown']) win.addEventListener(event, () => this.#activate(win), { capture: true });
  }

  #activate(win: Window): void {
    window.activeWindow = win;
    window.activeDocument = win.document;
  }
}
