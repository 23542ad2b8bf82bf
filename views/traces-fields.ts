/** The fields of the settings of traces: filled from settings, read as settings, each with what is wrong with it beside it. */
import type { TraceSettings } from '../otel/exporter/settings.ts';
import { add, button, freshId, make } from './dom.ts';
import { drawField, type Field } from './field.ts';
import { HeaderRows, type SecretName } from './traces-headers.ts';
import { TRACES } from './words.ts';

/** What is wrong with settings, in a sentence for each field. */
export interface TraceFaults {
  readonly endpoint?: string;
  readonly headers?: string;
  readonly traceUrl?: string;
}

/** For those who do not know what to type. */
export interface TraceExamples {
  readonly endpoint: string;
  readonly traceUrls: readonly { readonly name: string; readonly template: string }[];
}

export interface FieldsActions {
  /** A field was changed by one of its own buttons. */
  readonly changed: () => void;
  /** For the origin of that endpoint. */
  readonly setSecret: (name: string, value: string, endpoint: string) => Promise<void>;
  readonly deleteSecret: (name: string) => Promise<void>;
}

export class TraceFields {
  readonly #send: HTMLInputElement;
  readonly #endpoint: Field;
  readonly #headers: HeaderRows;
  readonly #share: Field;
  readonly #service: Field;
  readonly #traceUrl: Field;

  /** Draws them at the end of the form. */
  constructor(form: Element, examples: TraceExamples, { changed, setSecret, deleteSecret }: FieldsActions) {
    const sendAbout = freshId();
    this.#send = make(form, 'input', { type: 'checkbox', role: 'switch', class: 'mh-switch', 'aria-describedby': sendAbout });
    this.#endpoint = drawField(form, { label: TRACES.endpoint, about: TRACES.endpointAbout, input: { type: 'url', inputmode: 'url', placeholder: examples.endpoint, maxlength: '4000' } });
    this.#headers = new HeaderRows(form, { changed, deleteSecret, setSecret: (name, value) => setSecret(name, value, this.#endpoint.input.value.trim()) });
    this.#share = drawField(form, { label: TRACES.share, about: TRACES.shareAbout, input: { type: 'number', min: '0', max: '100', step: 'any', inputmode: 'decimal' } });
    this.#service = drawField(form, { label: TRACES.service, about: TRACES.serviceAbout, input: { type: 'text', maxlength: '100' } });
    const presets = make(form, 'div', { class: 'mh-presets', role: 'group', 'aria-label': TRACES.presets }, make(form, 'span', { class: 'mh-muted', 'aria-hidden': 'true' }, `${TRACES.presets}:`),
      ...examples.traceUrls.map(({ name, template }) => button(form, name, { class: 'mh-button mh-button-small' }, () => {
        this.#traceUrl.input.value = template;
        changed();
      })));
    this.#traceUrl = drawField(form, { label: TRACES.traceUrl, about: TRACES.traceUrlAbout, input: { type: 'text', inputmode: 'url', maxlength: '4000' }, beside: presets });
    add(form,
      make(form, 'div', { class: 'mh-field' }, make(form, 'label', { class: 'mh-switch-line' }, this.#send, make(form, 'span', {}, TRACES.send)), make(form, 'p', { class: 'mh-field-about mh-muted', id: sendAbout }, TRACES.sendAbout)),
      this.#endpoint.element, this.#headers.element, make(form, 'div', { class: 'mh-field-pair' }, this.#share.element, this.#service.element), this.#traceUrl.element);
  }

  /** Puts the settings in place of what is typed; values of secrets go. */
  fill({ send, endpoint, headers, sampleRate, serviceName, traceUrl }: TraceSettings): void {
    this.#send.checked = send;
    this.#endpoint.input.value = endpoint;
    this.#headers.fill(headers);
    this.#share.input.value = String(Number((sampleRate * 100).toFixed(4)));
    this.#service.input.value = serviceName;
    this.#traceUrl.input.value = traceUrl;
  }

  /** The settings as they are typed. The share is none while {@link looksRight} is false. */
  read(): TraceSettings {
    return {
      send: this.#send.checked, endpoint: this.#endpoint.input.value.trim(), headers: Object.fromEntries(this.#headers.read()),
      sampleRate: Number((this.#percent() / 100).toFixed(6)), serviceName: this.#service.input.value.trim(), traceUrl: this.#traceUrl.input.value.trim(),
    };
  }

  /** Says what is wrong as far as it can be seen from here; true if nothing is. */
  looksRight(): boolean {
    const percent = this.#percent();
    const names = this.#headers.read().map(([header]) => header.toLowerCase());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    const shareIsRight = percent >= 0 && percent <= 100;
    this.#share.fault(shareIsRight ? undefined : TRACES.shareFault);
    if (twice !== undefined) this.#headers.fault(TRACES.headerTwice(twice));
    return shareIsRight && twice === undefined;
  }

  showFaults({ endpoint, headers, traceUrl }: TraceFaults): void {
    this.#endpoint.fault(endpoint);
    this.#headers.fault(headers);
    this.#traceUrl.fault(traceUrl);
  }

  showSecrets(secrets: readonly SecretName[]): void {
    const endpoint = this.#endpoint.input.value.trim();
    this.#headers.show(secrets, URL.canParse(endpoint) ? new URL(endpoint).origin : undefined);
  }

  /** True if the value of a secret is typed that was not set yet. */
  hasSecrets(): boolean {
    return this.#headers.hasValues();
  }

  /** Sets every value that is typed. Rejects with an error that can be shown. */
  setSecrets(): Promise<void> {
    return this.#headers.setValues();
  }

  #percent(): number {
    const typed = this.#share.input.value.trim();
    return typed === '' ? Number.NaN : Number(typed);
  }
}
