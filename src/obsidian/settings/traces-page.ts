/** The page of traces: the form that every host shows, over this host's settings and secrets. */
import { SettingPage, type SettingDefinitionPage } from 'obsidian';
import { saveTraces, setSecret, testTraces, tracesFaults, tracesNow } from '../../shown/traces.ts';
import type { Traces } from '../../node/export/traces.ts';
import { drawTraces } from '../../../views/traces-settings.ts';
import { tracesState } from '../../../views/words.ts';
import { PAGES } from '../words.ts';
import type { SettingsParts, Switch } from './settings-tab.ts';

/** How often the page looks how sending stands. */
const LOOK_MS = 2_000;

export function tracesPage({ host: { traces } }: SettingsParts): SettingDefinitionPage<Switch> {
  const { word, tone } = tracesState(traces.state());
  return { type: 'page', name: PAGES.traces, desc: PAGES.tracesAbout, displayValue: word, status: tone === 'bad' ? 'warning' : null, page: () => new TracesPage(traces) };
}

class TracesPage extends SettingPage {
  readonly #traces: Traces;
  #stop: () => void = () => undefined;

  constructor(traces: Traces) {
    super();
    this.#traces = traces;
    this.title = PAGES.traces;
  }

  override display(): void {
    const traces = this.#traces;
    this.#stop();
    this.containerEl.empty();
    const place = this.containerEl.createDiv({ cls: 'mh-settings' });
    const view = drawTraces(place, tracesNow(traces), {
      check: (settings) => Promise.resolve(tracesFaults(traces, settings)),
      save: async (settings) => saveTraces(traces, settings),
      test: (settings) => testTraces(traces, settings),
      setSecret: async (name, value, endpoint) => setSecret(traces, { name, value, endpoint }),
      deleteSecret: async (name) => setSecret(traces, { name }),
    });
    const { win } = this.containerEl;
    const timer = win.setInterval(() => view.update(tracesNow(traces)), LOOK_MS);
    this.#stop = () => win.clearInterval(timer);
  }

  override hide(): void {
    this.#stop();
    super.hide();
  }
}
