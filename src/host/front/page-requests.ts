/** Reads the bodies that the page sends, by hand: each is what it should be, or the request is refused. */
import { readTraceSettings } from '../../../otel/exporter/settings.ts';
import type { Decision } from '../../core/questions.ts';
import type { Setting } from '../../core/types.ts';
import { RequestFault } from './page-http.ts';
import type { AnswerBody, SecretBody, SeenBody, SettingsBody, TracesBody, UndoBody } from '../page/wire.ts';

const DECISIONS: ReadonlySet<unknown> = new Set<Decision>(['deny', 'allow_once', 'allow_run']);
const SETTINGS: ReadonlySet<unknown> = new Set<Setting>(['allow', 'ask', 'deny', 'default']);
const TEXT_LIMIT = 200;
const ADDRESS_LIMIT = 4_000;
const SECRET_LIMIT = 8_000;
const HEADERS_LIMIT = 20;

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

/** The settings of traces, all of them; what they come to is judged later, in sentences. */
export function readTraces(body: unknown): TracesBody {
  const fields = fieldsOf(body, ['send', 'endpoint', 'headers', 'sampleRate', 'serviceName', 'traceUrl']);
  const [send, rate, headers] = [fields.get('send'), fields.get('sampleRate'), fields.get('headers')];
  if (typeof send !== 'boolean') throw invalid('send');
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) throw invalid('sampleRate');
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) throw invalid('headers');
  const pairs = Object.entries(headers);
  if (pairs.length > HEADERS_LIMIT || !pairs.every(([header, name]) => header.length <= TEXT_LIMIT && isText(name, TEXT_LIMIT))) throw invalid('headers');
  for (const name of ['endpoint', 'traceUrl']) if (!isText(fields.get(name), ADDRESS_LIMIT)) throw invalid(name);
  if (!isText(fields.get('serviceName'), TEXT_LIMIT)) throw invalid('serviceName');
  return readTraceSettings(Object.fromEntries(fields));
}

export function readSecret(body: unknown): SecretBody {
  const fields = fieldsOf(body, ['name', 'value', 'endpoint']);
  const name = text(fields, 'name');
  if (fields.size === 1) return { name };
  const [value, endpoint] = [fields.get('value'), fields.get('endpoint')];
  if (!isText(value, SECRET_LIMIT) || value === '') throw invalid('value');
  if (!isText(endpoint, ADDRESS_LIMIT)) throw invalid('endpoint');
  return { name, value, endpoint };
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit;
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
