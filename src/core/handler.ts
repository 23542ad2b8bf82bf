/**
 * Runs a cleared call's handler under its signal and its 60 seconds (F093, D20). Whatever ends the call ends it at once;
 * a handler that comes back later can only hand in the handle of what it did.
 */
import { toRan, type Ran } from './call.ts';
import type { Cleared } from './clear.ts';
import { HubError } from './errors.ts';
import type { Clock, Spans } from './ports.ts';
import { toJson } from './result.ts';
import type { Stop } from './stop.ts';
import type { Client, ToolContext } from './types.ts';

/** From the handler's entry (D20). */
export const HANDLER_LIMIT_MS = 60_000;

export interface HandlerParts {
  readonly spans: Spans;
  readonly clock: Clock;
  /** The value of a handler whose call had already ended. */
  readonly onLate: (call: Cleared, value: unknown) => void;
}

/** Rejects with `tool-failed`, `tool-timeout`, or what stopped the call. */
export function execute(call: Cleared, { spans, clock, onLate }: HandlerParts): Promise<Ran> {
  const { stop, tool } = call;
  if (stop.reason) return Promise.reject(stop.reason);
  const span = spans.start('execute_tool', tool.name, clock.micros(), call.span);
  span.set('gen_ai.operation.name', 'execute_tool');
  span.set('gen_ai.tool.name', tool.name);
  span.set('gen_ai.tool.type', 'function');
  span.set('gen_ai.tool.call.id', call.span.spanId);
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.after(HANDLER_LIMIT_MS, () => stop.stop(timeout()));
    const end = (): void => {
      cancelTimer();
      span.end(clock.micros());
    };
    const fail = (error: HubError): void => {
      if (error.code === 'tool-failed' || error.code === 'tool-timeout') span.fail(error.code);
      end();
      reject(error);
    };
    stop.onStop(fail);
    enter(call).then(
      (value) => {
        if (stop.reason) return onLate(call, value);
        const json = toJson(value);
        if (typeof json !== 'string') span.fail('tool-failed');
        end();
        resolve(toRan(call, value, json));
      },
      (error: unknown) => {
        if (!stop.reason) fail(failureOf(error));
      },
    );
  });
}

function timeout(): HubError {
  return new HubError('tool-timeout', `The tool did not finish within ${HANDLER_LIMIT_MS / 1000} seconds and was stopped. What it did until then may stand.`);
}

/** The handler's promise; a handler that throws instead of rejecting is the same to us. */
function enter(call: Cleared): Promise<unknown> {
  try {
    return Promise.resolve(call.tool.handler(call.input, new Context(call)));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What the handler is told; the signal is made when it is asked for. */
class Context implements ToolContext {
  readonly run: string;
  readonly client: Client;
  readonly #stop: Stop;

  constructor({ run, stop }: Cleared) {
    this.run = run.id;
    this.client = run.client;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }
}

/** What a handler threw, as the caller gets it: the message and nothing else of it (F120, F155). */
export function failureOf(error: unknown): HubError {
  if (error instanceof HubError) return error.code === 'tool-failed' ? error : new HubError('tool-failed', error.message, { details: { cause: error.code }, logged: error.logged });
  const message = messageOf(error);
  return new HubError('tool-failed', message ?? 'The tool failed without saying why.');
}

/** An error's message if it is a text; whatever else was thrown may hold anything, and is not looked at. */
function messageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  try {
    return typeof error.message === 'string' && error.message.trim() !== '' ? error.message : undefined;
  } catch {
    return undefined;
  }
}
