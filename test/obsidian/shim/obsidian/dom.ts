/**
 * Obsidian's helpers on the DOM's prototypes (`createEl`, `empty`, `addClass` …), put into each window: an element has the
 * prototypes of the window that made it, wherever it goes later.
 */

type El = HTMLElement | SVGElement;

/** Who wants to know that an element now belongs to another window. */
const migrations = new Map<HTMLElement, Set<(win: Window) => unknown>>();

/** Tells the elements in `root` that they moved, as the app does: a little later. */
export function tellMigrated(root: HTMLElement): void {
  const win = root.win;
  win.setTimeout(() => {
    for (const [el, callbacks] of migrations) if (root.contains(el)) for (const callback of callbacks) callback(win);
  }, 0);
}

/** Makes an element in the document of its parent, or in the active one. */
function make(doc: Document, tag: string, given: DomElementInfo | string = {}, svg = false): El {
  const info = typeof given === 'string' ? { cls: given } : given;
  const el = svg ? doc.createElementNS('http://www.w3.org/2000/svg', tag) : doc.createElement(tag);
  const classes = typeof info.cls === 'string' ? info.cls.split(' ') : (info.cls ?? []);
  el.classList.add(...classes.filter(Boolean));
  if (info.text !== undefined) el.setText(info.text);
  if (info.attr) el.setAttrs(info.attr);
  if (info.title !== undefined) el.setAttribute('title', info.title);
  for (const name of ['value', 'type', 'placeholder', 'href'] as const) if (info[name] !== undefined) Object.assign(el, { [name]: info[name] });
  if (info.parent) {
    if (info.prepend) info.parent.insertBefore(el, info.parent.firstChild);
    else info.parent.appendChild(el);
  }
  return el;
}

interface Realm {
  readonly Node: typeof Node;
  readonly Element: typeof Element;
  readonly HTMLElement: typeof HTMLElement;
  readonly SVGElement: typeof SVGElement;
  readonly DocumentFragment: typeof DocumentFragment;
  readonly UIEvent: typeof UIEvent;
}

/** Gives a window's classes the helpers. */
export function teachDom(win: Window): void {
  const realm = win as unknown as Realm;
  define(realm.Node.prototype, nodeHelpers);
  define(realm.Element.prototype, elementHelpers);
  define(realm.HTMLElement.prototype, { ...styleHelpers, ...htmlHelpers });
  define(realm.SVGElement.prototype, styleHelpers);
  define(realm.DocumentFragment.prototype, finders);
  Object.defineProperties(realm.Node.prototype, {
    doc: { configurable: true, get(this: Node) { return this.ownerDocument ?? (this as Document); } },
    win: { configurable: true, get(this: Node) { return this.doc.defaultView ?? window; } },
    constructorWin: { configurable: true, get: () => win },
  });
  Object.defineProperties(realm.UIEvent.prototype, {
    doc: { configurable: true, get(this: UIEvent) { return (this.target as Node).doc; } },
    win: { configurable: true, get(this: UIEvent) { return (this.target as Node).win; } },
    targetNode: { configurable: true, get(this: UIEvent) { return this.target; } },
    instanceOf: { configurable: true, value: instanceOf },
  });
}

/** The helpers that stand on the main window itself. */
export const globalHelpers = {
  createEl: (tag: string, info?: DomElementInfo | string, callback?: (el: El) => void) => built(make(activeDocument, tag, info), callback),
  createDiv: (info?: DomElementInfo | string, callback?: (el: El) => void) => built(make(activeDocument, 'div', info), callback),
  createSpan: (info?: DomElementInfo | string, callback?: (el: El) => void) => built(make(activeDocument, 'span', info), callback),
  createSvg: (tag: string, info?: SvgElementInfo | string, callback?: (el: El) => void) => built(make(activeDocument, tag, info, true), callback),
  createFragment: (callback?: (el: DocumentFragment) => void) => built(activeDocument.createDocumentFragment(), callback),
  sleep: (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms)),
  nextFrame: () => new Promise<void>((resolve) => window.requestAnimationFrame(() => resolve())),
  isBoolean: (value: unknown) => typeof value === 'boolean',
};

function built<T>(el: T, callback: ((el: T) => void) | undefined): T {
  callback?.(el);
  return el;
}

function define(prototype: object, helpers: object): void {
  for (const [name, value] of Object.entries(helpers)) Object.defineProperty(prototype, name, { configurable: true, writable: true, value: value as unknown });
}

/** The class may be of any window: its name decides. */
function instanceOf(this: object, type: { readonly name: string }): boolean {
  const isOrDescends = (each: object | null): boolean => each !== null && (each.constructor.name === type.name || isOrDescends(Object.getPrototypeOf(each) as object | null));
  return isOrDescends(this);
}

function childOf(parent: Node, tag: string, info: DomElementInfo | string | undefined, callback: ((el: El) => void) | undefined, svg = false): El {
  const el = make(parent.doc, tag, info, svg);
  if (typeof info === 'object' && info.prepend) parent.insertBefore(el, parent.firstChild);
  else parent.appendChild(el);
  return built(el, callback);
}

const nodeHelpers = {
  instanceOf,
  createEl(this: Node, tag: string, info?: DomElementInfo | string, callback?: (el: El) => void) { return childOf(this, tag, info, callback); },
  createDiv(this: Node, info?: DomElementInfo | string, callback?: (el: El) => void) { return childOf(this, 'div', info, callback); },
  createSpan(this: Node, info?: DomElementInfo | string, callback?: (el: El) => void) { return childOf(this, 'span', info, callback); },
  createSvg(this: Node, tag: string, info?: DomElementInfo | string, callback?: (el: El) => void) { return childOf(this, tag, info, callback, true); },
  detach(this: Node) { this.parentNode?.removeChild(this); },
  empty(this: Node) { while (this.lastChild) this.removeChild(this.lastChild); },
  appendText(this: Node, text: string) { this.appendChild(this.doc.createTextNode(text)); },
  insertAfter(this: Node, node: Node, child: Node | null) { return this.insertBefore(node, child ? child.nextSibling : this.firstChild); },
  indexOf(this: Node, other: Node) { return [...this.childNodes].indexOf(other as ChildNode); },
};

const finders = {
  find(this: ParentNode, selector: string) { return this.querySelector(selector); },
  findAll(this: ParentNode, selector: string) { return [...this.querySelectorAll(selector)]; },
};

const elementHelpers = {
  ...finders,
  findAllSelf(this: Element, selector: string) { return [...(this.matches(selector) ? [this] : []), ...this.querySelectorAll(selector)]; },
  getText(this: Element) { return this.textContent ?? ''; },
  setText(this: Element, text: string | DocumentFragment) { this.replaceChildren(text); },
  addClass(this: Element, ...classes: string[]) { this.classList.add(...classes); },
  addClasses(this: Element, classes: string[]) { this.classList.add(...classes); },
  removeClass(this: Element, ...classes: string[]) { this.classList.remove(...classes); },
  removeClasses(this: Element, classes: string[]) { this.classList.remove(...classes); },
  toggleClass(this: Element, classes: string | string[], value: boolean) { for (const cls of [classes].flat()) this.classList.toggle(cls, value); },
  hasClass(this: Element, cls: string) { return this.classList.contains(cls); },
  getAttr(this: Element, name: string) { return this.getAttribute(name); },
  setAttr(this: Element, name: string, value: string | number | boolean | null) {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  },
  setAttrs(this: Element, attributes: Record<string, string | number | boolean | null>) { for (const [name, value] of Object.entries(attributes)) this.setAttr(name, value); },
  matchParent(this: Element, selector: string, last?: Element) {
    const found = this.closest(selector);
    return found && (!last || last === found || last.contains(found)) ? found : null;
  },
  getCssPropertyValue(this: Element, property: string, pseudo?: string) { return this.win.getComputedStyle(this, pseudo).getPropertyValue(property).trim(); },
  isActiveElement(this: Element) { return this.doc.activeElement === this; },
};

const styleHelpers = {
  setCssStyles(this: El, styles: Partial<CSSStyleDeclaration>) { Object.assign(this.style, styles); },
  setCssProps(this: El, properties: Record<string, string>) { for (const [name, value] of Object.entries(properties)) this.style.setProperty(name, value); },
};

const htmlHelpers = {
  show(this: HTMLElement) { this.style.display = ''; },
  hide(this: HTMLElement) { this.style.display = 'none'; },
  toggle(this: HTMLElement, show: boolean) { this.style.display = show ? '' : 'none'; },
  toggleVisibility(this: HTMLElement, visible: boolean) { this.style.visibility = visible ? '' : 'hidden'; },
  isShown(this: HTMLElement) { return this.offsetParent !== null; },
  trigger(this: HTMLElement, type: string) { this.dispatchEvent(new Event(type, { bubbles: true, cancelable: true })); },
  onClickEvent(this: HTMLElement, listener: (event: MouseEvent) => unknown, options?: AddEventListenerOptions) {
    this.addEventListener('click', listener, options);
    this.addEventListener('auxclick', listener, options);
  },
  onWindowMigrated(this: HTMLElement, callback: (win: Window) => unknown) {
    const callbacks = migrations.get(this) ?? new Set();
    migrations.set(this, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) migrations.delete(this);
    };
  },
};
