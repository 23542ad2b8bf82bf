/** A real Prometheus over what a collector counted, with the rules of the stack; it looks each second. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { Child, eventually, freePorts, HOST } from './child.ts';
import { findPrometheus } from './parts.ts';

export const FOLDER = fileURLToPath(new URL('../../otel/prometheus', import.meta.url));

interface Config {
  global: Record<string, string>;
  rule_files: string[];
  scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Alert {
  readonly name: string;
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
}

export interface Prometheus {
  /** As it is now. A query that cannot be run throws what Prometheus says of it. */
  query(expr: string): Promise<readonly Sample[]>;
  values(labelName: string): Promise<readonly string[]>;
  alerts(): Promise<readonly Alert[]>;
  /** Trace ids that stand beside the numbers of a series. */
  exemplars(selector: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startPrometheus(metricsUrl: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'model-hub-prometheus-'));
  const { PORT } = await freePorts('PORT');
  writeFileSync(join(folder, 'prometheus.yml'), stringify(configFor(new URL(metricsUrl).host)));
  const child = new Child({
    name: 'Prometheus',
    program: findPrometheus(),
    args: [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${HOST}:${PORT}`, '--enable-feature=exemplar-storage'],
    health: `http://${HOST}:${PORT}/-/ready`,
  });
  await child.start();

  const get = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`http://${HOST}:${PORT}/api/v1/${path}`)).json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  const query = async (expr: string): Promise<readonly Sample[]> => {
    const { result } = await get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(`query?query=${encodeURIComponent(expr)}`);
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  };
  // It finds out where to look some seconds after it is ready; counts begin with a 0 that it must not miss.
  await eventually(async () => (await query('up == 1'))[0], 'Prometheus reads the collector');
  return {
    query,
    values: (labelName) => get(`label/${labelName}/values`),
    alerts: async () => (await get<{ alerts: { labels: Record<string, string>; state: Alert['state'] }[] }>('alerts')).alerts.map(({ labels, state }) => ({ name: labels['alertname']!, state, labels })),
    exemplars: async (selector) => {
      const now = Date.now() / 1000;
      const series = await get<{ exemplars: { labels: { trace_id?: string } }[] }[]>(`query_exemplars?query=${encodeURIComponent(selector)}&start=${now - 600}&end=${now + 60}`);
      return series.flatMap(({ exemplars }) => exemplars.flatMap(({ labels }) => labels.trace_id ?? []));
    },
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The stack's own, but for where and how often. */
function configFor(target: string): Config {
  const config = parse(readFileSync(join(FOLDER, 'prometheus.yml'), 'utf8')) as Config;
  return {
    global: { ...config.global, scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: config.rule_files.map((file) => join(FOLDER, file)),
    scrape_configs: config.scrape_configs.filter(({ job_name }) => job_name === 'model-hub').map((job) => ({ ...job, static_configs: [{ targets: [target] }] })),
  };
}
