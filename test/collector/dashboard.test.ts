/** Dashboard and alerts, over a real Prometheus that reads what the real collector made out of spans. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttributeValueOf } from '../../otel/attributes.ts';
import { dashboard } from '../../otel/grafana/dashboard.ts';
import { COST, SPAN_TIMES } from '../../otel/grafana/metrics.ts';
import { eventually } from './child.ts';
import { startCollector, type Collector } from './collector.ts';
import { sendSpans, spanOf, type PlainSpan } from './otlp.ts';
import { findPromtool, without } from './parts.ts';
import { FOLDER, startPrometheus, type Prometheus } from './prometheus.ts';

const AGENT = { 'gen_ai.agent.name': 'Claude Code', 'modelhub.client.kind': 'mcp' } as const;

type Outcome = AttributeValueOf<'modelhub.call.outcome'>;
const call = (tool: string, outcome: Outcome, more: PlainSpan['attributes'] = {}): PlainSpan =>
  spanOf(`tool_call ${tool}`, { 'gen_ai.tool.name': tool, 'modelhub.call.outcome': outcome, ...AGENT, ...more });

/** A bit of everything that the gate tells. Costs 3000 millionths; one run reaches its limit, one stays far below. */
const round = (): readonly PlainSpan[] => [
  ...[1, 2, 3, 4].map(() => call('books.list', 'ok')),
  call('books.add', 'refused', { 'modelhub.call.code': 'tool-denied', 'modelhub.refusal.reason': 'user' }),
  call('books.add', 'refused', { 'modelhub.call.code': 'tool-denied', 'modelhub.refusal.reason': 'log' }),
  ...[1, 2, 3, 4, 5].map(() => call('books.add', 'failed', { 'modelhub.call.code': 'tool-failed', 'error.type': 'tool-failed' })),
  call('books.add', 'timeout', { 'modelhub.call.code': 'tool-timeout', 'error.type': 'tool-timeout' }),
  spanOf('await_approval books.add', { 'gen_ai.tool.name': 'books.add' }, 8000),
  spanOf('execute_tool books.add', { 'gen_ai.tool.name': 'books.add' }, 300),
  spanOf('chat small-1', { 'gen_ai.request.model': 'small-1', 'modelhub.cost_usd_micros': 1000, ...AGENT }),
  spanOf('chat large-1', { 'gen_ai.request.model': 'large-1', 'modelhub.cost_usd_micros': 2000, ...AGENT }),
  spanOf('invoke_agent Claude Code', { ...AGENT, 'modelhub.run.budget_usd_micros': 1_000_000, 'modelhub.run.cost_usd_micros': 1_000_000 }),
  spanOf('invoke_agent Claude Code', { ...AGENT, 'modelhub.run.budget_usd_micros': 1_000_000, 'modelhub.run.cost_usd_micros': 400_000 }),
];

/** Each query of the dashboard that goes to Prometheus, as Grafana would ask it. */
const queries = (dashboard().panels ?? []).flatMap((panel) => {
  const { title, targets = [] } = panel as { title?: string; targets?: readonly { expr?: string; datasource?: { type?: string } }[] };
  return targets.filter(({ datasource }) => datasource?.type === 'prometheus').map(({ expr }) => ({ title: title ?? '', expr: filledIn(expr ?? '') }));
});

function filledIn(expr: string): string {
  return expr.replaceAll('$__rate_interval', '60s').replaceAll('$__range', '5m').replaceAll('$client', '.*');
}

describe.skipIf(without('collector', 'prometheus'))('dashboard and alerts', () => {
  const sent: PlainSpan[] = [];
  let collector: Collector;
  let prometheus: Prometheus;
  beforeAll(async () => {
    collector = await startCollector();
    prometheus = await startPrometheus(collector.metricsUrl);
    // Twice, with a look between: only then has each count grown.
    for (const spans of [round(), round()]) {
      await sendSpans(collector.url, spans);
      sent.push(...spans);
      await pause(3000);
    }
    await eventually(async () => ((await prometheus.query(`sum(${COST})`))[0]?.value === 6000 ? true : undefined), 'all costs in Prometheus');
  });
  afterAll(async () => {
    await prometheus?.stop();
    await collector?.stop();
  });

  it('E13 has panels for what the gate tells', () => {
    expect([...new Set(queries.map(({ title }) => title))]).toEqual([
      'Calls by outcome', 'Refusals by reason', 'Failures by code', 'Waiting for a person', 'Running', 'Cost by model and client', 'Cost of runs by client', 'Runs near their limit', 'Alerts',
    ]);
  });

  it('E13 raises each alert: runs at 80 and 100 % of their limit, failures, a log that cannot be written', async () => {
    const names = await eventually(async () => {
      const all = (await prometheus.alerts()).map(({ name }) => name).toSorted();
      return all.length >= 4 ? all : undefined;
    }, 'four alerts');
    expect(names).toEqual(['ModelHubFailureRate', 'ModelHubLogNotWritable', 'ModelHubRunBudget100', 'ModelHubRunBudget80']);
    const labels = Object.fromEntries((await prometheus.alerts()).map((alert) => [alert.name, alert.labels]));
    expect(labels['ModelHubFailureRate']).toMatchObject({ gen_ai_tool_name: 'books.add', severity: 'warning' });
    expect(labels['ModelHubRunBudget100']).toMatchObject({ gen_ai_agent_name: 'Claude Code' });
  });

  it.each(queries)('E13 "$title" gets numbers above 0 from Prometheus', async ({ expr }) => {
    const samples = await prometheus.query(expr);
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.filter(({ value }) => value > 0)).not.toEqual([]);
  });

  it('E13 tells each outcome, reason and code that was sent, and no other', async () => {
    const told = async (title: string, label: string): Promise<readonly (string | undefined)[]> => {
      const samples = await prometheus.query(queries.find((each) => each.title === title)!.expr);
      return samples.map(({ metric }) => metric[label]).toSorted();
    };
    expect(await told('Calls by outcome', 'modelhub_call_outcome')).toEqual(['failed', 'ok', 'refused', 'timeout']);
    expect(await told('Refusals by reason', 'modelhub_refusal_reason')).toEqual(['log', 'user']);
    expect(await told('Failures by code', 'modelhub_call_code')).toEqual(['tool-failed', 'tool-timeout']);
  });

  it('E13 adds up money exactly, by model and client, and by the client of runs', async () => {
    const costs = await prometheus.query(queries.find(({ title }) => title === 'Cost by model and client')!.expr);
    const runs = await prometheus.query(queries.find(({ title }) => title === 'Cost of runs by client')!.expr);
    expect(costs.map(({ metric, value }) => [metric['gen_ai_request_model'], metric['gen_ai_agent_name'], value]).toSorted()).toEqual([['large-1', 'Claude Code', 0.004], ['small-1', 'Claude Code', 0.002]]);
    expect(runs.map(({ metric, value }) => [metric['gen_ai_agent_name'], value])).toEqual([['Claude Code', 2.8]]);
    expect((await prometheus.query(queries.filter(({ title }) => title === 'Runs near their limit')[1]!.expr)).map(({ value }) => value)).toEqual([2]);
  });

  it('E13 tells how long people and tools took: about 8 s, about 300 ms', async () => {
    const median = async (title: string): Promise<number> => (await prometheus.query(queries.find((each) => each.title === title)!.expr))[0]!.value;
    expect(await median('Waiting for a person')).toBeGreaterThan(5000);
    expect(await median('Waiting for a person')).toBeLessThanOrEqual(10_000);
    expect(await median('Running')).toBeGreaterThan(250);
    expect(await median('Running')).toBeLessThanOrEqual(500);
  });

  it('E13 offers the clients that called, and opens traces from numbers', async () => {
    expect(await prometheus.values('gen_ai_agent_name')).toEqual(['Claude Code']);
    const traces = await prometheus.exemplars(`${SPAN_TIMES}{span_name=~"await_approval .*"}`);
    const waits = sent.filter(({ name }) => name.startsWith('await_approval')).map(({ traceId }) => traceId);
    expect(traces).not.toEqual([]);
    expect(traces.filter((id) => !waits.includes(id))).toEqual([]);
  });
});

describe.skipIf(without('promtool'))('the rules', () => {
  const promtool = (...args: readonly string[]): string => execFileSync(findPromtool(), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  it('E13 are ones that Prometheus takes, and its config too', () => {
    expect(promtool('check', 'rules', join(FOLDER, 'rules.yaml'))).toContain('4 rules found');
    expect(promtool('check', 'config', join(FOLDER, 'prometheus.yml'))).toContain('SUCCESS');
  });

  it('E13 fire when they should, and only then', () => {
    const tested = readFileSync(join(FOLDER, 'rules.test.yaml'), 'utf8');
    for (const alert of ['ModelHubRunBudget80', 'ModelHubRunBudget100', 'ModelHubFailureRate', 'ModelHubLogNotWritable']) expect(tested).toContain(`alertname: ${alert}`);
    expect(promtool('test', 'rules', join(FOLDER, 'rules.test.yaml'))).toContain('SUCCESS');
  });
});
