/** The page's line to its host: events as they come, requests as they are made, and coming back after the host was away. */
import { PAGE, type ConnectionState } from './page-words.ts';
import type { AnswerBody, PageError, PageEventName, PageEvents, SecretBody, SeenBody, SettingsBody, TracesBody, UndoBody } from './wire.ts';

const EVENTS = '/api/events';
const AGAIN_AFTER_MS = 1_500;

/** What is done with each event. */
export type Listeners = { readonly [Name in PageEventName]: (data: PageEvents[Name]) => void };

/** Keeps a stream of events open. `onState` is told how it stands. */
export function connect(listeners: Listeners, onState: (state: ConnectionState) => void): void {
  const open = (): void => {
    const source = new EventSource(EVENTS);
    for (const name of Object.keys(listeners) as PageEventName[]) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (name === 'state') onState('connected');
        (listeners[name] as (data: unknown) => void)(JSON.parse(event.data));
      });
    }
    source.addEventListener('error', () => {
      onState('lost');
      // The browser tries again by itself, unless it was answered with a refusal or gave up.
      if (source.readyState === EventSource.CLOSED) setTimeout(check, AGAIN_AFTER_MS);
    });
  };
  const check = (): void => {
    fetch(EVENTS, { method: 'HEAD' }).then(({ status }) => {
      if (status === 401) onState('locked');
      if (status === 204) open();
      else setTimeout(check, AGAIN_AFTER_MS);
    }, () => setTimeout(check, AGAIN_AFTER_MS));
  };
  onState('connecting');
  open();
}

interface Requests {
  readonly '/api/answer': AnswerBody;
  readonly '/api/seen': SeenBody;
  readonly '/api/settings': SettingsBody;
  readonly '/api/undo': UndoBody;
  readonly '/api/traces': TracesBody;
  readonly '/api/traces/check': TracesBody;
  readonly '/api/traces/test': TracesBody;
  readonly '/api/traces/secret': SecretBody;
}

/** Sends a request. Rejects with an error whose message can be shown. */
export async function post<Path extends keyof Requests>(path: Path, body: Requests[Path]): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  } catch {
    throw new Error(PAGE.unreachable);
  }
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error((answer as PageError).message);
  return answer;
}
