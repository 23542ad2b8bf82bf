/** The files of the stack, each held against whoever reads it: the collector, the compose specification, the registry of attributes. */
import { Ajv } from 'ajv';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ATTRIBUTES, type AttributeKey, type AttributeSpec } from '../../otel/attributes.ts';
import { dashboard } from '../../otel/grafana/dashboard.ts';
import * as METRICS from '../../otel/grafana/metrics.ts';
import { PUBLISHED } from '../containers/published.ts';
import { testEnvironment } from './collector.ts';
import { findCollector, without } from './parts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe.skipIf(without('collector'))('the collector\'s configs', () => {
  const env = testEnvironment('127.0.0.1', { HTTP: 1, GRPC: 2, METRICS: 3, HEALTH: 4 }, '127.0.0.1:5');
  const validate = async (...files: readonly string[]): Promise<string> => {
    const { status, stderr } = spawnSync(await findCollector(), ['validate', ...files.flatMap((file) => ['--config', file])], { encoding: 'utf8', cwd: join(ROOT, 'otel/collector'), env: { ...process.env, ...env } });
    return status === 0 && stderr === '' ? 'valid' : `${status}: ${stderr}`;
  };

  it('E13 are ones that the collector takes', async () => {
    expect([await validate('config.yaml'), await validate('config.yaml', 'test.yaml')]).toEqual(['valid', 'valid']);
  });

  it('E13 would be refused with a key that it does not know', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'model-hub-config-'));
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(wrong, 'exporters: { prometheus: { no_such_key: 1 } }\n');
    const said = await validate('config.yaml', wrong);
    rmSync(folder, { recursive: true });
    expect(said).toContain('no_such_key');
  });
});

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

describe('docker-compose.yml', () => {
  const compose = parse(text('docker-compose.yml')) as { services: Record<string, Service>; volumes: Record<string, unknown> };
  const services = Object.entries(compose.services);

  it('E13 is what the compose specification calls a compose file', () => {
    // The schema as it is published, out of a package that ships it.
    const { $schema: _, ...schema } = JSON.parse(text('node_modules/dclint/schemas/compose.schema.json')) as Record<string, unknown>;
    const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    check(compose);
    expect(check.errors).toBeNull();
    expect(check({ services: { collector: { image: 1 } } })).toBe(false);
  });

  it('E13 brings collector, Jaeger, Tempo, Prometheus and Grafana, each in one version that is named', () => {
    expect(services.map(([name]) => name).toSorted()).toEqual(['collector', 'grafana', 'jaeger', 'prometheus', 'tempo']);
    expect(services.filter(([, { image }]) => !/:v?\d+\.\d+\.\d+$/.test(image))).toEqual([]);
  });

  it('E13 runs the versions that the tests run', () => {
    expect({ collector: compose.services['collector']!.image, jaeger: compose.services['jaeger']!.image }).toEqual(PUBLISHED);
    // Its number for Jaeger 2 is another than that of the module: 1.76.0 is 2.13.0.
    expect(text('otel/collector/go.mod')).toContain(`spanmetricsconnector v${PUBLISHED.collector.split(':')[1]}\n`);
    expect(text('otel/jaeger/go.mod')).toContain('github.com/jaegertracing/jaeger v1.76.0');
  });

  it('E13 is reached from this machine alone', () => {
    expect(services.flatMap(([, { ports = [] }]) => ports).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(services.flatMap(([, { ports = [] }]) => ports).length).toBeGreaterThan(0);
  });

  it('E13 mounts files that are there, for reading only, and volumes that it names', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes).map((mount) => mount.split(':') as [string, string, string?]);
    const files = mounts.filter(([from]) => from.startsWith('./'));
    expect(files.filter(([from, , mode]) => !existsSync(join(ROOT, from)) || mode !== 'ro')).toEqual([]);
    expect(mounts.filter(([from]) => !from.startsWith('./')).map(([from]) => from).toSorted()).toEqual(Object.keys(compose.volumes));
  });

  it('E13 sends nothing to whoever made its parts', () => {
    expect(compose.services['grafana']!.environment).toMatchObject({ GF_ANALYTICS_REPORTING_ENABLED: 'false', GF_ANALYTICS_CHECK_FOR_UPDATES: 'false', GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES: 'false', GF_PLUGINS_PREINSTALL_DISABLED: 'true' });
    expect(parse(text('otel/tempo/tempo.yaml'))).toMatchObject({ usage_report: { reporting_enabled: false } });
  });

  it('E13 has each address of one file at the other end', () => {
    const sources = (parse(text('otel/grafana/provisioning/datasources/model-hub.yaml')) as { datasources: { uid: string; type: string; url: string }[] }).datasources;
    const collector = parse(text('otel/collector/config.yaml')) as { exporters: Record<string, { endpoint: string }> };
    const scraped = (parse(text('otel/prometheus/prometheus.yml')) as { scrape_configs: { static_configs: { targets: string[] }[] }[] }).scrape_configs.flatMap(({ static_configs }) => static_configs.flatMap(({ targets }) => targets));
    const hosts = [...sources.map(({ url }) => new URL(url).hostname), ...scraped.map((target) => target.split(':')[0]!), ...['otlp_grpc/jaeger', 'otlp_http/tempo'].map((name) => collector.exporters[name]!.endpoint.replace(/^http:\/\//, '').split(':')[0]!)];
    expect(hosts.filter((host) => !(host in compose.services))).toEqual([]);
    // Each source that the dashboard asks is provided.
    const asked = [...JSON.stringify(dashboard()).matchAll(/"type":"(\w+)","uid":"(\w+)"/g)].map(([, type, uid]) => `${type} ${uid}`);
    expect([...new Set(asked)].toSorted()).toEqual(['prometheus prometheus', 'tempo tempo']);
    expect([...new Set(asked)].filter((each) => !sources.some(({ type, uid }) => each === `${type} ${uid}`))).toEqual([]);
    expect(sources.map(({ uid }) => uid)).toEqual(['prometheus', 'jaeger', 'tempo']);
  });
});

describe('the names in them', () => {
  const isKey = (name: string): name is AttributeKey => name in ATTRIBUTES;
  const LABELS = Object.keys(ATTRIBUTES).filter(isKey).map(METRICS.label);
  const SUMS = [METRICS.COST, METRICS.RUN_COST, METRICS.RUNS_AT_80, METRICS.RUNS_AT_100];

  it('E13 the collector looks at attributes that spans have', () => {
    const config = parse(text('otel/collector/config.yaml')) as {
      connectors: { span_metrics: { dimensions: { name: string }[] }; signal_to_metrics: { spans: { name: string; attributes: { key: string }[] }[] } };
    };
    const { span_metrics, signal_to_metrics } = config.connectors;
    const expressions = [...text('otel/collector/config.yaml').matchAll(/span\.attributes\["([^"]+)"\]/g)].map(([, key]) => key!);
    const keys = [...span_metrics.dimensions.map(({ name }) => name), ...signal_to_metrics.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)), ...expressions];
    expect(keys.filter((key) => !isKey(key))).toEqual([]);
    expect(expressions.length).toBeGreaterThan(5);
    expect(signal_to_metrics.spans.map(({ name }) => `${name.replaceAll('.', '_')}_total`)).toEqual(SUMS);
  });

  it('E13 rules and dashboard look at labels and sums that there are, and at values that they can have', () => {
    const read = `${text('otel/prometheus/rules.yaml')}\n${text('otel/grafana/dashboards/model-hub.json').replaceAll('\\"', '"')}`;
    const used = new Set(read.match(/\b(?:gen_ai|modelhub)_\w+/g));
    expect([...used].filter((name) => !LABELS.includes(name) && !SUMS.includes(name))).toEqual([]);
    expect(used.size).toBeGreaterThan(8);

    const filters = [...read.matchAll(/\b(modelhub_\w+)=~?"([^"$]+)"/g)].map(([, name, values]) => ({ spec: specOf(name!), values: values!.split('|') }));
    expect(filters.filter(({ spec, values }) => !values.every((value) => spec?.values?.includes(value)))).toEqual([]);
    expect(filters.length).toBeGreaterThan(3);
  });

  function specOf(name: string): AttributeSpec | undefined {
    return Object.entries<AttributeSpec>(ATTRIBUTES).find(([key]) => key.replaceAll('.', '_') === name)?.[1];
  }

  it('E13 the dashboard in the stack is what its source makes', () => {
    expect(text('otel/grafana/dashboards/model-hub.json')).toBe(`${JSON.stringify(dashboard(), undefined, 2)}\n`);
  });
});
