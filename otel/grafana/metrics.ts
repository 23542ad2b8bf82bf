/**
 * What the collector makes of spans, by the names that Prometheus has for it. Labels come from the registry of attributes: a
 * name that is not there does not compile.
 */
import type { AttributeKey, AttributeValueOf, SpanKindName } from '../attributes.ts';

/** Calls, waits and executions: a count and a histogram of milliseconds, from `span_metrics`. */
export const SPANS = 'traces_span_metrics_calls_total';
export const SPAN_TIMES = 'traces_span_metrics_duration_milliseconds_bucket';

/** Sums, from `signal_to_metrics`. Money is in millionths of a dollar. */
export const COST = 'modelhub_cost_usd_micros_total';
export const RUN_COST = 'modelhub_run_cost_usd_micros_total';
export const RUNS_AT_80 = 'modelhub_runs_budget_80_total';
export const RUNS_AT_100 = 'modelhub_runs_budget_100_total';

/** An attribute's key as a label. */
export const label = (key: AttributeKey): string => key.replaceAll('.', '_');

/** Only spans of this kind. */
export const kind = (name: SpanKindName): string => `span_name=~"${name} .*"`;

/** Only series whose attribute has one of these values. */
export function where<K extends AttributeKey>(key: K, ...values: readonly AttributeValueOf<K>[]): string {
  const [first, ...others] = values.map(String);
  return others.length === 0 ? `${label(key)}="${first}"` : `${label(key)}=~"${[first, ...others].join('|')}"`;
}

/** How much a count of `span_metrics` grew. Its first value is 0. */
export const grown = (selector: string, by: readonly AttributeKey[], range: string): string => `${sumBy(by)}(increase(${selector}[${range}]))`;

/** How much a sum of `signal_to_metrics` grew. It begins with its first value: a series that was not there before counts whole. */
export const grownFromNothing = (selector: string, by: readonly AttributeKey[], range: string): string =>
  `${sumBy(by)}((${selector} unless ${selector} offset ${range}) or increase(${selector}[${range}]))`;

/** A share of all times is at most this long. */
export const quantile = (share: number, selector: string, range: string): string => `histogram_quantile(${share}, sum by (le) (rate(${selector}[${range}])))`;

const sumBy = (by: readonly AttributeKey[]): string => (by.length === 0 ? 'sum' : `sum by (${by.map(label).join(', ')}) `);
