/**
 * A real collector, as config.yaml has it, with test.yaml laid over: on free ports of 127.0.0.1, and a request is answered only
 * once Jaeger has its spans. It can be stopped, killed, held and started again, on the same ports.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child, freePorts, HOST } from './child.ts';
import type { Jaeger } from './jaeger.ts';
import { findCollector } from './parts.ts';

const FOLDER = fileURLToPath(new URL('../../otel/collector', import.meta.url));

export interface CollectorOptions {
  /** Where spans go. Without one they are counted, and dropped. */
  readonly jaeger?: Pick<Jaeger, 'otlpGrpc'>;
  /** YAML that is laid over the rest. */
  readonly config?: string;
}

export interface Collector {
  /** Base URL for OTLP over HTTP: `/v1/traces` comes behind it. */
  readonly url: string;
  /** `host:port`, for OTLP over gRPC. */
  readonly otlpGrpc: string;
  /** Where Prometheus would scrape it. */
  readonly metricsUrl: string;
  /** Start, stop, kill, hold, resume; and its log. */
  readonly child: Child;
  metrics(): Promise<string>;
  /** Ends it, and removes what was made for it. */
  stop(): Promise<void>;
}

export async function startCollector({ jaeger, config }: CollectorOptions = {}): Promise<Collector> {
  const ports = await freePorts('HTTP', 'GRPC', 'METRICS', 'HEALTH');
  const folder = mkdtempSync(join(tmpdir(), 'model-hub-collector-'));
  const own = join(folder, 'own.yaml');
  writeFileSync(own, config ?? '{}\n');
  const child = new Child({
    name: 'the collector',
    program: await findCollector(),
    args: [join(FOLDER, 'config.yaml'), join(FOLDER, 'test.yaml'), own].flatMap((file) => ['--config', file]),
    env: testEnvironment(HOST, ports, jaeger?.otlpGrpc),
    health: `http://${HOST}:${ports.HEALTH}/`,
  });
  await child.start();
  const metricsUrl = `http://${HOST}:${ports.METRICS}/metrics`;
  return {
    url: `http://${HOST}:${ports.HTTP}`, otlpGrpc: `${HOST}:${ports.GRPC}`, metricsUrl, child,
    metrics: async () => (await fetch(metricsUrl)).text(),
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The variables that test.yaml reads. */
export function testEnvironment(host: string, ports: Readonly<Record<'HTTP' | 'GRPC' | 'METRICS' | 'HEALTH', number>>, jaeger?: string): Record<string, string> {
  return {
    MODEL_HUB_TEST_HOST: host,
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`MODEL_HUB_TEST_${name}`, String(port)])),
    MODEL_HUB_TEST_TRACES: jaeger === undefined ? 'debug' : 'otlp_grpc/jaeger',
    MODEL_HUB_TEST_JAEGER: jaeger ?? `${host}:4317`,
  };
}
