/** Looks at values: what JSON makes of them, and whether a sentence repeats one of their texts. */
import type { Json } from '../core/types.ts';

/** Shorter texts stand in sentences by chance. */
const SHORTEST = 4;

/** True if the value means the same once it has been JSON. A property that is undefined is as good as absent. */
export function survivesJson(value: unknown, read: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === read;
  if (typeof read !== 'object' || read === null) return false;
  if (Array.isArray(value)) return Array.isArray(read) && value.length === read.length && value.every((item, at) => survivesJson(item, read[at]));
  if (Symbol.iterator in value) return false; // a map, a set or the like: nothing of what they hold is a property
  return Object.entries(value).every(([key, part]) => part === undefined || survivesJson(part, (read as Record<string, unknown>)[key]));
}

/** True if the sentence repeats a text of the input, at any depth. */
export function holdsText(sentence: string, input: Json): boolean {
  if (typeof input === 'string') return input.length >= SHORTEST && sentence.includes(input);
  if (typeof input !== 'object' || input === null) return false;
  return Object.values(input).some((part) => holdsText(sentence, part));
}
