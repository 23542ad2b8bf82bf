/**
 * The border that arguments cross once: checked to be JSON, copied, frozen, and written in canonical form (RFC 8785) in a
 * single walk. What comes out is what is shown, hashed and run (D11); nothing of the caller's object is looked at again.
 *
 * One walk in place of a copy followed by a library's canonical form: the library would walk the copy once more, and the
 * bars of `bench/gate.ts` have no room for that. The tests hold this writer against that library.
 */
import { HubError } from './errors.ts';
import type { Json } from './types.ts';

/** Levels of arrays and objects, the arguments' own object included (D22). */
export const DEPTH_LIMIT = 64;
/** Bytes of the canonical form in UTF-8 (D22). */
export const SIZE_LIMIT = 1_048_576;

export interface Admitted {
  /** Frozen through and through. */
  readonly input: Json;
  readonly canonical: string;
}

/** Throws `tool-invalid-input` for anything that JSON cannot hold as it is. */
export function admit(value: unknown): Admitted {
  const walk: Walk = { copy: null, room: SIZE_LIMIT };
  const canonical = read(value, walk);
  if (canonical.length * 3 > SIZE_LIMIT && utf8Length(canonical) > SIZE_LIMIT) throw tooLarge();
  return { input: walk.copy, canonical };
}

/** What the caller's own code throws while it is looked at (a getter, a proxy) is a fault of the arguments, and not repeated. */
function read(value: unknown, walk: Walk): string {
  try {
    return take(value, 1, walk);
  } catch (error) {
    throw error instanceof HubError ? error : invalid('The arguments could not be read: something in them throws.');
  }
}

interface Walk {
  /** The copy of the value that was taken last. */
  copy: Json;
  /** Characters that may still come, so that a small object with many shared parts cannot grow without end. */
  room: number;
}

/** Answers the canonical text of `value` and leaves its copy in `walk.copy`. */
function take(value: unknown, depth: number, walk: Walk): string {
  switch (typeof value) {
    case 'string':
      walk.copy = value;
      return takeString(value, walk);
    case 'number': {
      if (!Number.isFinite(value)) throw invalid('A number in the arguments is not finite.');
      const number = value + 0; // -0 becomes 0: they are one number in JSON, and one hash
      walk.copy = number;
      spend(walk, 1);
      return String(number);
    }
    case 'boolean':
      walk.copy = value;
      spend(walk, 4);
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) {
        walk.copy = null;
        spend(walk, 4);
        return 'null';
      }
      if (depth > DEPTH_LIMIT) throw invalid(`The arguments are nested over ${DEPTH_LIMIT} levels, or contain themselves.`);
      return Array.isArray(value) ? takeArray(value, depth, walk) : takeObject(value, depth, walk);
    case 'undefined':
      throw invalid('The arguments hold undefined, which JSON cannot hold. Leave the property out.');
    case 'bigint':
    case 'symbol':
    case 'function':
      throw invalid(`The arguments hold a ${typeof value}, which JSON cannot hold.`);
  }
}

/** Text that JSON writes as it stands: printable ASCII without quotes and backslashes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function takeString(text: string, walk: Walk): string {
  spend(walk, text.length + 2);
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw invalid('A text in the arguments holds half of a surrogate pair.');
  return JSON.stringify(text);
}

function takeArray(items: readonly unknown[], depth: number, walk: Walk): string {
  spend(walk, items.length + 1);
  if (Object.keys(items).length !== items.length) throw invalid('A list in the arguments has gaps, or properties beside its items.');
  const copy: Json[] = [];
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    text += (i === 0 ? '' : ',') + take(items[i], depth + 1, walk);
    copy.push(walk.copy);
  }
  walk.copy = Object.freeze(copy);
  return `${text}]`;
}

function takeObject(object: object, depth: number, walk: Walk): string {
  if (!isPlain(object)) throw invalid('The arguments hold an object that is not plain, such as a date or a map.');
  const keys = Object.keys(object).sort(); // by UTF-16 units, as RFC 8785 says
  spend(walk, keys.length * 2 + 1);
  const copy: { [key: string]: Json } = {};
  let text = '{';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (key === '__proto__') throw invalid('The arguments hold a property called __proto__.');
    text += `${i === 0 ? '' : ','}${takeString(key, walk)}:${take((object as Record<string, unknown>)[key], depth + 1, walk)}`;
    copy[key] = walk.copy;
  }
  walk.copy = Object.freeze(copy);
  return `${text}}`;
}

/** True for `{}` of any window: its prototype is null or the end of the chain, and nothing in it stands under a symbol. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return (prototype === null || Object.getPrototypeOf(prototype) === null) && Object.getOwnPropertySymbols(object).length === 0;
}

function spend(walk: Walk, characters: number): void {
  walk.room -= characters;
  if (walk.room < 0) throw tooLarge();
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function tooLarge(): HubError {
  return invalid('The arguments are over 1 MB.');
}

function invalid(message: string): HubError {
  return new HubError('tool-invalid-input', message);
}
