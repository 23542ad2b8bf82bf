/**
 * Every word that the views say, once: labels, and a sentence for each outcome, reason and source. Nothing here holds text
 * from outside but names, and the places where names stand are marked by their callers.
 */
import type { ExportState } from '../otel/exporter/exporter.ts';
import type { CallOutcome, UndoOutcome } from '../otel/row.ts';
import type { Decision, SettledBy, Settlement } from '../src/core/questions.ts';
import type { ClientKind, DenyReason, Effect, PolicySource, Setting, Verdict } from '../src/core/types.ts';

export const HUB = 'Model Hub';

// Answers and settings

/** What a button says, and what the log's line says afterwards: one label for one decision (B08). */
export const DECISIONS: { readonly [D in Decision]: string } = { deny: 'Deny', allow_once: 'Allow once', allow_run: 'Allow for this run' };

export const SETTINGS: { readonly [S in Setting]: string } = { allow: 'Allow', ask: 'Ask', deny: 'Deny', default: 'Default' };
/** The default entry on a tool (F031). */
export const PLUGIN_DEFAULT = 'Plugin default';
export const MCP_SWITCH = 'Let MCP clients be allowed for a whole run';
export const MCP_SWITCH_ABOUT = 'Off: each write of an agent from outside asks. On: the question offers "Allow for this run" for them too.';

const IN_FORCE: { readonly [V in Verdict]: string } = { allow: 'runs freely', ask: 'asks', defer: 'waits', deny: 'is refused' };
const RESTS_ON: { readonly [S in PolicySource]: string } = {
  tool: 'by its own setting', plugin: 'by the plugin\'s setting', builtin: 'by the built-in rule', run_list: 'by the run\'s list of tools', hook: 'by a hook',
  guard: 'by a guard', grant: 'by an earlier answer', unrestricted: 'by unrestricted mode', log: 'because the log cannot be written',
};
/** The policy in force, in words: "asks, by the built-in rule". */
export function policyInForce(policy: { readonly effective: Verdict; readonly source: PolicySource }): string {
  return `${IN_FORCE[policy.effective]}, ${RESTS_ON[policy.source]}`;
}

export const EFFECTS: { readonly [E in Effect]: string } = { read: 'Reads', write: 'Writes' };
export const EFFECTS_LONG: { readonly [E in Effect]: string } = { read: 'Looks only, changes nothing', write: 'Changes something' };

const CLIENT_KINDS: { readonly [K in ClientKind]: string } = { plugin: 'Plugin', panel: `The panel of ${HUB}`, mcp: 'MCP client', agent: 'Sub-agent' };
/** Who asks, up to the name, which the caller puts behind it in quotes. An MCP client gives itself its name: the words say so (B27). */
export function clientKind(kind: ClientKind, long = false): string {
  return long && kind === 'mcp' ? `${CLIENT_KINDS.mcp} from outside that calls itself` : CLIENT_KINDS[kind];
}

// The question

export const QUESTION = {
  title: (tool: string) => `Allow ${tool}?`,
  askedBy: 'Asked by', plugin: 'Plugin', why: 'Why it asks', undo: 'Undo', spent: 'Spent so far',
  canUndo: 'Can be taken back afterwards', cannotUndo: (reason: string) => `Cannot be taken back. ${reason}`,
  arguments: 'Arguments', rawArguments: 'Raw arguments', edits: 'What would change', toolSays: 'What the tool says it would do', about: 'About this tool',
  hash: 'Hash of the arguments', copyArguments: 'Copy arguments',
  position: (shown: number, all: number) => (shown >= all ? `All ${count(all, 'character')}` : `${number(shown)} of ${count(all, 'character')}; scroll on for the rest`),
  readFirst: `"${DECISIONS.allow_run}" opens when you have read the arguments to their end.`,
  covers: (tool: string, run: string) => `"${DECISIONS.allow_run}" lets ${tool} run without asking until the run ends (run ${run.slice(0, 8)}).`,
  /** What to know before that (F085). */
  knowFirst: (canUndo: boolean) => `Choose it only if you know what the tool does${canUndo ? '' : '; none of it could be taken back'}.`,
  waiting: (n: number) => (n === 0 ? '' : n === 1 ? '1 more question waits behind this one' : `${number(n)} more questions wait behind this one`),
  left: (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
  leftLabel: 'Time left to answer', leftSpoken: (seconds: number) => (seconds >= 60 && seconds % 60 === 0 ? `${count(seconds / 60, 'minute')} left to answer` : `${count(seconds, 'second')} left to answer`),
  timeUp: 'Time is up', sending: 'Sending your answer…', silence: 'then it is a no',
} as const;

/** How a question ended, for those who did not answer it themselves (D12). */
export function settledSentence({ decision, by, device }: Settlement): string {
  if (decision !== 'none') return `${ANSWERED[decision]}${device === undefined ? '' : ` on ${device}`}.`;
  return SETTLED[by];
}
const ANSWERED: { readonly [D in Decision]: string } = { deny: 'Denied', allow_once: 'Allowed once', allow_run: 'Allowed for this run' };
const SETTLED: { readonly [S in SettledBy]: string } = {
  dialog: 'The question was closed.', remote: 'The question was closed.', timeout: 'Nobody answered in time, so it was refused.',
  policy_change: 'A change of the settings or tools settled the question.', run_end: 'The run ended, so the question was closed.',
  caller_gone: 'The caller left, so the question was closed.', grant: 'An earlier answer covers it now.', no_surface: 'Nobody could be asked.',
};
export const TOO_LATE = 'Your answer came too late:';
export const GONE = 'This question is no longer open.';

// Edits

export const EDITS = {
  removed: 'removed', added: 'added', unchanged: (lines: number) => `${count(lines, 'unchanged line')}: show`,
  same: 'No difference in the text.', becomes: 'becomes', isRemoved: 'is removed',
  notCompared: 'This passage is too long to compare word by word. It is shown whole: first what goes out, then what comes in.',
} as const;

/** The ways in which an edit may be riskier than it looks (F065). */
export type RiskKind = 'number' | 'date' | 'time' | 'link' | 'property' | 'deletion' | 'not_compared';
export const RISKS: { readonly [R in RiskKind]: string } = {
  number: 'Changed number', date: 'Changed date', time: 'Changed time', link: 'Changed link', property: 'Changed properties', deletion: 'Large deletion', not_compared: 'Not compared',
};
export function deletionDetail(characters: number): string {
  return `${count(characters, 'character')} go without being replaced`;
}

// Calls

export const OUTCOMES: { readonly [O in CallOutcome]: string } = {
  ok: 'Done', empty: 'Nothing found', refused: 'Refused', invalid: 'Not valid', failed: 'Failed', timeout: 'Took too long', aborted: 'Stopped', interrupted: 'Interrupted',
};
export const UNDO_OUTCOMES: { readonly [O in UndoOutcome]: string } = {
  done: 'Taken back', failed: 'Undo failed', already_done: 'Already taken back', conflict: 'Not taken back', owner_gone: 'Not taken back', refused: 'Undo refused', interrupted: 'Undo interrupted',
};

const DENIED: { readonly [R in DenyReason]: string } = {
  policy: 'The settings do not allow it.', user: 'You declined it.', 'no-answer': 'Nobody answered in time.', hook: 'A hook refused it.', guard: 'A guard refused it.',
  deferred: 'It was put off until later.', 'no-surface': 'It needed a yes, and nobody could be asked.', log: 'The log could not be written, so nothing was changed.',
};
const RESTED_ON: { readonly [S in PolicySource]?: string } = {
  tool: 'The tool is set to Deny.', plugin: 'The plugin is set to Deny.', run_list: 'The run was opened for other tools.',
};
const RAN: { readonly [S in PolicySource]?: string } = {
  tool: 'The tool is set to Allow.', plugin: 'The plugin is set to Allow.', builtin: 'Reads run freely.', grant: 'You had allowed it for this run.', unrestricted: 'Unrestricted mode was on.',
};

/** What the sentence about a call is made from. */
export interface Ended {
  readonly outcome: CallOutcome;
  readonly reason?: string;
  readonly message?: string;
  readonly policy?: { readonly source: string };
  readonly approval?: { readonly decision: string };
}

/** Why a call ended as it did, in a plain sentence. It may hold the error's message: show it as text from outside. */
export function callSentence(call: Ended): string {
  const source = call.policy?.source as PolicySource | undefined;
  switch (call.outcome) {
    case 'ok':
    case 'empty':
      if (call.approval && Object.hasOwn(ANSWERED, call.approval.decision)) return `${ANSWERED[call.approval.decision as Decision]}.`;
      return (source && RAN[source]) ?? '';
    case 'refused': {
      if (call.reason === 'policy' && source && RESTED_ON[source]) return RESTED_ON[source];
      return call.reason !== undefined && Object.hasOwn(DENIED, call.reason) ? DENIED[call.reason as DenyReason] : (call.message ?? '');
    }
    case 'invalid':
    case 'failed':
    case 'timeout':
    case 'aborted':
    case 'interrupted':
      return call.message ?? '';
  }
}

export const CALLS = {
  title: 'Last 20 calls', waited: (ms: number) => `waited ${duration(ms)}`, ran: (ms: number) => `ran ${duration(ms)}`, undo: 'Undo', undoing: 'Taking back…',
  undoOf: (tool: string) => `Undo ${tool}`, undoingOf: (tool: string) => `Taking back… ${tool}`, takenBack: 'Taken back', trace: 'Trace', tookBack: 'The write was taken back.',
  emptyTitle: 'No call yet', empty: 'Each call of an agent or plugin is listed here, with how it ended and why. Connect an agent to see the first one.',
} as const;

// Tools

export const TOOLS = {
  about: 'What may run without asking. A tool\'s own setting comes first, then its plugin\'s, then the built-in rule: reads run, writes ask.',
  number: (n: number) => count(n, 'tool'), own: (n: number) => (n === 0 ? 'none with its own setting' : `${number(n)} with its own setting`),
  settingOf: (name: string) => `Setting of ${name}`, emptyTitle: 'No tools yet', empty: 'A plugin that registers tools appears here, with a row of its own.',
} as const;

// Traces

export const TRACES = {
  title: 'Traces',
  about: 'Each call, undo and run can go as a trace to an OpenTelemetry collector, to be looked at in Jaeger or Grafana.',
  what: 'Sent are names of tools, plugins and clients, codes, hashes, counts and times; never arguments, results, messages or undo handles.',
  send: 'Send traces', sendAbout: 'In force when you save. Switched off, what was waiting to be sent is not sent either.',
  endpoint: 'Endpoint', endpointAbout: 'The address of a collector that takes OTLP over HTTP.',
  headers: 'Headers', headersAbout: 'For a collector that wants a password or a token. It is kept on this computer, for the endpoint that it was set for, and never shown again.',
  header: 'Header', headerExample: 'authorization', headerNamed: (name: string) => (name === '' ? 'New header' : `Header ${name}`),
  secretName: 'Name of the secret', secretExample: 'collector-token', secretValue: 'Value of the secret',
  setValue: 'Set value', forgetValue: 'Forget value', addHeader: 'Add a header', removeHeader: 'Remove header', headerTwice: (name: string) => `The header ${name} stands there twice. Remove one.`,
  secretState: (setFor: string | undefined, origin: string | undefined) => {
    if (setFor === undefined) return 'No value is set.';
    return setFor === origin ? `A value is set, for ${setFor}.` : `A value is set, but for ${setFor}: it goes nowhere else.`;
  },
  share: 'Share sent, in percent', shareAbout: 'A trace is sent whole or not at all. The log has every call.', shareFault: 'The share is a number from 0 to 100.',
  service: 'Service name', serviceAbout: 'What the collector knows this vault by.',
  traceUrl: 'Address of a trace', traceUrlAbout: 'Makes each trace in the list of calls a link. {trace} and {span} stand for the ids.', presets: 'Fill in for',
  save: 'Save', saving: 'Saving…', saved: 'Saved, and in force.', test: 'Send a test span', testAbout: 'A test span goes to the endpoint as it stands above, once, also while sending is off.', testing: 'Sending a test span…', discard: 'Discard changes',
  unsaved: 'Not saved yet.', changedElsewhere: 'Not saved yet, and changed elsewhere meanwhile: Save puts these in their place.', lookAbove: 'Something above is not right yet.',
} as const;

export const TEST_SPAN = {
  title: 'What was sent', request: 'Request', headers: 'Headers', noValues: '(names only)', trace: 'Trace', body: 'Body of the request', copy: 'Copy body',
} as const;

/** How sending stands: in a word, and in a sentence, beside which the problem has a place of its own. */
export function tracesState({ on, delivered, rejected, problem }: ExportState): { readonly word: string; readonly sentence: string; readonly tone: 'good' | 'quiet' | 'bad' } {
  if (!on) return problem === undefined ? { word: 'Off', sentence: 'Off. Nothing is sent.', tone: 'quiet' } : { word: 'Not sent', sentence: 'On, but nothing is sent.', tone: 'bad' };
  const taken = delivered === 0 ? 'The collector has not been sent anything yet.' : `The collector has taken ${count(delivered, 'span')}.`;
  const sentence = `On. ${taken}${rejected === 0 ? '' : ` It has thrown away ${number(rejected)}; the log has all of them.`}`;
  return problem === undefined ? { word: 'On', sentence, tone: 'good' } : { word: 'Not arriving', sentence, tone: 'bad' };
}

// The undo notice

export const NOTICE = { done: 'done', close: 'Close', failed: (why: string) => `Not taken back. ${why}` } as const;

/** Said behind a link to those who do not see where it leads. */
export const NEW_TAB = '(opens in a new tab)';

export const COPY = 'Copy';
export const COPIED = 'Copied';
export const NOT_COPIED = 'Could not copy';

// Hidden characters

/** Names of the characters that are met most. */
export const HIDDEN_NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'null'], [0x07, 'bell'], [0x08, 'backspace'], [0x09, 'tab'], [0x0a, 'line break'], [0x0c, 'form feed'], [0x0d, 'carriage return'], [0x1b, 'escape'], [0x20, 'space'], [0x7f, 'delete'],
  [0xa0, 'no-break space'], [0xad, 'soft hyphen'], [0x332, 'line drawn below'], [0x335, 'stroke drawn through'], [0x336, 'line drawn through'], [0x338, 'slash drawn through'], [0x34f, 'grapheme joiner'], [0x61c, 'Arabic letter mark'], [0x200b, 'zero-width space'], [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'], [0x200e, 'left-to-right mark'], [0x200f, 'right-to-left mark'], [0x2028, 'line separator'], [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'], [0x202b, 'right-to-left embedding'], [0x202c, 'end of direction'], [0x202d, 'left-to-right override'], [0x202e, 'right-to-left override'],
  [0x202f, 'narrow no-break space'], [0x2060, 'word joiner'], [0x2066, 'left-to-right isolate'], [0x2067, 'right-to-left isolate'], [0x2068, 'first-strong isolate'],
  [0x2069, 'end of isolate'], [0x3000, 'wide space'], [0xfe0f, 'variation selector'], [0xfeff, 'byte-order mark'],
]);

/** What stands in place of a hidden character: its name where it has a common one, its code otherwise. */
export function hiddenLabel(code: number, times: number): string {
  const name = SHORT.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return times > 1 ? `${name} ×${times}` : name;
}
const SHORT: ReadonlyMap<number, string> = new Map([[0x00, 'NUL'], [0x07, 'BEL'], [0x08, 'BS'], [0x09, 'TAB'], [0x0a, 'LINE BREAK'], [0x0c, 'FF'], [0x0d, 'CR'], [0x1b, 'ESC'], [0x20, 'SPACE'], [0x7f, 'DEL']]);

/** "Contains 3 hidden characters: 2 × zero-width space, 1 × escape." */
export function hiddenNotice(counts: ReadonlyMap<number, number>): string {
  const kinds = [...counts].sort((a, b) => b[1] - a[1]);
  const total = kinds.reduce((sum, [, times]) => sum + times, 0);
  const named = kinds.slice(0, 4).map(([code, times]) => `${number(times)} × ${HIDDEN_NAMES.get(code) ?? hiddenLabel(code, 1)}`);
  return `Contains ${count(total, 'hidden character')}: ${named.join(', ')}${kinds.length > 4 ? ' and others' : ''}. Each is marked where it stands.`;
}

// Numbers

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Dollars from millionths, with as many digits as the amount needs. */
export function money(micros: number): string {
  const digits = micros !== 0 && Math.abs(micros) < 10_000 ? 6 : 2;
  return `$${(micros / 1e6).toFixed(digits)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
