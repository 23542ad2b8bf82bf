/** The page: the open question on top, the last calls and the tools below, all as they are at this moment. */
import type { Question, Receipt } from '../../core/questions.ts';
import { drawCalls } from '../../../views/calls.ts';
import { drawTools } from '../../../views/tools-settings.ts';
import { drawConnect } from './connect.ts';
import { connect, post } from './connection.ts';
import { Notices } from './notices.ts';
import { PAGE, type ConnectionState } from './page-words.ts';
import { QuestionDialog } from './question-dialog.ts';
import type { ToolsData } from '../../../views/tools-settings.ts';
import { drawTraces, type TracesData, type TracesView } from '../../../views/traces-settings.ts';
import { tracesState } from '../../../views/words.ts';
import type { CallsData, PageInfo, SettingsBody, TracesBody, TracesChecked, TracesTested } from './wire.ts';

const part = <Kind extends HTMLElement = HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

const notices = new Notices(part('notices'));
let pageId = '';
let open: Question | undefined;

const fail = (error: unknown): void => notices.warn(error instanceof Error ? error.message : PAGE.unreachable);

const dialog = new QuestionDialog(part<HTMLDialogElement>('question'), {
  answer: async (id, decision, shownWhole) => (await post('/api/answer', { page: pageId, id, decision, shownWhole })) as Receipt,
  say: (sentence) => notices.say(sentence),
  onChange: (question) => {
    open = question;
    document.title = question ? PAGE.waitingTitle(question.tool) : PAGE.title;
    sayThatSeen();
  },
});

/** A question counts as shown when it is on a screen. */
function sayThatSeen(): void {
  const question = open;
  if (!question || document.visibilityState !== 'visible') return;
  requestAnimationFrame(() => void post('/api/seen', { page: pageId, id: question.id }).catch(() => undefined)); // shown again after a reconnect
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible' || pageId === '') return;
  post('/api/seen', { page: pageId }).then(sayThatSeen, () => undefined); // a lost connection shows itself
});

async function undo(call: string, from: 'notice' | 'view'): Promise<string> {
  const { sentence } = (await post('/api/undo', { call, from })) as { sentence: string };
  return sentence;
}

let calls: CallsData = { rows: [], fresh: [] };
function showCalls(data: CallsData): void {
  calls = data;
  if (data.rows.length > 0) foldConnect();
  drawCalls(part('calls'), data.rows, {
    undo: (call) => void undo(call, 'view').then((sentence) => notices.say(sentence), (error: unknown) => {
      fail(error);
      showCalls({ ...calls, fresh: [] });
    }),
  });
  for (const row of data.rows) {
    if (!data.fresh.includes(row.id)) continue;
    if (row.kind === 'undo') {
      if (row.outcome === 'done') notices.withdraw(row.of);
    } else if (row.canUndo) notices.offerUndo(row.id, { pluginName: row.pluginName ?? '', tool: row.tool }, () => undo(row.id, 'notice'));
  }
}

let tools: ToolsData = { plugins: [], mcpRunGrants: false };
function showTools(data: ToolsData): void {
  tools = data;
  const set = (body: SettingsBody): void => void post('/api/settings', body).catch((error: unknown) => {
    fail(error);
    showTools(tools); // what the control shows was not taken
  });
  drawTools(part('tools'), data, {
    setPlugin: (plugin, setting) => set({ plugin, setting }),
    setTool: (plugin, tool, setting) => set({ plugin, tool, setting }),
    setMcpRunGrants: (mcpRunGrants) => set({ mcpRunGrants }),
  });
}

let traces: TracesView | undefined;
function showTraces(data: TracesData): void {
  const { word, tone } = tracesState(data.state);
  const brief = part('traces-brief');
  brief.textContent = word;
  brief.className = `page-brief mh-tone-${tone}`;
  // Drawn once: what somebody types there outlives a lost connection.
  if (traces) traces.update(data);
  else traces = drawTraces(part('traces'), data, {
    check: async (settings) => (await post('/api/traces/check', settings)) as TracesChecked,
    save: async (settings) => (await post('/api/traces', settings)) as TracesBody,
    test: async (settings) => (await post('/api/traces/test', settings)) as TracesTested,
    setSecret: async (name, value, endpoint) => void await post('/api/traces/secret', { name, value, endpoint }),
    deleteSecret: async (name) => void await post('/api/traces/secret', { name }),
  });
}

const connectToggle = part('connect-toggle');
const connectPanel = part('connect');
/** The page opened the panel by itself, and may close it again. */
let connectIsOffer = false;
function openConnect(opens: boolean): void {
  connectPanel.hidden = !opens;
  connectToggle.setAttribute('aria-expanded', String(opens));
}
connectToggle.addEventListener('click', () => {
  connectIsOffer = false;
  openConnect(connectPanel.hasAttribute('hidden'));
});

/** An agent has called: its way here need not take the first half of the page any more. Not under somebody's hands. */
function foldConnect(): void {
  if (!connectIsOffer || connectPanel.matches(':hover, :focus-within')) return;
  connectIsOffer = false;
  openConnect(false);
}

let first = true;
function showInfo(info: PageInfo): void {
  part('vault').textContent = info.vault;
  part('version').textContent = info.version;
  drawConnect(part('connect-body'), info);
  if (first && calls.rows.length === 0) {
    connectIsOffer = true;
    openConnect(true);
  }
  first = false;
}

function showConnection(state: ConnectionState): void {
  const place = part('connection');
  place.dataset['state'] = state;
  place.textContent = PAGE.connection[state];
  if (state === 'lost') dialog.lost();
  if (state === 'locked') notices.warn(PAGE.locked);
}

connect({
  state: ({ page, info, tools: toolsNow, calls: callsNow, traces: tracesNow, question }) => {
    pageId = page;
    showCalls(callsNow);
    showTools(toolsNow);
    showTraces(tracesNow);
    showInfo(info);
    dialog.synchronise(question);
    sayThatSeen();
  },
  question: (question) => dialog.show(question),
  waiting: ({ id, ...now }) => dialog.update(id, now),
  close: (settlement) => dialog.settled(settlement),
  tools: showTools,
  calls: showCalls,
  traces: showTraces,
}, showConnection);
