/**
 * One call of one tool, tried as the hub makes it: the arguments checked and frozen, the description asked for, the handler
 * entered, its answer read. A trial never rejects; what goes wrong is a sentence.
 */
import type { UndoFunction } from '../api/model-hub-api.d.ts';
import { HubError } from '../core/errors.ts';
import { failureOf, HANDLER_LIMIT_MS } from '../core/handler.ts';
import { admit } from '../core/input.ts';
import { PREVIEW_LIMIT_MS, previewOf } from '../core/preview.ts';
import type { RegisteredTool } from '../core/registry.ts';
import { HANDLE_LIMIT, isEmpty, isHandle, RESULT_LIMIT, toJson } from '../core/result.ts';
import type { Client, Json } from '../core/types.ts';
import type { ToolTrial } from './contract.ts';
import { holdsText, survivesJson } from './values.ts';

/** How long a handler may go on once its signal has fired. */
export const PATIENCE_MS = 1_000;
const CLIENT: Client = { kind: 'plugin', name: 'contract' };
const RUN = { id: 'contract', client: CLIENT };

export interface Tried {
  readonly faults: readonly string[];
  /** What takes the write back. */
  readonly handle?: string;
}

type Outcome = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'error'; readonly error: unknown } | { readonly kind: 'late' };

export async function tryTool(tool: RegisteredTool, trial: ToolTrial): Promise<Tried> {
  const say = (fault: string): string => `${tool.name}: ${fault}`;
  let input: Json;
  try {
    ({ input } = admit(trial.input));
    tool.check.check(input);
  } catch (error) {
    return { faults: [say(`its trial cannot begin. ${failureOf(error).message}`)] };
  }
  if (trial.gives === 'error') return { faults: (await errorFaults(tool, input)).map(say) };
  const before = [...await descriptionFaults(tool, input), ...await signalFaults(tool, input)];
  const outcome = await enter(tool, input, new AbortController().signal, HANDLER_LIMIT_MS);
  switch (outcome.kind) {
    case 'late':
      return { faults: [...before, `it did not finish within ${HANDLER_LIMIT_MS / 1000} seconds, when the hub stops it.`].map(say) };
    case 'error':
      return { faults: [...before, `its handler failed. ${failureOf(outcome.error).message}`].map(say) };
    case 'value': {
      const { faults, handle } = readHandle(tool, input, outcome.value);
      return { faults: [...before, ...answerFaults(outcome.value, trial.gives), ...faults].map(say), ...(handle === undefined ? {} : { handle }) };
    }
  }
}

/** Takes a write back, as the notice's button does. */
export async function tryUndo(tool: string, undo: UndoFunction, handle: string): Promise<readonly string[]> {
  const outcome = await outcomeOf(() => undo(handle), HANDLER_LIMIT_MS);
  switch (outcome.kind) {
    case 'late':
      return [`${tool}: taking it back did not finish within ${HANDLER_LIMIT_MS / 1000} seconds.`];
    case 'error':
      return [`${tool}: taking it back failed. ${failureOf(outcome.error).message}`];
    case 'value':
      return typeof outcome.value === 'string' && outcome.value.trim() !== '' ? [] : [`${tool}: taking it back answered no sentence that says what was restored.`];
  }
}

async function descriptionFaults(tool: RegisteredTool, input: Json): Promise<readonly string[]> {
  if (!tool.describe) return [];
  const { signal } = new AbortController();
  const preview = await previewOf({ tool, input, run: RUN, stop: { signal } }, { after: afterMs });
  return preview.kind === 'arguments' ? [`its describe threw, took over ${PREVIEW_LIMIT_MS} ms or gave nothing that can be shown, so the question would show the arguments.`] : [];
}

/** A call whose caller has left changes nothing, and does not go on for long. */
async function signalFaults(tool: RegisteredTool, input: Json): Promise<readonly string[]> {
  const outcome = await enter(tool, input, AbortSignal.abort(new HubError('aborted', 'The caller stopped the call.')), PATIENCE_MS);
  switch (outcome.kind) {
    case 'late':
      return [`it went on for over ${PATIENCE_MS / 1000} second after ctx.signal had fired. Pass the signal on, or look at it between steps.`];
    case 'value':
      return tool.effect === 'write' ? ['it went through although ctx.signal had fired. Call ctx.signal.throwIfAborted() just before the write.'] : [];
    case 'error':
      return [];
  }
}

async function errorFaults(tool: RegisteredTool, input: Json): Promise<readonly string[]> {
  const outcome = await enter(tool, input, new AbortController().signal, HANDLER_LIMIT_MS);
  switch (outcome.kind) {
    case 'late':
      return [`it did not finish within ${HANDLER_LIMIT_MS / 1000} seconds, when the hub stops it.`];
    case 'value':
      return ['its trial was to fail, and did not.'];
    case 'error': {
      const { error } = outcome;
      if (!(error instanceof Error) || error.message.trim() === '') return ['it failed without a message. Throw an Error that says what is wrong and what to do.'];
      return holdsText(error.message, input) ? ['its error message holds a text of the arguments. Messages are logged and returned; say what is wrong without it.'] : [];
    }
  }
}

function answerFaults(value: unknown, gives: ToolTrial['gives']): readonly string[] {
  const json = toJson(value);
  if (typeof json !== 'string') return ['it answered something that is not JSON.'];
  const empty = isEmpty(value);
  const { message } = (value ?? {}) as { message?: unknown };
  return [
    ...(survivesJson(value ?? null, JSON.parse(json)) ? [] : ['its answer holds something that JSON changes, such as a date, a map or NaN: agents get another answer than plugins.']),
    ...(json.length > RESULT_LIMIT ? [`its answer has ${json.length} characters and is cut at ${RESULT_LIMIT}. Take an offset or a cursor, and answer by pages.`] : []),
    ...(empty && gives === 'result' ? ['its trial was to have a result, and was empty.'] : []),
    ...(!empty && gives === 'empty' ? ['its trial was to be empty, and had a result.'] : []),
    ...(empty && typeof value === 'object' && value !== null && !Array.isArray(value) && (typeof message !== 'string' || message.trim() === '') ? ['its empty answer has no message that says why.'] : []),
  ];
}

function readHandle({ effect, undoHandle }: RegisteredTool, input: Json, value: unknown): Tried {
  if (effect === 'read' || !undoHandle) return { faults: [] };
  let handle: unknown;
  try {
    handle = undoHandle(value);
  } catch {
    return { faults: ['its undoHandle threw, so that the write could not be taken back.'] };
  }
  if (handle === null) return { faults: [] };
  if (!isHandle(handle)) return { faults: [`its undoHandle gave something that is dropped: it must be null, or a text of 1 to ${HANDLE_LIMIT} characters.`] };
  return { faults: holdsText(handle, input) ? ['its undo handle holds a text of the arguments. Handles stand in the log; keep what they stand for yourself.'] : [], handle };
}

function enter(tool: RegisteredTool, input: Json, signal: AbortSignal, limitMs: number): Promise<Outcome> {
  return outcomeOf(() => tool.handler(input, { run: RUN.id, client: CLIENT, signal }), limitMs);
}

async function outcomeOf(work: () => Promise<unknown>, limitMs: number): Promise<Outcome> {
  let cancel = (): void => undefined;
  const late = new Promise<Outcome>((resolve) => {
    cancel = afterMs(limitMs, () => resolve({ kind: 'late' }));
  });
  const settled = new Promise((resolve) => resolve(work())).then((value): Outcome => ({ kind: 'value', value }), (error: unknown): Outcome => ({ kind: 'error', error }));
  const outcome = await Promise.race([settled, late]);
  cancel();
  return outcome;
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
