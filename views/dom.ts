/**
 * Makes elements: by the document of the element they are for, and with text as text. No other file of the views names a
 * tag's attribute or a listener by hand, and none has a way to make markup out of a string.
 */

type Child = Node | string | undefined | false;

/** `true` sets an empty attribute; `undefined` and `false` leave it out. */
export interface Properties {
  readonly [attribute: string]: string | boolean | undefined;
}

/** A new element, made for the document of `near`, with attributes and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  near: Element, tag: Tag, properties: Properties = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = near.ownerDocument.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setAttribute(element, name, value);
  add(element, ...children);
  return element;
}

/** Sets an attribute, or takes it away. */
export function setAttribute(element: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : value);
}

/** Appends what is there. */
export function add(parent: Element, ...children: readonly Child[]): void {
  for (const child of children) if (child !== undefined && child !== false) parent.append(child);
}

/** Takes everything out of an element, then puts the children in. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  add(parent, ...children);
}

/** A button that submits no form. */
export function button(near: Element, label: Node | string, properties: Properties, onClick: (event: MouseEvent) => void): HTMLButtonElement {
  const element = make(near, 'button', { type: 'button', ...properties }, label);
  element.addEventListener('click', onClick);
  return element;
}

/** The window that shows an element's document: timers, clocks and observers come from it. */
export function windowOf(element: Element): NonNullable<Document['defaultView']> {
  const view = element.ownerDocument.defaultView;
  if (!view) throw new Error('The element belongs to a document that no window shows.');
  return view;
}

let ids = 0;

/** An id for `aria-labelledby` and the like, that no other element has. */
export function freshId(): string {
  return `mh-${++ids}`;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing of 16 × 16 from path data. Says nothing to a screen reader: words stand beside it. */
export function icon(near: Element, path: string): SVGSVGElement {
  const doc = near.ownerDocument;
  const svg = doc.createElementNS(SVG, 'svg');
  for (const [name, value] of [['viewBox', '0 0 16 16'], ['class', 'mh-icon'], ['aria-hidden', 'true'], ['focusable', 'false']] as const) svg.setAttribute(name, value);
  const line = doc.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
