/** A row of settings, and a group of rows under a heading. */
import type * as obsidian from 'obsidian';
import { ShimButton, ShimDisplayValue, ShimDropdown, ShimExtraButton, ShimToggle } from './components.ts';
import { setTooltip } from './icons.ts';
import { ShimColor, ShimProgress, ShimSearch, ShimSlider, ShimText, ShimTextArea } from './text-components.ts';

export class ShimSetting implements obsidian.Setting {
  settingEl: HTMLElement;
  infoEl: HTMLElement;
  nameEl: HTMLElement;
  descEl: HTMLElement;
  controlEl: HTMLElement;
  components: obsidian.BaseComponent[] = [];
  errorEl: HTMLElement | null = null;

  constructor(containerEl: HTMLElement) {
    this.settingEl = containerEl.createDiv('setting-item');
    this.infoEl = this.settingEl.createDiv('setting-item-info');
    this.nameEl = this.infoEl.createDiv('setting-item-name');
    this.descEl = this.infoEl.createDiv('setting-item-description');
    this.controlEl = this.settingEl.createDiv('setting-item-control');
  }

  setErrorMessage(message: string | null): this {
    this.settingEl.toggleClass('is-invalid', Boolean(message));
    this.errorEl ??= this.infoEl.createDiv({ cls: 'setting-item-error', attr: { role: 'alert' } });
    this.errorEl.setText(message ?? '');
    return this;
  }

  setName(name: string | DocumentFragment): this {
    this.nameEl.setText(name);
    return this;
  }

  setDesc(desc: string | DocumentFragment): this {
    this.descEl.setText(desc);
    return this;
  }

  setClass(cls: string): this {
    this.settingEl.addClass(cls);
    return this;
  }

  setTooltip(tooltip: string, options?: obsidian.TooltipOptions): this {
    setTooltip(this.nameEl, tooltip, options);
    return this;
  }

  setHeading(): this {
    return this.setClass('setting-item-heading');
  }

  setDisabled(disabled: boolean): this {
    this.settingEl.toggleClass('is-disabled', disabled);
    for (const component of this.components) component.setDisabled(disabled);
    return this;
  }

  addDisplayValue(callback: (component: obsidian.DisplayValueComponent) => unknown): this {
    callback(new ShimDisplayValue(this.controlEl));
    return this;
  }

  addButton(callback: (component: obsidian.ButtonComponent) => unknown): this { return this.#add(new ShimButton(this.controlEl), callback); }
  addExtraButton(callback: (component: obsidian.ExtraButtonComponent) => unknown): this { return this.#add(new ShimExtraButton(this.controlEl), callback); }
  addToggle(callback: (component: obsidian.ToggleComponent) => unknown): this { return this.#add(new ShimToggle(this.controlEl), callback); }
  addText(callback: (component: obsidian.TextComponent) => unknown): this { return this.#add(new ShimText(this.controlEl), callback); }
  addSearch(callback: (component: obsidian.SearchComponent) => unknown): this { return this.#add(new ShimSearch(this.controlEl), callback); }
  addTextArea(callback: (component: obsidian.TextAreaComponent) => unknown): this { return this.#add(new ShimTextArea(this.controlEl), callback); }
  addDropdown(callback: (component: obsidian.DropdownComponent) => unknown): this { return this.#add(new ShimDropdown(this.controlEl), callback); }
  addSlider(callback: (component: obsidian.SliderComponent) => unknown): this { return this.#add(new ShimSlider(this.controlEl), callback); }
  addProgressBar(callback: (component: obsidian.ProgressBarComponent) => unknown): this { return this.#add(new ShimProgress(this.controlEl), callback); }
  addColorPicker(callback: (component: obsidian.ColorComponent) => unknown): this { return this.#add(new ShimColor(this.controlEl) as unknown as obsidian.ColorComponent, callback); }

  /** Needs the app's date library. */
  addMomentFormat(): this { throw new Error('Setting.addMomentFormat is not in the shim.'); }

  addComponent<T extends obsidian.BaseComponent>(callback: (el: HTMLElement) => T): this {
    this.components.push(callback(this.controlEl));
    return this;
  }

  then(callback: (setting: this) => unknown): this {
    callback(this);
    return this;
  }

  clear(): this {
    this.controlEl.empty();
    this.components = [];
    return this;
  }

  #add<T extends obsidian.BaseComponent>(component: T, callback: (component: T) => unknown): this {
    this.components.push(component);
    callback(component);
    return this;
  }
}

export class ShimSettingGroup implements obsidian.SettingGroup {
  readonly groupEl: HTMLElement;
  listEl: HTMLElement;
  readonly #heading: ShimSetting;

  constructor(containerEl: HTMLElement) {
    this.groupEl = containerEl.createDiv('setting-group');
    this.#heading = new ShimSetting(this.groupEl).setHeading();
    this.#heading.settingEl.hide();
    this.listEl = this.groupEl.createDiv('setting-items');
  }

  setHeading(text: string | DocumentFragment): this {
    this.#heading.setName(text).settingEl.show();
    return this;
  }

  addClass(...classes: string[]): this {
    this.groupEl.addClass(...classes);
    return this;
  }

  addSetting(callback: (setting: obsidian.Setting) => void): this {
    callback(new ShimSetting(this.listEl));
    return this;
  }

  addSearch(callback: (component: obsidian.SearchComponent) => unknown): this {
    this.#heading.addSearch(callback).settingEl.show();
    return this;
  }

  addExtraButton(callback: (component: obsidian.ExtraButtonComponent) => unknown): this {
    this.#heading.addExtraButton(callback).settingEl.show();
    return this;
  }
}
