/** A link that leaves: in a new tab, which learns nothing of where it was opened from. */
import { make } from './dom.ts';
import { NEW_TAB } from './words.ts';

/** `url` comes from whoever checked it: it begins with `http://` or `https://`. */
export function linkOut(near: Element, url: string, content: Node | string): HTMLAnchorElement {
  return make(near, 'a', { class: 'mh-link', href: url, target: '_blank', rel: 'noopener noreferrer' }, content, make(near, 'span', { class: 'mh-spoken' }, ` ${NEW_TAB}`));
}
