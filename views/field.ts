/** A field of a form: its label, what it is for, and what is wrong with what stands in it, read out together. */
import { freshId, make, setAttribute } from './dom.ts';

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** What is wrong; `undefined` if nothing is. */
  fault(sentence: string | undefined): void;
}

export interface FieldOptions {
  readonly label: string;
  readonly about?: string;
  /** Attributes of the input. */
  readonly input: { readonly [attribute: string]: string };
  /** Stands behind the input: a unit, or buttons that fill it in. */
  readonly beside?: Node;
}

export function drawField(near: Element, { label, about, input: attributes, beside }: FieldOptions): Field {
  const [aboutId, faultId] = [freshId(), freshId()];
  const input = make(near, 'input', { autocomplete: 'off', spellcheck: 'false', class: 'mh-input', 'aria-describedby': about === undefined ? faultId : `${aboutId} ${faultId}`, ...attributes });
  const fault = make(near, 'p', { class: 'mh-fault', id: faultId, 'aria-live': 'polite' });
  const element = make(near, 'div', { class: 'mh-field' },
    make(near, 'label', {}, make(near, 'span', { class: 'mh-label' }, label), input), beside,
    about !== undefined && make(near, 'p', { class: 'mh-field-about mh-muted', id: aboutId }, about), fault);
  return { element, input, fault: (sentence) => setFault(input, fault, sentence) };
}

/** Told once: a sentence that stands there already is not read out again. */
export function setFault(input: Element | undefined, place: HTMLElement, sentence = ''): void {
  if (place.textContent !== sentence) place.textContent = sentence;
  if (input) setAttribute(input, 'aria-invalid', sentence === '' ? undefined : 'true');
}
