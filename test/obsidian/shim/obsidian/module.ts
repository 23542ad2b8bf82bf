/** What `require('obsidian')` answers. Each class is held against the real one by the compiler. */
import type * as obsidian from 'obsidian';
import type { Bridge } from '../node/bridge.ts';
import { ShimAdapter } from './adapter.ts';
import { ShimBaseComponent, ShimButton, ShimDisplayValue, ShimDropdown, ShimExtraButton, ShimToggle, ShimValueComponent } from './components.ts';
import { ShimComponent } from './component.ts';
import { ShimEvents } from './events.ts';
import { normalizePath, ShimAbstractFile, ShimFile, ShimFolder } from './files.ts';
import { debounce, makeRequestUrl, PLATFORM } from './functions.ts';
import { addIcon, getIcon, getIconIds, removeIcon, setIcon, setTooltip } from './icons.ts';
import { ShimKeymap, ShimScope } from './keys.ts';
import { ShimConfirmation, ShimModal } from './modal.ts';
import { ShimNotice } from './notice.ts';
import { ShimPlugin } from './plugin.ts';
import { ShimPluginSettingTab, ShimSettingPage, ShimSettingTab } from './setting-tab.ts';
import { ShimSetting, ShimSettingGroup } from './setting.ts';
import { standsFor } from './stands.ts';
import { ShimFuzzySuggestModal } from './suggest.ts';
import { ShimAbstractText, ShimProgress, ShimSearch, ShimSlider, ShimText, ShimTextArea } from './text-components.ts';
import { API_VERSION, isAtLeast } from './version.ts';
import { ShimItemView, ShimView } from './view.ts';

type Real = typeof obsidian;

export function makeObsidian(bridge: Bridge) {
  const requestUrl = makeRequestUrl(bridge);
  const functions = {
    apiVersion: API_VERSION,
    requireApiVersion: (version: string) => isAtLeast(API_VERSION, version),
    Platform: PLATFORM,
    debounce, normalizePath, requestUrl,
    request: (given: obsidian.RequestUrlParam | string) => requestUrl(given).text,
    addIcon, getIcon, getIconIds, removeIcon, setIcon, setTooltip,
    getLanguage: () => 'en',
  } satisfies Partial<Real>;
  return {
    ...functions,
    Component: standsFor<Real['Component']>(ShimComponent),
    Events: standsFor<Real['Events']>(ShimEvents),
    Plugin: standsFor<Real['Plugin']>(ShimPlugin),
    Modal: standsFor<Real['Modal']>(ShimModal),
    ConfirmationModal: standsFor<Real['ConfirmationModal']>(ShimConfirmation),
    FuzzySuggestModal: ShimFuzzySuggestModal,
    Notice: standsFor<Real['Notice']>(ShimNotice),
    Scope: standsFor<Real['Scope']>(ShimScope),
    Keymap: standsFor<Real['Keymap']>(ShimKeymap),
    View: standsFor<Real['View']>(ShimView),
    ItemView: standsFor<Real['ItemView']>(ShimItemView),
    TAbstractFile: ShimAbstractFile,
    TFile: ShimFile,
    TFolder: ShimFolder,
    FileSystemAdapter: ShimAdapter,
    Setting: standsFor<Real['Setting']>(ShimSetting),
    SettingGroup: standsFor<Real['SettingGroup']>(ShimSettingGroup),
    SettingTab: ShimSettingTab,
    PluginSettingTab: standsFor<Real['PluginSettingTab']>(ShimPluginSettingTab),
    SettingPage: standsFor<Real['SettingPage']>(ShimSettingPage),
    BaseComponent: standsFor<Real['BaseComponent']>(ShimBaseComponent),
    ValueComponent: ShimValueComponent,
    AbstractTextComponent: ShimAbstractText,
    ButtonComponent: standsFor<Real['ButtonComponent']>(ShimButton),
    ExtraButtonComponent: standsFor<Real['ExtraButtonComponent']>(ShimExtraButton),
    ToggleComponent: standsFor<Real['ToggleComponent']>(ShimToggle),
    DropdownComponent: standsFor<Real['DropdownComponent']>(ShimDropdown),
    TextComponent: standsFor<Real['TextComponent']>(ShimText),
    TextAreaComponent: standsFor<Real['TextAreaComponent']>(ShimTextArea),
    SearchComponent: standsFor<Real['SearchComponent']>(ShimSearch),
    SliderComponent: standsFor<Real['SliderComponent']>(ShimSlider),
    ProgressBarComponent: standsFor<Real['ProgressBarComponent']>(ShimProgress),
    DisplayValueComponent: standsFor<Real['DisplayValueComponent']>(ShimDisplayValue),
  };
}
