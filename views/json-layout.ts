/**
 * Canonical JSON in lines that a person can read, without changing a character of it: breaks and indentation come from the
 * layout alone, and the pieces put together are the text that was hashed.
 */

export interface JsonPiece {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'other';
  /** The piece begins a line at this depth; absent where it goes on in the line before. */
  readonly depth?: number;
  /** The line goes on with a string that began above: no words in it can pass for a key. */
  readonly inside?: true;
}

/** The most characters of one piece. */
const PIECE = 2_000;

/** Pieces of the text, in order. Text that is not JSON comes out whole all the same. */
export function* layOut(json: string): Generator<JsonPiece> {
  let at = 0;
  let depth = 0;
  let fresh = true;
  const piece = (text: string, kind: JsonPiece['kind']): JsonPiece => {
    const made: JsonPiece = fresh ? { text, kind, depth } : { text, kind };
    fresh = false;
    at += text.length;
    return made;
  };
  while (at < json.length) {
    const char = json[at]!;
    if (char === '"') {
      const end = endOfString(json, at);
      if (json[end] === ':') {
        for (const { text } of cuts(json, at, end + 1)) yield piece(text, 'key');
      } else {
        let inside = false;
        for (const { text, lineEnds } of cuts(json, at, end)) {
          yield inside ? { ...piece(text, 'string'), depth: depth + 1, inside: true } : piece(text, 'string');
          inside = lineEnds; // a part that was cut for its length goes on in the same line
        }
      }
    } else if (char === '{' || char === '[') {
      const closed = json[at + 1] === (char === '{' ? '}' : ']');
      yield piece(closed ? json.slice(at, at + 2) : char, 'other');
      if (closed) continue;
      depth++;
      fresh = true;
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      fresh = true;
      yield piece(char, 'other');
    } else if (char === ',') {
      yield piece(char, 'other');
      fresh = true;
    } else {
      let end = at + 1;
      while (end < json.length && !',]}"{['.includes(json[end]!)) end++;
      for (const { text } of cuts(json, at, end)) yield piece(text, 'other');
    }
  }
}

/** The index after the closing quote, or the end of the text. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === 0x5c) at++;
    else if (unit === 0x22) return at + 1;
  }
  return json.length;
}

/** Cuts after each `\n` escape and at {@link PIECE} characters, never inside an escape or a surrogate pair. */
function* cuts(json: string, start: number, end: number): Generator<{ readonly text: string; readonly lineEnds: boolean }> {
  let from = start;
  for (let at = start; at < end;) {
    let size = 1;
    let lineEnds = false;
    const unit = json.charCodeAt(at);
    if (unit === 0x5c) {
      const escape = json[at + 1];
      size = escape === 'u' ? 6 : 2;
      lineEnds = escape === 'n';
    } else if (unit >= 0xd800 && unit <= 0xdbff) size = 2;
    at = Math.min(at + size, end);
    if (at < end && (lineEnds || at - from >= PIECE)) {
      yield { text: json.slice(from, at), lineEnds };
      from = at;
    }
  }
  if (from < end) yield { text: json.slice(from, end), lineEnds: false };
}
