/** Asks the user for a shelf. */
import { FuzzySuggestModal, type App } from 'obsidian';

/** Resolves with a shelf, or with `undefined` if the question was closed. */
export function chooseShelf(app: App, shelves: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => new ShelfChoice(app, shelves, resolve).open());
}

class ShelfChoice extends FuzzySuggestModal<string> {
  readonly #shelves: readonly string[];
  readonly #chosen: (shelf: string | undefined) => void;

  constructor(app: App, shelves: readonly string[], chosen: (shelf: string | undefined) => void) {
    super(app);
    this.#shelves = shelves;
    this.#chosen = chosen;
    this.setPlaceholder('Choose a shelf');
  }

  override getItems(): string[] {
    return [...this.#shelves];
  }

  override getItemText(shelf: string): string {
    return shelf;
  }

  override onChooseItem(shelf: string): void {
    this.#chosen(shelf);
  }

  override onClose(): void {
    super.onClose();
    // Obsidian closes first and chooses then: what was chosen must be heard before the closing is.
    queueMicrotask(() => this.#chosen(undefined));
  }
}
