/** Obsidian's `FuzzySuggestModal`: a text to type and the items that hold it; Enter or a press takes one. */
import { ShimModal } from './modal.ts';

export abstract class ShimFuzzySuggestModal<T> extends ShimModal {
  inputEl: HTMLInputElement = this.modalEl.createEl('input', { cls: 'prompt-input', type: 'text', attr: { 'aria-label': 'Choose' } });
  resultContainerEl: HTMLElement = this.modalEl.createDiv('prompt-results');

  abstract getItems(): T[];
  abstract getItemText(item: T): string;
  abstract onChooseItem(item: T, event: MouseEvent | KeyboardEvent): void;

  setPlaceholder(text: string): void {
    this.inputEl.placeholder = text;
  }

  override open(): void {
    super.open();
    this.inputEl.addEventListener('input', () => this.#draw());
    this.scope.register([], 'Enter', (event) => {
      const [first] = this.#fitting();
      if (first !== undefined) this.#choose(first, event);
      return false;
    });
    this.#draw();
    this.inputEl.focus();
  }

  #fitting(): T[] {
    const typed = this.inputEl.value.toLowerCase();
    return this.getItems().filter((item) => this.getItemText(item).toLowerCase().includes(typed));
  }

  #draw(): void {
    this.resultContainerEl.empty();
    for (const item of this.#fitting()) {
      const row = this.resultContainerEl.createDiv({ cls: 'suggestion-item', text: this.getItemText(item) });
      row.addEventListener('click', (event) => this.#choose(item, event));
    }
  }

  #choose(item: T, event: MouseEvent | KeyboardEvent): void {
    this.close();
    this.onChooseItem(item, event);
  }
}
