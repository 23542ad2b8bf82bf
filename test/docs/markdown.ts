/** What a page of the documentation says, as far as tests hold it against the source: links, headings, code, tables. */

/** `path#heading`, as written. Code is not looked at. */
export function linksIn(page: string): readonly string[] {
  return [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** The anchors of a page's headings, as they are made for the web: lower case, hyphens for spaces, no punctuation. */
export function anchorsIn(page: string): readonly string[] {
  return [...withoutCode(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
}

export interface Block {
  readonly language: string;
  readonly code: string;
}

export function blocksIn(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, code]) => ({ language: language!, code: code! }));
}

/** What stands below a heading, up to the next one. */
export function section(page: string, heading: string): string {
  const at = page.indexOf(`\n## ${heading}\n`);
  if (at < 0) throw new Error(`There is no heading "${heading}".`);
  const end = page.indexOf('\n## ', at + 1);
  return page.slice(at, end < 0 ? undefined : end);
}

/** The code words in the first column of the tables. */
export function firstColumn(text: string): readonly string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, word]) => word!);
}

function withoutCode(page: string): string {
  return page.replaceAll(/^```[^]*?^```$/gm, '');
}
