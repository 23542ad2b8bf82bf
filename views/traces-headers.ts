/** The headers of traces: each names a secret, whose value can be set and forgotten here and is never shown. */
import { add, button, fill, make, setAttribute } from './dom.ts';
import { drawField, setFault } from './field.ts';
import { TRACES } from './words.ts';

/** A secret by its name, and the origin that it is for. */
export interface SecretName {
  readonly name: string;
  readonly origin: string;
}

export interface HeadersActions {
  /** A header was added or removed, or another one is named. */
  changed(): void;
  setSecret(name: string, value: string): Promise<void>;
  deleteSecret(name: string): Promise<void>;
}

interface Row {
  readonly element: HTMLElement;
  readonly header: HTMLInputElement;
  readonly name: HTMLInputElement;
  readonly value: HTMLInputElement;
  /** Says whether a value is set. */
  show(secrets: readonly SecretName[], origin: string | undefined): void;
}

export class HeaderRows {
  readonly element: HTMLElement;
  readonly #list: HTMLElement;
  readonly #fault: HTMLElement;
  readonly #addOne: HTMLElement;
  readonly #actions: HeadersActions;
  #rows: readonly Row[] = [];
  #secrets: readonly SecretName[] = [];
  #origin: string | undefined;

  constructor(near: Element, actions: HeadersActions) {
    this.#actions = actions;
    this.#list = make(near, 'ul', { class: 'mh-headers' });
    this.#fault = make(near, 'p', { class: 'mh-fault', 'aria-live': 'polite' });
    this.#addOne = button(near, TRACES.addHeader, { class: 'mh-button mh-button-small' }, () => {
      this.#append('', '').header.focus();
      actions.changed();
    });
    this.element = make(near, 'fieldset', { class: 'mh-field' },
      make(near, 'legend', { class: 'mh-label' }, TRACES.headers), make(near, 'p', { class: 'mh-field-about mh-muted' }, TRACES.headersAbout), this.#list, this.#addOne, this.#fault);
  }

  /** Rows that stand there already stay, with the focus in them. */
  fill(headers: { readonly [header: string]: string }): void {
    for (const { value } of this.#rows) value.value = '';
    if (JSON.stringify(Object.entries(headers)) === JSON.stringify(this.#rows.map(namesOf))) return;
    this.#rows = [];
    fill(this.#list);
    for (const [header, name] of Object.entries(headers)) this.#append(header, name);
  }

  /** Rows in which nothing stands are none. */
  read(): readonly (readonly [header: string, name: string])[] {
    return this.#rows.map(namesOf).filter(([header, name]) => header !== '' || name !== '');
  }

  fault(sentence: string | undefined): void {
    setFault(undefined, this.#fault, sentence);
  }

  /** `origin` of the endpoint that is typed. */
  show(secrets: readonly SecretName[], origin: string | undefined): void {
    this.#secrets = secrets;
    this.#origin = origin;
    for (const row of this.#rows) row.show(secrets, origin);
  }

  /** True if a value is typed that was not set yet. */
  hasValues(): boolean {
    return this.#rows.some(({ value }) => value.value !== '');
  }

  /** Sets every value that is typed. Rejects with an error that can be shown. */
  async setValues(): Promise<void> {
    for (const row of this.#rows) if (row.value.value !== '') await this.#set(row);
  }

  async #set({ name, value }: Row): Promise<void> {
    const sent = value.value;
    await this.#actions.setSecret(name.value.trim(), sent);
    if (value.value === sent) value.value = '';
    this.#actions.changed();
  }

  #append(header: string, name: string): Row {
    const row = this.#draw(header, name);
    this.#rows = [...this.#rows, row];
    add(this.#list, row.element);
    row.show(this.#secrets, this.#origin);
    return row;
  }

  #draw(headerNow: string, nameNow: string): Row {
    const near = this.#list;
    const header = drawField(near, { label: TRACES.header, input: { type: 'text', maxlength: '100', autocapitalize: 'none', placeholder: TRACES.headerExample } });
    const name = drawField(near, { label: TRACES.secretName, input: { type: 'text', maxlength: '100', autocapitalize: 'none', placeholder: TRACES.secretExample } });
    const value = drawField(near, { label: TRACES.secretValue, input: { type: 'password', autocomplete: 'new-password' } });
    const state = make(near, 'p', { class: 'mh-field-about mh-muted', 'data-mh': 'secret' });
    header.input.value = headerNow;
    name.input.value = nameNow;
    const tried = (act: Promise<void>): void => void act.then(() => value.fault(undefined), (error: Error) => value.fault(error.message));
    const set = button(near, TRACES.setValue, { class: 'mh-button mh-button-small' }, () => {
      if (value.input.value === '') value.input.focus();
      else tried(this.#set(row));
    });
    const forget = button(near, TRACES.forgetValue, { class: 'mh-button mh-button-small' }, () => {
      set.focus(); // this button goes with the value
      tried(this.#actions.deleteSecret(name.input.value.trim()));
    });
    const remove = button(near, TRACES.removeHeader, { class: 'mh-button mh-button-small' }, () => {
      this.#rows = this.#rows.filter((each) => each !== row);
      row.element.remove();
      this.#addOne.focus();
      this.#actions.changed();
    });
    const element = make(near, 'li', { class: 'mh-header', role: 'group' }, header.element, name.element, value.element, make(near, 'div', { class: 'mh-header-buttons' }, set, forget, remove), state);
    const show = (secrets: readonly SecretName[], origin: string | undefined): void => {
      const secret = secrets.find((each) => each.name === name.input.value.trim());
      forget.hidden = secret === undefined;
      state.textContent = TRACES.secretState(secret?.origin, origin);
      setAttribute(element, 'aria-label', TRACES.headerNamed(header.input.value.trim()));
    };
    for (const { input } of [header, name]) input.addEventListener('input', () => show(this.#secrets, this.#origin));
    const row: Row = { element, header: header.input, name: name.input, value: value.input, show };
    return row;
  }
}

function namesOf({ header, name }: Row): readonly [header: string, name: string] {
  return [header.value.trim(), name.value.trim()];
}
