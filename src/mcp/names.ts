/**
 * Tool names over MCP: `books.list_shelves` is served as `books_list_shelves`, and read back at the first underscore,
 * since namespaces have none (D26).
 *
 * A dot in a name empties the list of some clients and ends the session of others; a double underscore breaks the names
 * that clients make of server and tool; and what they make may have 64 characters, so 48 are left for ours.
 */

/** Most characters of a served name, the namespace and the underscore between included. */
export const SERVED_NAME_LIMIT = 48;

const FULL = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9_]*$/;
const SERVED = /^[a-z][a-z0-9-]*_[a-z][a-z0-9_]*$/;

/** Why a tool cannot be served under its name. */
export type NameFault = 'malformed' | 'too_long' | 'double_underscore';

export const NAME_FAULTS: { readonly [F in NameFault]: string } = {
  malformed: 'its name is not namespace.name in lower case',
  too_long: `its name has more than ${SERVED_NAME_LIMIT} characters`,
  double_underscore: 'its name has two underscores in a row, which some clients cannot take',
};

export type Served = { readonly name: string } | { readonly fault: NameFault };

/** The name under which a tool is served, from its full name. */
export function servedName(full: string): Served {
  if (!FULL.test(full)) return { fault: 'malformed' };
  if (full.length > SERVED_NAME_LIMIT) return { fault: 'too_long' };
  if (full.includes('__')) return { fault: 'double_underscore' };
  return { name: full.replace('.', '_') };
}

/** The full name of a tool that is served as `served`; `undefined` for what is no served name. */
export function fullName(served: unknown): string | undefined {
  if (typeof served !== 'string' || served.length > SERVED_NAME_LIMIT || served.includes('__') || !SERVED.test(served)) return undefined;
  return served.replace('_', '.');
}

/** A name for people: `Books: list shelves`. */
export function titleOf(full: string): string {
  const dot = full.indexOf('.');
  const namespace = full.slice(0, dot);
  return `${namespace.charAt(0).toUpperCase()}${namespace.slice(1)}: ${full.slice(dot + 1).replaceAll('_', ' ').trim()}`;
}
