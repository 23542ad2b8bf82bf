/**
 * Which paths may name a note, from the text alone: plain, relative, without tricks, and in no hidden folder. What the
 * path leads to on the disk is judged by the host, by real path, with the same rule for every folder on the way.
 *
 * Sentences say what is wrong and never quote the path: they are logged.
 */

const HIDDEN = 'That is inside a hidden folder, where Obsidian and Model Hub keep their own files. Tools work on notes only.';
const SPELLING = 'Write the note\'s path as the vault shows it: its folders and its name with / between, such as Reading/Ideas.md.';
const SEGMENT_LIMIT = 255;

/** Why this cannot be the path of a note; `undefined` if it can. */
export function notePathFault(path: string): string | undefined {
  return folderPathFault(path) ?? (/\.md$/i.test(path) ? undefined : 'Tools work on notes only: the path must end in .md.');
}

/** Why this cannot be the path of a folder in the vault; `undefined` if it can. */
export function folderPathFault(path: string): string | undefined {
  // A backslash and a colon separate folders, drives and streams on some systems; control characters hide what follows.
  if (/[\\:\p{Cc}]/u.test(path) || !path.isWellFormed()) return `The path holds a character that no note's path may have. ${SPELLING}`;
  if (path.startsWith('/') || path.startsWith('~')) return `The path must start at the vault's top. ${SPELLING}`;
  for (const segment of path.split('/')) {
    const fault = segmentFault(segment);
    if (fault) return fault;
  }
  return undefined;
}

/** Why no folder or note of this name is touched: its plain spelling, or one that some file systems take for it. */
export function segmentFault(segment: string): string | undefined {
  if (segment === '' || segment === '.' || segment === '..') return `The path has an empty step, "." or "..". ${SPELLING}`;
  // Some file systems leave invisible characters out of account, and look-alike dots are dots to a reader.
  const seen = segment.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC').trimStart();
  if (seen.startsWith('.')) return HIDDEN;
  // Windows drops dots and spaces at the end of a name, so such a name is another's second spelling.
  if (/[. ]$/.test(segment)) return `A folder or note cannot end in a dot or a space here. ${SPELLING}`;
  if (segment.length > SEGMENT_LIMIT) return 'A name in the path is too long.';
  return undefined;
}
