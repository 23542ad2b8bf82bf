/** A real Jaeger: takes spans by OTLP, and tells what it has. */
import { fileURLToPath } from 'node:url';
import { Child, freePorts, HOST } from './child.ts';
import { findJaeger } from './parts.ts';

const CONFIG = fileURLToPath(new URL('../../otel/jaeger/test.yaml', import.meta.url));

/** A trace as Jaeger's API tells it; the parts that tests look at. Times are microseconds. */
export interface JaegerTrace {
  readonly traceID: string;
  readonly spans: readonly JaegerSpan[];
  readonly processes: Readonly<Record<string, { readonly serviceName: string; readonly tags: readonly JaegerTag[] }>>;
}

export interface JaegerSpan {
  readonly traceID: string;
  readonly spanID: string;
  readonly operationName: string;
  readonly references: readonly { readonly refType: 'CHILD_OF' | 'FOLLOWS_FROM'; readonly traceID: string; readonly spanID: string }[];
  readonly startTime: number;
  readonly duration: number;
  readonly tags: readonly JaegerTag[];
  readonly logs: readonly { readonly timestamp: number; readonly fields: readonly JaegerTag[] }[];
  readonly processID: string;
  readonly warnings: readonly string[] | null;
}

export interface JaegerTag {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
}

export interface Jaeger {
  /** Its page and its API. */
  readonly url: string;
  /** `host:port`, for OTLP over gRPC. */
  readonly otlpGrpc: string;
  /** Base URL, for OTLP over HTTP. */
  readonly otlpHttp: string;
  readonly child: Child;
  trace(traceId: string): Promise<JaegerTrace | undefined>;
  /** The newest traces of a service. */
  traces(service: string, limit: number): Promise<readonly JaegerTrace[]>;
  stop(): Promise<void>;
}

/** Its traces are in memory, and gone when it stops. */
export async function startJaeger(): Promise<Jaeger> {
  const ports = await freePorts('PAGE', 'QUERY', 'GRPC', 'HTTP', 'HEALTH');
  const env = Object.fromEntries(Object.entries(ports).map(([name, port]) => [`MODEL_HUB_TEST_${name}`, String(port)]));
  const child = new Child({
    name: 'Jaeger', program: await findJaeger(), args: ['--config', CONFIG], env: { ...env, MODEL_HUB_TEST_HOST: HOST }, health: `http://${HOST}:${ports.HEALTH}/status`,
  });
  await child.start();
  const url = `http://${HOST}:${ports.PAGE}`;
  return { url, otlpGrpc: `${HOST}:${ports.GRPC}`, otlpHttp: `http://${HOST}:${ports.HTTP}`, child, ...jaegerApi(url), stop: () => child.stop() };
}

/** What a Jaeger at this address has. */
export function jaegerApi(url: string): Pick<Jaeger, 'trace' | 'traces'> {
  const get = async (path: string): Promise<readonly JaegerTrace[] | undefined> => {
    const answer = await fetch(`${url}${path}`);
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`Jaeger answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: readonly JaegerTrace[] }).data;
  };
  return {
    trace: async (traceId) => (await get(`/api/traces/${traceId}`))?.[0],
    traces: async (service, limit) => (await get(`/api/traces?service=${encodeURIComponent(service)}&limit=${limit}`)) ?? [],
  };
}
