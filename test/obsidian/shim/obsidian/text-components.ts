/** The controls that are typed into or drawn along: text, search, text area, number, colour, slider, progress. */
import type * as obsidian from 'obsidian';
import { ShimValueComponent } from './components.ts';

export class ShimAbstractText<T extends HTMLInputElement | HTMLTextAreaElement> extends ShimValueComponent<string> implements obsidian.AbstractTextComponent<T> {
  inputEl: T;
  #changed: ((value: string) => unknown) | undefined;

  constructor(inputEl: T) {
    super();
    this.inputEl = inputEl;
    inputEl.addEventListener('input', () => this.onChanged());
  }

  override setDisabled(disabled: boolean): this {
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string { return this.inputEl.value; }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChanged(): void {
    this.#changed?.(this.getValue());
  }

  onChange(callback: (value: string) => unknown): this {
    this.#changed = callback;
    return this;
  }
}

export class ShimText extends ShimAbstractText<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('input', { type: 'text', attr: { spellcheck: false } }));
  }
}

export class ShimTextArea extends ShimAbstractText<HTMLTextAreaElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('textarea', { attr: { spellcheck: false } }));
  }
}

export class ShimSearch extends ShimAbstractText<HTMLInputElement> implements obsidian.SearchComponent {
  clearButtonEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    const box = containerEl.createDiv('search-input-container');
    super(box.createEl('input', { type: 'search', attr: { spellcheck: false, enterkeyhint: 'search' } }));
    this.clearButtonEl = box.createDiv({ cls: 'search-input-clear-button', attr: { 'aria-label': 'Clear search', role: 'button' } });
    this.clearButtonEl.addEventListener('click', () => {
      this.setValue('');
      this.onChanged();
    });
  }
}

export class ShimSlider extends ShimValueComponent<number> implements obsidian.SliderComponent {
  sliderEl: HTMLInputElement;
  readonly #shown: HTMLElement;
  #format: (value: number) => string = String;
  #changed: ((value: number) => unknown) | undefined;
  #instant = false;

  constructor(containerEl: HTMLElement) {
    super();
    this.#shown = containerEl.createSpan('slider-value');
    this.sliderEl = containerEl.createEl('input', { cls: 'slider', type: 'range' });
    this.sliderEl.addEventListener('input', () => this.#show(this.#instant));
    this.sliderEl.addEventListener('change', () => this.#show(!this.#instant));
  }

  override setDisabled(disabled: boolean): this {
    this.sliderEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setInstant(instant: boolean): this {
    this.#instant = instant;
    return this;
  }

  setLimits(min: number | null, max: number | null, step: number | 'any'): this {
    if (min !== null) this.sliderEl.min = String(min);
    if (max !== null) this.sliderEl.max = String(max);
    this.sliderEl.step = String(step);
    return this;
  }

  getValue(): number { return this.sliderEl.valueAsNumber; }

  setValue(value: number): this {
    this.sliderEl.value = String(value);
    this.#show(false);
    return this;
  }

  getValuePretty(): string { return this.#format(this.getValue()); }

  setDisplayFormat(format: (value: number) => string): this {
    this.#format = format;
    this.#show(false);
    return this;
  }

  setDynamicTooltip(): this { return this; }
  showTooltip(): void {}

  onChange(callback: (value: number) => unknown): this {
    this.#changed = callback;
    return this;
  }

  #show(tell: boolean): void {
    this.#shown.setText(this.getValuePretty());
    if (tell) this.#changed?.(this.getValue());
  }
}

export class ShimColor extends ShimValueComponent<string> {
  readonly colorPickerEl: HTMLInputElement;
  #changed: ((value: string) => unknown) | undefined;

  constructor(containerEl: HTMLElement) {
    super();
    this.colorPickerEl = containerEl.createEl('input', { type: 'color' });
    this.colorPickerEl.addEventListener('change', () => void this.#changed?.(this.getValue()));
  }

  getValue(): string { return this.colorPickerEl.value; }

  setValue(value: string): this {
    this.colorPickerEl.value = value;
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.#changed = callback;
    return this;
  }
}

export class ShimProgress extends ShimValueComponent<number> implements obsidian.ProgressBarComponent {
  readonly #bar: HTMLElement;
  #value = 0;

  constructor(containerEl: HTMLElement) {
    super();
    this.#bar = containerEl.createDiv('setting-progress-bar').createDiv('setting-progress-bar-inner');
  }

  getValue(): number { return this.#value; }

  setValue(value: number): this {
    this.#value = value;
    this.#bar.style.width = `${value}%`;
    return this;
  }
}
