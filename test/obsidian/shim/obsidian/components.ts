/** The controls of settings: buttons, toggles, texts, choices, sliders. Real elements, with Obsidian's class names. */
import type * as obsidian from 'obsidian';
import { setIcon, setTooltip } from './icons.ts';

export class ShimBaseComponent implements obsidian.BaseComponent {
  disabled = false;

  then(callback: (component: this) => unknown): this {
    callback(this);
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

export class ShimButton extends ShimBaseComponent implements obsidian.ButtonComponent {
  buttonEl: HTMLButtonElement;
  #clicked: ((event: MouseEvent) => unknown) | undefined;

  constructor(containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl('button');
    this.buttonEl.addEventListener('click', (event) => void this.#clicked?.(event));
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setCta(): this { return this.setClass('mod-cta'); }
  setWarning(): this { return this.setClass('mod-warning'); }
  setDestructive(): this { return this.setClass('mod-destructive'); }
  removeCta(): this { return this.#without('mod-cta'); }
  removeDestructive(): this { return this.#without('mod-destructive'); }

  setTooltip(tooltip: string, options?: obsidian.TooltipOptions): this {
    setTooltip(this.buttonEl, tooltip, options);
    return this;
  }

  setButtonText(name: string): this {
    this.buttonEl.setText(name);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.buttonEl, icon);
    return this;
  }

  setClass(cls: string): this {
    this.buttonEl.addClass(cls);
    return this;
  }

  onClick(callback: (event: MouseEvent) => unknown): this {
    this.#clicked = callback;
    return this;
  }

  #without(cls: string): this {
    this.buttonEl.removeClass(cls);
    return this;
  }
}

export class ShimExtraButton extends ShimBaseComponent implements obsidian.ExtraButtonComponent {
  extraSettingsEl: HTMLElement;
  #clicked: (() => unknown) | undefined;

  constructor(containerEl: HTMLElement) {
    super();
    this.extraSettingsEl = containerEl.createDiv({ cls: 'clickable-icon extra-setting-button', attr: { role: 'button', tabindex: 0 } });
    this.extraSettingsEl.addEventListener('click', () => this.#click());
    this.extraSettingsEl.addEventListener('keydown', ({ key }) => key === 'Enter' && this.#click());
  }

  override setDisabled(disabled: boolean): this {
    this.extraSettingsEl.toggleClass('is-disabled', disabled);
    this.extraSettingsEl.setAttr('aria-disabled', disabled);
    return super.setDisabled(disabled);
  }

  setTooltip(tooltip: string, options?: obsidian.TooltipOptions): this {
    setTooltip(this.extraSettingsEl, tooltip, options);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.extraSettingsEl, icon);
    return this;
  }

  onClick(callback: () => unknown): this {
    this.#clicked = callback;
    return this;
  }

  #click(): void {
    if (!this.disabled) this.#clicked?.();
  }
}

export abstract class ShimValueComponent<T> extends ShimBaseComponent implements obsidian.ValueComponent<T> {
  abstract getValue(): T;
  abstract setValue(value: T): this;

  registerOptionListener(listeners: Record<string, (value?: T) => T>, key: string): this {
    listeners[key] = (value) => {
      if (value !== undefined) this.setValue(value);
      return this.getValue();
    };
    return this;
  }
}

export class ShimToggle extends ShimValueComponent<boolean> implements obsidian.ToggleComponent {
  toggleEl: HTMLElement;
  readonly #box: HTMLInputElement;
  #changed: ((value: boolean) => unknown) | undefined;

  constructor(containerEl: HTMLElement) {
    super();
    this.toggleEl = containerEl.createDiv('checkbox-container');
    this.#box = this.toggleEl.createEl('input', { type: 'checkbox', attr: { tabindex: 0 } });
    this.toggleEl.addEventListener('click', (event) => {
      event.preventDefault();
      this.onClick();
    });
  }

  override setDisabled(disabled: boolean): this {
    this.toggleEl.toggleClass('is-disabled', disabled);
    this.#box.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.toggleEl.hasClass('is-enabled');
  }

  setValue(on: boolean): this {
    const before = this.getValue();
    this.toggleEl.toggleClass('is-enabled', on);
    // The box itself is set after the click that changes it is over: before, the browser would set it back.
    window.setTimeout(() => { this.#box.checked = this.getValue(); }, 0);
    if (on !== before) this.#changed?.(on);
    return this;
  }

  setTooltip(tooltip: string, options?: obsidian.TooltipOptions): this {
    setTooltip(this.toggleEl, tooltip, options);
    return this;
  }

  onClick(): void {
    if (!this.disabled) this.setValue(!this.getValue());
  }

  onChange(callback: (value: boolean) => unknown): this {
    this.#changed = callback;
    return this;
  }
}

export class ShimDropdown extends ShimValueComponent<string> implements obsidian.DropdownComponent {
  selectEl: HTMLSelectElement;
  #changed: ((value: string) => unknown) | undefined;

  constructor(containerEl: HTMLElement) {
    super();
    this.selectEl = containerEl.createEl('select', 'dropdown');
    this.selectEl.addEventListener('change', () => void this.#changed?.(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.selectEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  addOption(value: string, display: string): this {
    this.selectEl.createEl('option', { value, text: display });
    return this;
  }

  addOptions(options: Record<string, string>): this {
    for (const [value, display] of Object.entries(options)) this.addOption(value, display);
    return this;
  }

  getValue(): string { return this.selectEl.value; }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.#changed = callback;
    return this;
  }
}

/** A read-only value on a row, and a mark beside it. */
export class ShimDisplayValue implements obsidian.DisplayValueComponent {
  valueEl: HTMLElement;
  readonly #mark: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.#mark = containerEl.createSpan({ cls: 'setting-item-status' });
    this.valueEl = containerEl.createSpan({ cls: 'setting-item-display-value' });
    this.#mark.hide();
  }

  setValue(value: string | null): this {
    this.valueEl.setText(value ?? '');
    return this;
  }

  setStatus(status: 'warning' | null): this {
    this.#mark.toggle(status !== null);
    this.#mark.empty();
    this.#mark.className = 'setting-item-status';
    if (status === null) return this;
    this.#mark.addClass(`mod-${status}`);
    setIcon(this.#mark, 'alert-triangle');
    this.#mark.setAttrs({ 'aria-label': 'Needs attention', role: 'img' });
    return this;
  }
}
