/** Reads the bodies that the page sends, by hand: each is what it should be, or the request is refused. */
import type { Decision } from '../../core/questions.ts';
import type { Setting } from '../../core/types.ts';
import { RequestFault } from './page-http.ts';
import type { AnswerBody, SeenBody, SettingsBody, UndoBody } from '../page/wire.ts';

const DECISIONS: ReadonlySet<unknown> = new Set<Decision>(['deny', 'allow_once', 'allow_run']);
const SETTINGS: ReadonlySet<unknown> = new Set<Setting>(['allow', 'ask', 'deny', 'default']);
const TEXT_LIMIT = 200;

type Fields = ReadonlyMap<string, unknown>;

export function readAnswer(body: unknown): AnswerBody {
  const fields = fieldsOf(body, ['page', 'id', 'decision', 'shownWhole']);
  const decision = fields.get('decision');
  const shownWhole = fields.get('shownWhole');
  if (!isDecision(decision)) throw invalid('decision');
  if (typeof shownWhole !== 'boolean') throw invalid('shownWhole');
  return { page: text(fields, 'page'), id: text(fields, 'id'), decision, shownWhole };
}

export function readSeen(body: unknown): SeenBody {
  const fields = fieldsOf(body, ['page', 'id']);
  return { page: text(fields, 'page'), ...(fields.has('id') ? { id: text(fields, 'id') } : {}) };
}

export function readSettings(body: unknown): SettingsBody {
  const fields = fieldsOf(body, ['plugin', 'tool', 'setting', 'mcpRunGrants']);
  const on = fields.get('mcpRunGrants');
  if (on !== undefined) {
    if (typeof on !== 'boolean' || fields.size !== 1) throw invalid('mcpRunGrants');
    return { mcpRunGrants: on };
  }
  const setting = fields.get('setting');
  if (!isSetting(setting)) throw invalid('setting');
  const plugin = text(fields, 'plugin');
  return fields.has('tool') ? { plugin, tool: text(fields, 'tool'), setting } : { plugin, setting };
}

export function readUndo(body: unknown): UndoBody {
  const fields = fieldsOf(body, ['call', 'from']);
  const from = fields.get('from');
  if (from !== 'notice' && from !== 'view') throw invalid('from');
  return { call: text(fields, 'call'), from };
}

function fieldsOf(body: unknown, known: readonly string[]): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new RequestFault(400, 'invalid-request', 'The body must be an object.');
  const fields = new Map<string, unknown>(Object.entries(body));
  for (const name of fields.keys()) if (!known.includes(name)) throw new RequestFault(400, 'invalid-request', 'The body has a field that this request does not know.');
  return fields;
}

function text(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (typeof value !== 'string' || value === '' || value.length > TEXT_LIMIT) throw invalid(name);
  return value;
}

function isDecision(value: unknown): value is Decision {
  return DECISIONS.has(value);
}

function isSetting(value: unknown): value is Setting {
  return SETTINGS.has(value);
}

function invalid(name: string): RequestFault {
  return new RequestFault(400, 'invalid-request', `The field "${name}" is missing or not what it should be.`);
}
