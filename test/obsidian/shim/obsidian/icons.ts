/** Icons, drawn as one plain square for each name: which icon was asked for can be read, how it looks cannot. */
import type * as obsidian from 'obsidian';

const SVG = 'http://www.w3.org/2000/svg';
const added = new Map<string, string>();

export function getIcon(id: string): SVGSVGElement {
  const svg = activeDocument.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ class: `svg-icon lucide-${id}`, width: '24', height: '24', viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'aria-hidden': 'true' })) svg.setAttribute(name, value);
  const square = activeDocument.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ x: '4', y: '4', width: '16', height: '16', rx: '3' })) square.setAttribute(name, value);
  svg.append(square);
  return svg;
}

/** The icon takes the place of what is in the element. */
export function setIcon(parent: HTMLElement, id: string): void {
  parent.replaceChildren(getIcon(id));
}

export function addIcon(id: string, content: string): void {
  added.set(id, content);
}

export function removeIcon(id: string): void {
  added.delete(id);
}

export function getIconIds(): string[] {
  return [...added.keys()];
}

/** In the app a tooltip is the element's label; it is shown on hover, here it can be read. */
export function setTooltip(el: HTMLElement, tooltip: string, options: obsidian.TooltipOptions = {}): void {
  el.setAttribute('aria-label', tooltip);
  if (options.placement) el.dataset['tooltipPosition'] = options.placement;
}
