/**
 * Values on their way between the page and Node, as JSON: what JSON has no word for goes as `{ $: tag, v: … }`. Both sides
 * use this file; what only one side can make (Stats, Dirent, FileHandle) it hands in.
 */
import { Buffer } from 'node:buffer';

export interface Tagged { readonly $: string; readonly v: unknown }

/** One call: `on` is the number of an object that Node keeps, or absent for a module's function. */
export interface Call { readonly name: string; readonly args: readonly unknown[]; readonly on?: number }

/** What a call answers: a packed value, or a packed error. */
export type Answer = { readonly value: unknown } | { readonly error: unknown };

/** What Node tells the page: `to` is the object's number, `what` the event. */
export interface Told { readonly to: number; readonly what: string; readonly args: readonly unknown[] }

/** Properties of an error that the other side shows again. */
const SHOWN = ['code', 'errno', 'syscall', 'path', 'dest', 'address', 'port', 'name', 'message'] as const;

/** Throws for a function and for whatever else cannot go over. `special` is asked first about every object. */
export function pack(value: unknown, special: (value: object) => Tagged | undefined = () => undefined): unknown {
  const inner = (each: unknown): unknown => pack(each, special);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : tagged('number', String(value));
    case 'undefined':
      return tagged('undefined', null);
    case 'bigint':
      return tagged('bigint', String(value));
    case 'symbol':
    case 'function':
      throw new TypeError(`A ${typeof value} cannot cross the bridge.`);
    case 'object':
      if (value === null) return null;
      return special(value) ?? packKnown(value) ?? (Array.isArray(value) ? value.map(inner) : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)])));
  }
}

function packKnown(value: object): Tagged | undefined {
  if (value instanceof Error) return tagged('error', Object.fromEntries(SHOWN.map((key) => [key, (value as unknown as Record<string, unknown>)[key]])));
  if (ArrayBuffer.isView(value)) return tagged('bytes', Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'));
  if (value instanceof ArrayBuffer) return tagged('bytes', Buffer.from(value).toString('base64'));
  if (value instanceof Date) return tagged('date', value.getTime());
  if (value instanceof URL) return tagged('url', value.href);
  return undefined;
}

function tagged($: string, v: unknown): Tagged {
  return { $, v };
}

/** The value again. `makers` makes what this side alone can make, by tag. Bytes are a `Buffer`. */
export function unpack(packed: unknown, makers: Readonly<Record<string, (v: unknown) => unknown>> = {}): unknown {
  if (typeof packed !== 'object' || packed === null) return packed;
  if (Array.isArray(packed)) return packed.map((each) => unpack(each, makers));
  const { $: tag, v } = packed as Partial<Tagged>;
  if (tag === undefined) return Object.fromEntries(Object.entries(packed).map(([key, each]) => [key, unpack(each, makers)]));
  switch (tag) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(v);
    case 'bigint':
      return BigInt(v as string);
    case 'bytes':
      return Buffer.from(v as string, 'base64');
    case 'date':
      return new Date(v as number);
    case 'url':
      return new URL(v as string);
    case 'error':
      return Object.assign(new Error(), v);
  }
  const make = makers[tag];
  if (!make) throw new TypeError(`Nobody here makes a ${tag}.`);
  return make(v);
}
