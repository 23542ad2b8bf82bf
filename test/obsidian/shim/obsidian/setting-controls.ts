/** Draws one control of a declarative setting: its value from the tab, its changes checked and given back to the tab. */
import type * as obsidian from 'obsidian';
import type { ShimSetting } from './setting.ts';

/** Draws the control into the row. */
export function drawControl(setting: ShimSetting, control: obsidian.SettingControl, tab: obsidian.SettingTab): void {
  const changed = (value: unknown): void => void change(setting, control, tab, value);
  const stored = tab.getControlValue(control.key) ?? undefined;
  checkStored(setting, control, stored ?? control.defaultValue);
  switch (control.type) {
    case 'toggle':
      setting.addToggle((toggle) => toggle.setValue(Boolean(stored ?? control.defaultValue ?? false)).onChange(changed));
      return;
    case 'dropdown':
      setting.addDropdown((dropdown) => dropdown.addOptions(control.options).setValue(text(stored ?? control.defaultValue)).onChange(changed));
      return;
    case 'text':
    case 'file':
    case 'folder':
      setting.addText((input) => input.setPlaceholder(control.placeholder ?? '').setValue(text(stored ?? control.defaultValue)).onChange(changed));
      return;
    case 'textarea':
      setting.addTextArea((area) => {
        area.setPlaceholder(control.placeholder ?? '').setValue(text(stored ?? control.defaultValue)).onChange(changed);
        if (control.rows !== undefined) area.inputEl.rows = control.rows;
      });
      return;
    case 'number':
      setting.addText((input) => {
        Object.assign(input.inputEl, { type: 'number', min: text(control.min), max: text(control.max), step: text(control.step) });
        input.setPlaceholder(control.placeholder ?? '').setValue(text(stored ?? control.defaultValue));
        input.onChange((typed) => changed(Number.isNaN(Number.parseFloat(typed)) ? (control.defaultValue ?? 0) : Number.parseFloat(typed)));
      });
      return;
    case 'slider':
      setting.addSlider((slider) => {
        slider.setLimits(control.min, control.max, control.step).setDisplayFormat(control.displayFormat ?? String);
        slider.setValue(Number(stored ?? control.defaultValue ?? control.min)).onChange(changed);
      });
      return;
    case 'color':
      setting.addColorPicker((picker) => picker.setValue(text(stored ?? control.defaultValue) || '#000000').onChange(changed));
  }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A value that was stored earlier may be wrong already: it is said, and left as it is. */
function checkStored(setting: ShimSetting, control: obsidian.SettingControl, value: unknown): void {
  if (value === undefined) return;
  void messageAbout(control, value).then((message) => {
    if (message !== null) setting.setErrorMessage(message);
  });
}

async function change(setting: ShimSetting, control: obsidian.SettingControl, tab: obsidian.SettingTab, value: unknown): Promise<void> {
  const message = await messageAbout(control, value);
  setting.setErrorMessage(message);
  if (message === null) await tab.setControlValue(control.key, value);
}

/** What the plugin has against a value; null if nothing. */
async function messageAbout(control: obsidian.SettingControl, value: unknown): Promise<string | null> {
  const validate = control.validate as ((value: unknown) => string | void | Promise<string | void>) | undefined;
  return (await validate?.(value)) || null;
}
