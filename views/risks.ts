/**
 * Where an edit may be riskier than it looks: a number, date, time or link that became another, changed properties of a note, and
 * much text that goes without being replaced (F065).
 */
import type { Comparison } from './changes.ts';
import { deletionDetail, EDITS, type RiskKind } from './words.ts';

export interface Risk {
  readonly kind: RiskKind;
  /** Holds words of the note: show it as text from outside. */
  readonly detail: string;
  /** Where something became another: what it was, and what it is, empty if nothing stands in its place. */
  readonly change?: readonly [from: string, to: string];
}

/** Text that goes without being replaced counts as much from here. */
const LARGE_DELETION = 200;
/** Of a risk's words, so much is named. */
const NAMED = 80;

const FIGURES = /(?:(?<![\p{L}\p{N}])[-+−])?\p{Nd}(?:[\p{Nd}.,:/-]*\p{Nd})?|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/gu;
const DATE = /^(?:\p{Nd}{4}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{1,2}|\p{Nd}{1,2}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{2,4}|[A-Z][a-z]+)$/u;
const TIME = /^\p{Nd}{1,2}:\p{Nd}{2}(?::\p{Nd}{2})?$/u;
const LINKS = /https?:\/\/[^\s)>\]]*[^\s)>\].,;:!?'\x22]|\[\[[^\]\n]*\]\]|(?<=\]\()[^)\n]+(?=\))/gu;
const PROPERTIES = /^---\r?\n([^]*?)\r?\n---(?:\r?\n|$)/;

export function risksOf(before: string, after: string, { parts, compared }: Comparison): readonly Risk[] {
  const risks: Risk[] = [];
  const say = (kind: RiskKind, detail: string, change?: Risk['change']): void => {
    if (!risks.some((risk) => risk.kind === kind && risk.detail === detail)) risks.push({ kind, detail, ...(change && { change }) });
  };
  const sayChange = (kind: RiskKind, from: string, to: string): void => say(kind, to === '' ? `${from} ${EDITS.isRemoved}` : `${from} ${EDITS.becomes} ${to}`, [from, to]);
  if (!compared) say('not_compared', EDITS.notCompared);

  const properties = changedProperties(before, after);
  if (properties.length > 0) say('property', properties.join(', '));

  let gone = 0;
  for (const part of parts) {
    if (part.kind === 'same') continue;
    gone += Math.max(0, part.out.length - part.in.length);
    if (compared) for (const [from, to] of pairs(part.out, part.in, FIGURES)) sayChange(DATE.test(from) ? 'date' : TIME.test(from) ? 'time' : 'number', from, to);
  }
  // A link's address may stand in several words: links are compared over the whole passage.
  if (compared) for (const [from, to] of lost(before, after, LINKS)) sayChange('link', short(from), short(to));
  if (gone >= LARGE_DELETION) say('deletion', deletionDetail(gone));
  return risks;
}

/** What the pattern finds on both sides of a change, in order, where it differs. Something that goes with nothing in its place is seen as struck. */
function pairs(out: string, into: string, pattern: RegExp): [string, string][] {
  if (into.trim() === '') return [];
  const from = matches(out, pattern);
  const to = matches(into, pattern);
  return from.flatMap((found, at): [string, string][] => (found === to[at] ? [] : [[found, to[at] ?? '']]));
}

/** What the pattern finds in the text before and not in the one after, beside what is new there. */
function lost(before: string, after: string, pattern: RegExp): [string, string][] {
  const was = matches(before, pattern);
  const is = matches(after, pattern);
  const fresh = is.filter((found) => !was.includes(found));
  return was.filter((found) => !is.includes(found)).map((found, at) => [found, fresh[at] ?? '']);
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return text.match(pattern) ?? [];
}

/** Names of the properties at the top of a note that differ. */
function changedProperties(before: string, after: string): string[] {
  const was = propertiesOf(before);
  const is = propertiesOf(after);
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name)).map(short);
}

function propertiesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let name: string | undefined;
  for (const line of PROPERTIES.exec(text)?.[1]?.split(/\r?\n/) ?? []) {
    name = /^([^\s:#][^:]*):/.exec(line)?.[1]?.trim() ?? name;
    if (name !== undefined) found.set(name, `${found.get(name) ?? ''}${line}\n`);
  }
  return found;
}

function short(text: string): string {
  return text.length <= NAMED ? text : `${text.slice(0, NAMED).toWellFormed()}…`;
}
