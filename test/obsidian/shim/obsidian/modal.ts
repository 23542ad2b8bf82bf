/**
 * Obsidian's `Modal`: over the active window, above those that are open already. Escape, the cross and a click beside it close
 * it; Tab stays in it; the focus goes back to where it was.
 */
import type * as obsidian from 'obsidian';
import { ShimButton } from './components.ts';
import { ShimScope } from './keys.ts';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';

export class ShimModal implements obsidian.Modal {
  app: obsidian.App;
  scope: obsidian.Scope;
  containerEl: HTMLElement;
  modalEl: HTMLElement;
  titleEl: HTMLElement;
  contentEl: HTMLElement;
  shouldRestoreSelection = true;
  #open = false;
  #before: Element | null = null;
  #closed: (() => unknown) | undefined;

  constructor(app: obsidian.App) {
    this.app = app;
    this.scope = new ShimScope();
    this.containerEl = createDiv('modal-container mod-dim');
    const behind = this.containerEl.createDiv('modal-bg');
    this.modalEl = this.containerEl.createDiv({ cls: 'modal', attr: { tabindex: -1 } });
    const cross = this.modalEl.createDiv('modal-close-button');
    this.titleEl = this.modalEl.createDiv('modal-header').createDiv('modal-title');
    this.contentEl = this.modalEl.createDiv('modal-content');
    behind.addEventListener('click', () => this.close());
    cross.addEventListener('click', () => this.close());
    this.scope.register([], 'Escape', () => {
      this.close();
      return false;
    });
    this.scope.register([], 'Tab', (event) => this.#stay(event, false));
    this.scope.register(['Shift'], 'Tab', (event) => this.#stay(event, true));
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#before = activeDocument.activeElement;
    activeDocument.body.appendChild(this.containerEl);
    this.app.keymap.pushScope(this.scope);
    void this.onOpen();
    if (this.#open && !this.modalEl.contains(this.modalEl.doc.activeElement)) (this.#focusable().at(0) ?? this.modalEl).focus();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.app.keymap.popScope(this.scope);
    this.containerEl.detach();
    if (this.shouldRestoreSelection && this.#before?.isConnected) (this.#before as HTMLElement).focus();
    this.onClose();
    this.#closed?.();
  }

  onOpen(): Promise<void> | void {}
  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }

  setContent(content: string | DocumentFragment): this {
    this.contentEl.setText(content);
    return this;
  }

  setCloseCallback(callback: () => unknown): this {
    this.#closed = callback;
    return this;
  }

  #focusable(): HTMLElement[] {
    return [...this.modalEl.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((el) => el.isShown());
  }

  /** From the last element Tab goes to the first, and the other way round. */
  #stay(event: KeyboardEvent, back: boolean): void {
    const all = this.#focusable();
    const active = this.modalEl.doc.activeElement;
    const edge = back ? all.at(0) : all.at(-1);
    if (active !== edge && this.modalEl.contains(active) && active !== this.modalEl) return;
    event.preventDefault();
    (back ? all.at(-1) : all.at(0))?.focus();
  }
}

/** A button of a confirmation: closes it after its handler, unless that answers something true. */
export class ShimConfirmationButton extends ShimButton {
  readonly #modal: ShimConfirmation;
  readonly #initial: () => void;

  constructor(modal: ShimConfirmation, containerEl: HTMLElement, initial: () => void) {
    super(containerEl);
    this.#modal = modal;
    this.#initial = initial;
    this.onClick(() => undefined);
  }

  override onClick(handler: (event: MouseEvent) => unknown): this {
    return super.onClick(async (event) => {
      if (!(await handler(event))) this.#modal.close();
    });
  }

  setInitialFocus(): this {
    this.#initial();
    return this;
  }

  setSecondary(): this {
    return this.setClass('mod-secondary');
  }

  setCancel(): this {
    return this.setClass('mod-cancel');
  }
}

export class ShimConfirmation extends ShimModal implements obsidian.ConfirmationModal {
  buttonContainerEl: HTMLElement;
  #initial: HTMLElement | undefined;

  constructor(app: obsidian.App) {
    super(app);
    this.buttonContainerEl = this.modalEl.createDiv('modal-button-container');
  }

  override open(): void {
    super.open();
    this.#initial?.focus();
  }

  addClass(cls: string): this {
    this.modalEl.addClass(cls);
    return this;
  }

  addCheckbox(label: string, callback: (value: boolean) => unknown): this {
    const labelEl = this.buttonContainerEl.createEl('label', { cls: 'mod-checkbox' });
    const box = labelEl.createEl('input', { type: 'checkbox' });
    labelEl.appendText(label);
    box.addEventListener('change', () => void callback(box.checked));
    return this;
  }

  addButton(callback: (button: obsidian.ConfirmationButton) => unknown): this {
    const button = new ShimConfirmationButton(this, this.buttonContainerEl, () => { this.#initial = button.buttonEl; });
    callback(button);
    return this;
  }

  addCancelButton(text = 'Cancel'): this {
    return this.addButton((button) => button.setButtonText(text).setCancel());
  }
}
