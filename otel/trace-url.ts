/** The address under which a backend shows a call's trace (E01). */

/** Where it is typed: for those that the compose file of the project starts. */
export const TRACE_URLS = {
  Jaeger: 'http://localhost:16686/trace/{trace}?uiFind={span}',
  Grafana: 'http://localhost:3000/explore?schemaVersion=1&panes=%7B%22t%22%3A%7B%22datasource%22%3A%22tempo%22%2C%22queries%22%3A%5B%7B%22refId%22%3A%22A%22%2C%22queryType%22%3A%22traceql%22%2C%22query%22%3A%22{trace}%22%7D%5D%2C%22range%22%3A%7B%22from%22%3A%22now-30d%22%2C%22to%22%3A%22now%22%7D%7D%7D',
} as const;

/** What is wrong with a template; `undefined` for a good one, and for none. */
export function traceUrlFault(template: string): string | undefined {
  if (template === '') return undefined;
  if (!/^https?:\/\//i.test(template) || !URL.canParse(template.replaceAll(/[{}]/g, ''))) return 'The address of a trace must begin with http:// or https://.';
  return template.includes('{trace}') ? undefined : 'The address of a trace must hold {trace}, where its id is to stand.';
}

/** `undefined` if there is no template, or a wrong one: it may come from a file that was synced. */
export function traceUrl(template: string, { trace, id }: { readonly trace: string; readonly id: string }): string | undefined {
  if (template === '' || traceUrlFault(template) !== undefined || !/^[0-9a-f]{32}$/.test(trace) || !/^[0-9a-f]{16}$/.test(id)) return undefined;
  return template.replaceAll('{trace}', trace).replaceAll('{span}', id);
}
