/**
 * How traces are sent: off until the user types an endpoint and switches it on, with a test span that shows all that would
 * leave this computer (F140, D31, D32). What a person types stays until it is saved or discarded, whatever comes in meanwhile.
 */
import type { ExportState } from '../otel/exporter/exporter.ts';
import type { TraceSettings } from '../otel/exporter/settings.ts';
import { button, fill, freshId, make, setAttribute, windowOf } from './dom.ts';
import { drawTestSpan, type TestResult } from './test-span.ts';
import { TraceFields, type FieldsActions, type TraceExamples, type TraceFaults } from './traces-fields.ts';
import type { SecretName } from './traces-headers.ts';
import { visible } from './visible.ts';
import { TRACES, tracesState } from './words.ts';

export type { TestResult } from './test-span.ts';
export type { TraceFaults } from './traces-fields.ts';

export interface TracesData {
  readonly settings: TraceSettings;
  readonly secrets: readonly SecretName[];
  readonly state: ExportState;
  readonly examples: TraceExamples;
}

/** Each rejects with an error whose message can be shown. */
export interface TracesActions extends Pick<FieldsActions, 'setSecret' | 'deleteSecret'> {
  check(settings: TraceSettings): Promise<TraceFaults>;
  /** Answers the settings as they are kept. */
  save(settings: TraceSettings): Promise<TraceSettings>;
  test(settings: TraceSettings): Promise<TestResult>;
}

export interface TracesView {
  /** Shows how sending stands; and the settings, unless somebody is changing them here. */
  update(data: TracesData): void;
}

export function drawTraces(element: HTMLElement, data: TracesData, actions: TracesActions): TracesView {
  return new TracesForm(element, data, actions);
}

interface Said {
  readonly sentence: string;
  readonly good: boolean;
}

class TracesForm implements TracesView {
  readonly #actions: TracesActions;
  readonly #fields: TraceFields;
  readonly #state: HTMLElement;
  readonly #problem: HTMLElement;
  readonly #save: HTMLButtonElement;
  readonly #test: HTMLButtonElement;
  readonly #discard: HTMLButtonElement;
  readonly #unsaved: HTMLElement;
  readonly #status: HTMLElement;
  readonly #result: HTMLElement;
  #stopResult: () => void = () => undefined;
  #data: TracesData;
  /** The settings that the form was filled with. */
  #base: TraceSettings;
  #busy = false;
  #checks = 0;
  /** Leaving a field for a button is a press on that button: it must not move away from under it. */
  #released: Promise<void> = Promise.resolve();

  constructor(element: HTMLElement, data: TracesData, actions: TracesActions) {
    this.#actions = actions;
    this.#data = data;
    this.#base = data.settings;
    const form = make(element, 'form', { class: 'mh-form', novalidate: true, 'aria-label': TRACES.title });
    this.#fields = new TraceFields(form, data.examples, { ...actions, changed: () => this.#changed() });
    const testAbout = freshId();
    this.#save = make(element, 'button', { type: 'submit', class: 'mh-button mh-button-main' }, TRACES.save);
    this.#test = button(element, TRACES.test, { class: 'mh-button', 'aria-describedby': testAbout }, () => void this.#sendTest());
    this.#discard = button(element, TRACES.discard, { class: 'mh-button' }, () => this.#discardTyped());
    this.#unsaved = make(element, 'p', { class: 'mh-muted mh-unsaved' });
    this.#status = make(element, 'p', { class: 'mh-form-status', role: 'status' });
    form.append(make(element, 'div', { class: 'mh-form-foot' }, make(element, 'div', { class: 'mh-form-buttons' }, this.#save, this.#test, this.#discard), this.#unsaved, this.#status,
      make(element, 'p', { class: 'mh-field-about mh-muted', id: testAbout }, TRACES.testAbout)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#sendSave();
    });
    form.addEventListener('pointerdown', () => {
      this.#released = nextRelease(form);
    });
    form.addEventListener('input', () => this.#mark());
    form.addEventListener('change', () => this.#changed());
    this.#state = make(element, 'p', { 'data-mh': 'traces-state' });
    this.#problem = make(element, 'p', { class: 'mh-fault', role: 'status' });
    this.#result = make(element, 'section', { class: 'mh-sent', hidden: true });
    fill(element, make(element, 'p', { class: 'mh-about' }, TRACES.about), make(element, 'p', { class: 'mh-about' }, TRACES.what), this.#state, this.#problem, form, this.#result);
    this.#fill(data.settings);
    this.update(data);
  }

  update(data: TracesData): void {
    this.#data = data;
    this.#showState();
    if (this.#busy) return; // the answer says what is kept
    const { settings } = data;
    if (!same(settings, this.#base) && (!this.#isTyped() || same(settings, this.#fields.read()))) this.#fill(settings);
    else this.#mark();
  }

  #showState(): void {
    const { state } = this.#data;
    const { sentence, tone } = tracesState(state);
    this.#state.textContent = sentence;
    this.#state.className = `mh-traces-state mh-tone-${tone}`;
    // Read out when it is another one; the count of spans never is.
    if (this.#problem.dataset['of'] === state.problem) return;
    setAttribute(this.#problem, 'data-of', state.problem);
    fill(this.#problem, visible(this.#problem, state.problem ?? ''));
  }

  #fill(settings: TraceSettings): void {
    this.#base = settings;
    this.#fields.fill(settings);
    this.#changed();
  }

  #isTyped(): boolean {
    return !same(this.#fields.read(), this.#base) || this.#fields.hasSecrets();
  }

  /** Says what is not saved, and which secrets are there. */
  #mark(): void {
    const typed = this.#isTyped();
    const words = !typed ? '' : same(this.#data.settings, this.#base) ? TRACES.unsaved : TRACES.changedElsewhere;
    if (this.#unsaved.textContent !== words) this.#unsaved.textContent = words;
    this.#discard.hidden = !typed;
    this.#fields.showSecrets(this.#data.secrets);
  }

  #changed(): void {
    this.#mark();
    void this.#check();
  }

  async #check(): Promise<void> {
    const check = ++this.#checks;
    await this.#released;
    if (!this.#fields.looksRight()) return;
    const faults = await this.#actions.check(this.#fields.read()).catch(() => undefined); // it is looked over once more when it is saved
    await this.#released;
    if (faults && check === this.#checks) this.#fields.showFaults(faults);
  }

  #discardTyped(): void {
    this.#fill(this.#data.settings);
    this.#say('', 'quiet');
    this.#save.focus(); // the button that was pressed has gone
  }

  #sendSave(): Promise<void> {
    return this.#act(TRACES.saving, async (settings) => {
      const kept = await this.#actions.save(settings);
      this.#base = kept;
      if (same(settings, this.#fields.read())) this.#fill(kept); // else somebody types on
      return { sentence: TRACES.saved, good: true };
    });
  }

  #sendTest(): Promise<void> {
    return this.#act(TRACES.testing, async (settings) => {
      const result = await this.#actions.test(settings);
      this.#stopResult();
      this.#result.hidden = false;
      this.#stopResult = drawTestSpan(this.#result, result);
      return { sentence: result.sentence, good: result.arrived };
    });
  }

  /** One at a time. Secrets that are typed are set before. */
  async #act(meanwhile: string, act: (settings: TraceSettings) => Promise<Said>): Promise<void> {
    if (this.#busy) return;
    if (!this.#fields.looksRight()) {
      this.#say(TRACES.lookAbove, 'bad');
      return;
    }
    this.#setBusy(true);
    this.#say(meanwhile, 'quiet');
    try {
      await this.#fields.setSecrets();
      const { sentence, good } = await act(this.#fields.read());
      this.#say(sentence, good ? 'good' : 'bad');
    } catch (error) {
      this.#say((error as Error).message, 'bad');
    }
    this.#setBusy(false);
    this.#changed();
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    for (const each of [this.#save, this.#test]) setAttribute(each, 'aria-disabled', busy ? 'true' : undefined);
  }

  #say(sentence: string, tone: 'good' | 'quiet' | 'bad'): void {
    this.#status.className = `mh-form-status mh-tone-${tone}`;
    fill(this.#status, visible(this.#status, sentence));
  }
}

/** Resolves when the press that has begun is over, and its click told. */
function nextRelease(near: Element): Promise<void> {
  const view = windowOf(near);
  return new Promise((resolve) => {
    for (const end of ['pointerup', 'pointercancel']) view.addEventListener(end, () => view.setTimeout(resolve), { once: true });
  });
}

/** Plain data, compared by what it says. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
