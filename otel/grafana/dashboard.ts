/**
 * The dashboard: calls, refusals and failures, how long people and tools take, what models cost, and the calls behind it.
 * `npm run dashboard` writes it to dashboards/model-hub.json; test/collector asks each of its queries of a real Prometheus.
 */
import { GraphDrawStyle, LegendDisplayMode, LegendPlacement, StackingConfigBuilder, StackingMode, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DashboardBuilder, DashboardLinkBuilder, DashboardLinkType, QueryVariableBuilder, RowBuilder, TextBoxVariableBuilder, VariableRefresh, type Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder as PrometheusQuery, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatPanel } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TablePanel } from '@grafana/grafana-foundation-sdk/table';
import { DataqueryBuilder as TempoQuery, SearchTableType } from '@grafana/grafana-foundation-sdk/tempo';
import { PanelBuilder as TimePanel } from '@grafana/grafana-foundation-sdk/timeseries';
import type { AttributeKey } from '../attributes.ts';
import { COST, grown, grownFromNothing, kind, label, quantile, RUN_COST, RUNS_AT_100, RUNS_AT_80, SPAN_TIMES, SPANS, where } from './metrics.ts';

const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' };
const TEMPO = { type: 'tempo', uid: 'tempo' };

const STEP = '$__rate_interval';
const RANGE = '$__range';
const THIS_CLIENT = `${label('gen_ai.agent.name')}=~"$client"`;
const calls = (...filters: readonly string[]): string => `${SPANS}{${[kind('tool_call'), THIS_CLIENT, ...filters].join(', ')}}`;
const usd = (micros: string): string => `${micros} / 1e6`;

/** Grafana takes these names out of the row that was clicked. */
const CLICKED_TRACE = '${__data.fields.traceIdHidden}';
const IN_TEMPO = `/explore?schemaVersion=1&orgId=1&panes=${encodeURIComponent(JSON.stringify({
  t: { datasource: TEMPO.uid, queries: [{ refId: 'A', datasource: TEMPO, queryType: 'traceql', query: 'TRACE' }], range: { from: 'now-30d', to: 'now' } },
})).replace('TRACE', CLICKED_TRACE)}`;

export function dashboard(): Dashboard {
  return new DashboardBuilder('Model Hub')
    .uid('model-hub')
    .description('Every tool call that passed the gate: how it ended, who had to be asked, how long it took, what it cost.')
    .tags(['model-hub'])
    .timezone('browser')
    .time({ from: 'now-6h', to: 'now' })
    .refresh('30s')
    .withVariable(
      new QueryVariableBuilder('client').label('Client').datasource(PROMETHEUS).query(`label_values(${SPANS}, ${label('gen_ai.agent.name')})`)
        .refresh(VariableRefresh.OnTimeRangeChanged).multi(true).includeAll(true).allValue('.*').current({ text: 'All', value: '$__all' }),
    )
    .withVariable(new TextBoxVariableBuilder('jaeger').label('Jaeger').defaultValue('http://localhost:16686').current({ text: 'http://localhost:16686', value: 'http://localhost:16686' }))
    .link(new DashboardLinkBuilder('Jaeger').type(DashboardLinkType.Link).icon('external link').url('$jaeger/search?service=model-hub').targetBlank(true))

    .withRow(new RowBuilder('Calls'))
    .withPanel(counts('Calls by outcome', 'Each call ends once.', calls(), 'modelhub.call.outcome'))
    .withPanel(counts('Refusals by reason', 'By setting, by a person, by silence – or because the log could not be written.', calls(where('modelhub.call.outcome', 'refused')), 'modelhub.refusal.reason'))
    .withPanel(counts('Failures by code', 'The tool did not do its job, or not in time.', calls(where('modelhub.call.outcome', 'failed', 'timeout')), 'modelhub.call.code'))

    .withRow(new RowBuilder('Time'))
    .withPanel(times('Waiting for a person', 'From the question to its answer. A dot opens its trace.', `${SPAN_TIMES}{${kind('await_approval')}}`))
    .withPanel(times('Running', 'Inside the tools. A dot opens its trace.', `${SPAN_TIMES}{${kind('execute_tool')}}`))

    .withRow(new RowBuilder('Cost'))
    .withPanel(
      bars('Cost by model and client', 'Of model calls, as they end.', 12).unit('currencyUSD').decimals(4)
        .withTarget(query(usd(grownFromNothing(`${COST}`, ['gen_ai.request.model', 'gen_ai.agent.name'], STEP)), `{{${label('gen_ai.request.model')}}} {{${label('gen_ai.agent.name')}}}`)),
    )
    .withPanel(
      new StatPanel().title('Cost of runs by client').description('Of runs that ended in the time shown.').datasource(PROMETHEUS).height(8).span(6).unit('currencyUSD').decimals(2).noValue('0')
        .withTarget(query(usd(grownFromNothing(`${RUN_COST}{${THIS_CLIENT}}`, ['gen_ai.agent.name'], RANGE)), `{{${label('gen_ai.agent.name')}}}`).instant()),
    )
    .withPanel(
      new StatPanel().title('Runs near their limit').description('Of runs that ended in the time shown.').datasource(PROMETHEUS).height(8).span(6).decimals(0).noValue('0')
        .withTarget(query(grownFromNothing(`${RUNS_AT_80}{${THIS_CLIENT}}`, [], RANGE), 'at 80 % or more').instant())
        .withTarget(query(grownFromNothing(`${RUNS_AT_100}{${THIS_CLIENT}}`, [], RANGE), 'at their limit').instant().refId('B')),
    )

    .withRow(new RowBuilder('Behind it'))
    .withPanel(
      new TablePanel().title('Alerts').description('What fires now; the rules are in otel/prometheus/rules.yaml.').datasource(PROMETHEUS).height(8).span(8).noValue('None fires.')
        .withTarget(query('ALERTS{alertname=~"ModelHub.*", alertstate="firing"}', '').instant().format(PromQueryFormat.Table))
        .withTransformation({ id: 'organize', options: { excludeByName: { Time: true, Value: true, __name__: true, alertstate: true } } }),
    )
    .withPanel(lastRefused())
    .build();
}

/** Calls per step, as stacked bars, one colour a value. */
function counts(title: string, about: string, selector: string, by: AttributeKey): TimePanel {
  return bars(title, about, 8).unit('short').decimals(0).withTarget(query(grown(selector, [by], STEP), `{{${label(by)}}}`));
}

function bars(title: string, about: string, span: number): TimePanel {
  return timePanel(title, about, span).min(0).drawStyle(GraphDrawStyle.Bars).fillOpacity(80).lineWidth(0).stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'));
}

function times(title: string, about: string, selector: string): TimePanel {
  const panel = timePanel(title, about, 12).unit('ms').min(0);
  for (const [share, name, refId] of [[0.5, 'half are faster', 'A'], [0.95, '95 % are faster', 'B']] as const) {
    panel.withTarget(query(quantile(share, selector, STEP), name).refId(refId).exemplar(true));
  }
  return panel;
}

function timePanel(title: string, about: string, span: number): TimePanel {
  return new TimePanel().title(title).description(about).datasource(PROMETHEUS).height(8).span(span)
    .legend(new VizLegendOptionsBuilder().showLegend(true).displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom).calcs([]));
}

function query(expr: string, legend: string): PrometheusQuery {
  return new PrometheusQuery().refId('A').datasource(PROMETHEUS).expr(expr).legendFormat(legend);
}

/** The newest refused calls, with their traces. */
function lastRefused(): TablePanel {
  const shown: readonly AttributeKey[] = ['gen_ai.tool.name', 'modelhub.refusal.reason', 'gen_ai.agent.name'];
  const outcome: AttributeKey = 'modelhub.call.outcome';
  const links = [
    { title: 'Open in Jaeger', url: `\${jaeger}/trace/${CLICKED_TRACE}`, targetBlank: true },
    { title: 'Open in Tempo', url: IN_TEMPO, targetBlank: true },
  ];
  return new TablePanel().title('Last refused calls').description('A span id opens its trace.').datasource(TEMPO).height(8).span(16)
    .withTarget(
      new TempoQuery().refId('A').datasource(TEMPO).queryType('traceql').limit(20).tableType(SearchTableType.Spans)
        .query(`{ resource.service.name = "model-hub" && span.${outcome} = "refused" } | select(${shown.map((key) => `span.${key}`).join(', ')})`),
    )
    .overrideByName('spanID', [{ id: 'links', value: links }]);
}
