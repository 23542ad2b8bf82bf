/**
 * The page over HTTP: it is handed out to whoever brings the key, told what happens as it happens, and its answers are
 * given to the hub.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RowBody } from '../../../otel/row.ts';
import type { Hub } from '../../core/hub.ts';
import type { Approvals } from '../../core/questions.ts';
import type { Settings } from '../../core/settings.ts';
import { shownRows, toolsData, type PluginName } from '../../shown/data.ts';
import { saveTraces, setSecret, testTraces, tracesFaults, tracesNow, type FormTraces } from '../../shown/traces.ts';
import { PageDevice } from './page-device.ts';
import { checkSource, openStream, PageCookie, readJson, RequestFault, send, sendFault, sendJson } from './page-http.ts';
import { readAnswer, readSecret, readSeen, readSettings, readTraces, readUndo } from './page-requests.ts';
import type { CallsData, PageInfo, SettingsBody } from '../page/wire.ts';

const HEARTBEAT_MS = 15_000;
/** Rows and changes that come within so long are told together. */
const GATHER_MS = 50;
const SHOWN_CALLS = 20;
/** How often open pages are told what has become of traces. */
const TRACES_MS = 2_000;

/** What the page needs of the hub. */
export interface PageHub extends Pick<Hub, 'tools' | 'onToolsChanged' | 'undoCall' | 'undoable' | 'recent'> {
  readonly approvals: Approvals;
  readonly settings: Pick<Settings, 'get' | 'setPlugin' | 'setTool' | 'setMcpRunGrants'>;
  onRow(callback: (row: RowBody) => void): () => void;
}

export interface PageOptions {
  readonly hub: PageHub;
  readonly traces: FormTraces;
  /** Asked each time that a page opens. */
  readonly info: () => PageInfo;
  /** Whoever brings it may answer. */
  readonly key: string;
  readonly assets: { readonly html: string; readonly css: string; readonly js: string };
  readonly pluginName?: PluginName;
}

export interface Page {
  /** Answers the request if it is one of the page's; false if it is not. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
  /** Ends the streams of all open pages. */
  close(): void;
}

const NO_COOKIE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Model Hub</title><link rel="stylesheet" href="/page.css">
<main class="page-alone"><h1>Model Hub</h1><p>This page answers for your vault, so it opens only with its key. Open the address that the terminal printed when the host started; it ends in <code>/login?key=…</code>.</p><p>If you have just done so, <a href="/">go on to the page</a>.</p></main></html>`;

export function createPage({ hub, traces, info, key, assets, pluginName = (id) => id }: PageOptions): Page {
  const cookie = new PageCookie(key);
  const pages = new Map<string, { readonly device: PageDevice; readonly returned: () => void }>();
  const fresh = new Set<string>();
  let toolsChanged = false;
  let gathering: NodeJS.Timeout | undefined;

  const tools = (): ReturnType<typeof toolsData> => toolsData(hub.tools(), hub.settings.get(), pluginName);
  const calls = async (ids: readonly string[]): Promise<CallsData> => ({
    rows: shownRows(await hub.recent(SHOWN_CALLS), { undoable: hub.undoable(), pluginName, traceUrl: traces.settings().traceUrl }), fresh: ids,
  });
  const gather = (): void => {
    gathering ??= setTimeout(() => void tell(), GATHER_MS).unref();
  };
  const tell = async (): Promise<void> => {
    gathering = undefined;
    const ids = [...fresh];
    fresh.clear();
    const changed = toolsChanged;
    toolsChanged = false;
    if (pages.size === 0) return;
    const data = await calls(ids).catch(() => undefined); // a log that cannot be read is told elsewhere
    for (const { device } of pages.values()) {
      if (changed) device.send('tools', tools());
      if (data) device.send('calls', data);
    }
  };
  let told = '';
  let { traceUrl } = traces.settings();
  const tellTraces = (): void => {
    if (pages.size === 0) return;
    const data = tracesNow(traces);
    const text = JSON.stringify(data);
    if (text === told) return;
    told = text;
    for (const { device } of pages.values()) device.send('traces', data);
    if (data.settings.traceUrl !== traceUrl) gather(); // each call's link is another one
    traceUrl = data.settings.traceUrl;
  };
  const stops = [
    hub.onRow((row) => {
      if (row.kind !== 'run') fresh.add(row.id);
      gather();
    }),
    hub.onToolsChanged(() => {
      toolsChanged = true;
      gather();
    }),
  ];
  const heart = setInterval(() => {
    for (const { device } of pages.values()) device.heartbeat();
  }, HEARTBEAT_MS).unref();
  const watchingTraces = setInterval(tellTraces, TRACES_MS).unref();

  const open = async (res: ServerResponse): Promise<void> => {
    const data = await calls([]);
    if (res.destroyed) return;
    openStream(res);
    const device = new PageDevice(randomUUID(), res);
    let detach = hub.approvals.attach(device);
    device.start({ info: info(), tools: tools(), calls: data, traces: tracesNow(traces) });
    // A device that stayed silent is asked no more in that run; coming anew is a sign of life.
    pages.set(device.id, { device, returned: () => {
      detach();
      detach = hub.approvals.attach(device);
    } });
    res.on('close', () => {
      pages.delete(device.id);
      detach();
    });
  };

  const pageOf = (id: string): { readonly device: PageDevice; readonly returned: () => void } => {
    const page = pages.get(id);
    if (!page) throw new RequestFault(409, 'not-connected', 'This page has lost its connection. Wait until it says that it is connected, then try again.');
    return page;
  };

  const change = (body: SettingsBody): void => {
    if ('mcpRunGrants' in body) return hub.settings.setMcpRunGrants(body.mcpRunGrants);
    const tool = 'tool' in body ? body.tool : undefined;
    const known = hub.tools().some(({ owner, name }) => owner === body.plugin && (tool === undefined || name === tool));
    if (!known) throw new RequestFault(404, 'tool-unknown', 'This plugin or tool is not there any more. The list is read anew.');
    if (tool === undefined) hub.settings.setPlugin(body.plugin, body.setting);
    else hub.settings.setTool(body.plugin, tool, body.setting);
  };

  const post = async (path: string, body: unknown): Promise<unknown> => {
    switch (path) {
      case '/api/answer': {
        const { page, id, decision, shownWhole } = readAnswer(body);
        return hub.approvals.answer(id, decision, pageOf(page).device, shownWhole);
      }
      case '/api/seen': {
        const { page, id } = readSeen(body);
        if (id === undefined) pageOf(page).returned();
        else pageOf(page).device.seen(id);
        return {};
      }
      case '/api/settings':
        change(readSettings(body));
        return {};
      case '/api/undo': {
        const { call, from } = readUndo(body);
        return { sentence: await hub.undoCall(call, from) };
      }
      case '/api/traces': {
        const kept = saveTraces(traces, readTraces(body));
        tellTraces();
        return kept;
      }
      case '/api/traces/check':
        return tracesFaults(traces, readTraces(body));
      case '/api/traces/test':
        return testTraces(traces, readTraces(body));
      case '/api/traces/secret':
        setSecret(traces, readSecret(body));
        tellTraces();
        return {};
      default:
        throw new RequestFault(404, 'not-found', 'There is nothing at this address.');
    }
  };

  const api = async (path: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    checkSource(req);
    if (!cookie.isWith(req)) throw new RequestFault(401, 'unauthorized', 'Open the address that the terminal printed.');
    if (path === '/api/events') {
      if (req.method === 'HEAD') send(res, 204, 'text/plain', '');
      else if (req.method === 'GET') await open(res);
      else throw new RequestFault(405, 'invalid-request', 'This address is read with GET.');
    } else if (req.method !== 'POST') throw new RequestFault(405, 'invalid-request', 'This address takes POST.');
    else sendJson(res, 200, await post(path, await readJson(req)));
  };

  const get = (path: string, url: URL, req: IncomingMessage, res: ServerResponse): boolean => {
    switch (path) {
      case '/login':
        if (cookie.isKey(url.searchParams.get('key'))) send(res, 303, 'text/plain', '', { 'Set-Cookie': cookie.header(req), Location: '/' });
        else send(res, 403, 'text/html', NO_COOKIE);
        return true;
      case '/':
        if (cookie.isWith(req)) send(res, 200, 'text/html', assets.html);
        else send(res, 401, 'text/html', NO_COOKIE);
        return true;
      case '/page.js':
        send(res, 200, 'text/javascript', assets.js);
        return true;
      case '/page.css':
        send(res, 200, 'text/css', assets.css);
        return true;
      default:
        return false;
    }
  };

  return {
    handle: async (req, res) => {
      try {
        const url = new URL(req.url ?? '/', 'http://page');
        if (url.pathname.startsWith('/api/')) {
          await api(url.pathname, req, res);
          return true;
        }
        if (req.method !== 'GET' && req.method !== 'HEAD') return false;
        return get(url.pathname, url, req, res);
      } catch (error) {
        sendFault(res, error);
        return true;
      }
    },
    close: () => {
      for (const stop of stops) stop();
      clearInterval(heart);
      clearInterval(watchingTraces);
      clearTimeout(gathering);
      for (const { device } of pages.values()) device.end();
      pages.clear();
    },
  };
}
