/**
 * The schema of a tool's input: the subset that F181 names and nothing else, checked by ajv, compiled at first use.
 *
 * Faults are named by place and rule, never by value. A property that the schema does not name is refused (D22).
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { HubError } from './errors.ts';
import type { InputSchema, Json } from './types.ts';

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items', 'enum', 'minimum']);
const SCHEMA_DEPTH_LIMIT = 16;

/** A frozen copy of the schema. Throws `invalid-request` with the place of the fault. */
export function readSchema(schema: unknown, tool: string): InputSchema {
  const copy = readPart(schema, 'input', tool, 1);
  if (copy.type !== 'object') throw bad(tool, 'input', 'must have the type "object"');
  return copy;
}

function readPart(value: unknown, place: string, tool: string, depth: number): InputSchema {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(tool, place, 'must be a schema object');
  if (depth > SCHEMA_DEPTH_LIMIT) throw bad(tool, place, `is nested over ${SCHEMA_DEPTH_LIMIT} levels`);
  const schema = value as Record<string, unknown>;
  for (const key of Object.keys(schema)) {
    if (!KEYWORDS.has(key)) throw bad(tool, place, `uses "${key}"; only ${[...KEYWORDS].join(', ')} are known`);
  }
  const { type, description, properties, required, items, enum: values, minimum } = schema;
  if (!TYPES.has(type)) throw bad(tool, place, `needs a type: one of ${[...TYPES].join(', ')}`);
  if (description !== undefined && typeof description !== 'string') throw bad(tool, place, 'has a description that is not a text');
  if (properties !== undefined && type !== 'object') throw bad(tool, place, 'has properties but is no object');
  if (required !== undefined && type !== 'object') throw bad(tool, place, 'has required but is no object');
  if (items !== undefined && type !== 'array') throw bad(tool, place, 'has items but is no array');
  if (minimum !== undefined && (!Number.isFinite(minimum) || (type !== 'number' && type !== 'integer'))) throw bad(tool, place, 'has a minimum that is no number, or is no number itself');
  const named = properties === undefined ? undefined : readProperties(properties, place, tool, depth);
  return Object.freeze({
    type: type as InputSchema['type'],
    ...(description === undefined ? {} : { description }),
    ...(named === undefined ? {} : { properties: named }),
    ...(required === undefined ? {} : { required: readRequired(required, named ?? {}, place, tool) }),
    ...(items === undefined ? {} : { items: readPart(items, `${place}.items`, tool, depth + 1) }),
    ...(values === undefined ? {} : { enum: readEnum(values, place, tool) }),
    ...(minimum === undefined ? {} : { minimum: minimum as number }),
  });
}

function readProperties(value: unknown, place: string, tool: string, depth: number): { readonly [name: string]: InputSchema } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(tool, place, 'has properties that are no object');
  const named: { [name: string]: InputSchema } = {};
  for (const [name, part] of Object.entries(value)) {
    if (name === '__proto__') throw bad(tool, place, 'names a property __proto__');
    named[name] = readPart(part, `${place}.${name}`, tool, depth + 1);
  }
  return Object.freeze(named);
}

function readRequired(value: unknown, named: object, place: string, tool: string): readonly string[] {
  if (!Array.isArray(value)) throw bad(tool, place, 'has a required that is no list');
  for (const name of value as unknown[]) {
    if (typeof name !== 'string' || !Object.hasOwn(named, name)) throw bad(tool, place, 'requires something that its properties do not name');
  }
  return Object.freeze([...new Set(value as string[])]);
}

function readEnum(value: unknown, place: string, tool: string): readonly (string | number | boolean | null)[] {
  const fits = (item: unknown): boolean => item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
  if (!Array.isArray(value) || value.length === 0 || !value.every(fits)) throw bad(tool, place, 'has an enum that is no list of texts, numbers, booleans or null');
  return Object.freeze([...new Set(value as string[])]);
}

function bad(tool: string, place: string, fault: string): HubError {
  return new HubError('invalid-request', `The tool ${tool} cannot be registered: its ${place} ${fault}.`);
}

// One instance for all: `new Ajv` costs as much as compiling ten schemas. `ownProperties`, because a tool may require "toString".
let ajv: Ajv | undefined;

/** Checks input against a schema; compiled when first called. */
export class InputCheck {
  readonly #schema: InputSchema;
  #validate: ValidateFunction | undefined;

  constructor(schema: InputSchema) {
    this.#schema = schema;
  }

  /** Throws `tool-invalid-input` that names the first fault (F091). */
  check(input: Json): void {
    this.#validate ??= compile(closed(this.#schema));
    if (!this.#validate(input)) throw faultOf(this.#validate.errors![0]!, this.#schema);
  }
}

function compile(schema: object): ValidateFunction {
  ajv ??= new Ajv({ strict: true, ownProperties: true, addUsedSchema: false });
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema); // else it would be kept for ever, once for each time that a plugin registers anew
  return validate;
}

/** The schema as it is checked, and as clients are told of it: objects are closed. */
export function closed(schema: InputSchema): object {
  return {
    ...schema,
    ...(schema.type === 'object' ? { additionalProperties: false } : {}),
    ...(schema.properties ? { properties: Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, closed(part)])) } : {}),
    ...(schema.items ? { items: closed(schema.items) } : {}),
  };
}

function faultOf(error: ErrorObject, schema: InputSchema): HubError {
  // Every name on the way is one that the schema gives: an unknown one is refused before anything inside it is looked at.
  const steps = error.instancePath.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const at = (last?: string): string => [...steps, ...(last === undefined ? [] : [last])].join('.') || 'the input';
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return invalid(`"${at(String(params['missingProperty']))}" is missing.`);
    case 'additionalProperties': {
      const known = Object.keys(partAt(schema, steps)?.properties ?? {});
      const hint = known.length === 0 ? 'It takes no properties.' : `It takes: ${known.join(', ')}.`;
      // The name is the caller's own word: the caller hears it, the log does not.
      return invalid(`"${at(String(params['additionalProperty']))}" is not a property of this input. ${hint}`, `A property that the schema does not name. ${hint}`);
    }
    case 'type':
      return invalid(`"${at()}" must be of the type ${String(params['type'])}.`);
    case 'enum':
      return invalid(`"${at()}" must be one of: ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}.`);
    case 'minimum':
      return invalid(`"${at()}" must be at least ${String(params['limit'])}.`);
    default:
      return invalid(`"${at()}" does not fit the tool's schema.`);
  }
}

function partAt(schema: InputSchema, steps: readonly string[]): InputSchema | undefined {
  return steps.reduce<InputSchema | undefined>((part, step) => (part?.type === 'array' ? part.items : part?.properties?.[step]), schema);
}

function invalid(message: string, logged = message): HubError {
  return new HubError('tool-invalid-input', message, { logged });
}
