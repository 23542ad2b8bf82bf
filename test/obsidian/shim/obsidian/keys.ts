/** Keys: the scope that was pushed last hears a key first; what it does not know goes to its parent, and then no further. */
import type * as obsidian from 'obsidian';

interface Handler extends obsidian.KeymapEventHandler { readonly func: obsidian.KeymapEventListener }

export class ShimScope implements obsidian.Scope {
  readonly #parent: ShimScope | undefined;
  readonly #handlers: Handler[] = [];

  constructor(parent?: obsidian.Scope) {
    this.#parent = parent as ShimScope | undefined;
  }

  register(modifiers: obsidian.Modifier[] | null, key: string | null, func: obsidian.KeymapEventListener): obsidian.KeymapEventHandler {
    const handler: Handler = { scope: this, modifiers: modifiers === null ? null : modifiers.map(plain).sort().join(','), key, func };
    this.#handlers.unshift(handler);
    return handler;
  }

  unregister(handler: obsidian.KeymapEventHandler): void {
    const at = this.#handlers.indexOf(handler as Handler);
    if (at >= 0) this.#handlers.splice(at, 1);
  }

  /** True if a handler took the key. A handler that answers `false` also stops what the browser would do. */
  hear(event: KeyboardEvent): boolean {
    const modifiers = modifiersOf(event);
    for (const { modifiers: wanted, key, func } of this.#handlers) {
      if ((wanted !== null && wanted !== modifiers) || (key !== null && key.toLowerCase() !== event.key.toLowerCase())) continue;
      if (func(event, { modifiers, key: event.key, vkey: event.code }) === false) event.preventDefault();
      return true;
    }
    return this.#parent?.hear(event) ?? false;
  }
}

export class ShimKeymap implements obsidian.Keymap {
  readonly #scopes: ShimScope[] = [];

  pushScope(scope: obsidian.Scope): void {
    this.popScope(scope);
    this.#scopes.push(scope as ShimScope);
  }

  popScope(scope: obsidian.Scope): void {
    const at = this.#scopes.indexOf(scope as ShimScope);
    if (at >= 0) this.#scopes.splice(at, 1);
  }

  /** Hears the keys of one window. */
  hearWindow(win: Window): void {
    win.addEventListener('keydown', (event) => {
      if (this.#scopes.at(-1)?.hear(event)) event.stopPropagation();
    }, { capture: true });
  }

  static isModifier(event: MouseEvent | TouchEvent | KeyboardEvent, modifier: obsidian.Modifier): boolean {
    return modifiersOf(event).split(',').includes(plain(modifier));
  }

  static isModEvent(event?: obsidian.UserEvent | null): obsidian.PaneType | boolean {
    if (!event || !ShimKeymap.isModifier(event, 'Mod')) return false;
    return event.altKey ? (event.shiftKey ? 'window' : 'split') : 'tab';
  }
}

/** `Mod` is Ctrl where the tests run. */
function plain(modifier: obsidian.Modifier): string {
  return modifier === 'Mod' ? 'Ctrl' : modifier;
}

function modifiersOf(event: MouseEvent | TouchEvent | KeyboardEvent): string {
  const held = { Alt: event.altKey, Ctrl: event.ctrlKey, Meta: event.metaKey, Shift: event.shiftKey };
  return Object.entries(held).filter(([, is]) => is).map(([name]) => name).join(',');
}
