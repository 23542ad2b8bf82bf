/**
 * How a plugin calls tools, its own or others': in a run, so that "Allow for this run" can cover several calls, and ended
 * in `finally`, so that nothing which was allowed stays so. Knows nothing of Obsidian.
 */
import type { CallAnswer, HubApi, HubErrorShape } from '../../src/api/model-hub-api.d.ts';

const OFF = 'Books needs Model Hub for this. Switch it on, then try again.';

/** Asks which shelf; `undefined` if the user chose none. */
export type ChooseShelf = (shelves: readonly string[]) => Promise<string | undefined>;

/** Puts a book on a shelf that the user chooses. Answers what is left to say; `undefined` if nothing is. Never rejects. */
export async function addNote(hub: HubApi | undefined, owner: string, book: string, choose: ChooseShelf): Promise<string | undefined> {
  if (!hub) return OFF;
  try {
    const { id: run } = hub.startRun(owner, { tools: ['books.list_shelves', 'books.add_to_shelf'] });
    try {
      const shelves = shelvesOf(await hub.callTool(owner, 'books.list_shelves', {}, { run }));
      if (typeof shelves === 'string') return shelves;
      const shelf = await choose(shelves);
      if (shelf !== undefined) await hub.callTool(owner, 'books.add_to_shelf', { shelf, book }, { run });
      return undefined; // the hub's notice says that it is done, and offers the undo
    } finally {
      hub.endRun(owner, run);
    }
  } catch (error) {
    return toSay(error);
  }
}

/** The names of the shelves, or what there is to say instead. */
function shelvesOf({ result, truncated }: CallAnswer): readonly string[] | string {
  if (truncated) return 'There are too many shelves to choose from.';
  const { shelves, message } = result as { readonly shelves?: readonly { readonly shelf: string }[]; readonly message?: string };
  return shelves?.map(({ shelf }) => shelf) ?? message ?? 'There are no shelves.';
}

/** The message is for people, the code for programs. Who has just said no need not be told so. */
function toSay(error: unknown): string | undefined {
  const { code, details, message } = error as HubErrorShape;
  if (code === 'hub-gone') return OFF;
  if (code === 'tool-denied' && details.reason === 'user') return undefined;
  return message;
}
