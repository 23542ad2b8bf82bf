/** The collector of docker-compose.yml in a container, with its config as it stands. A second Jaeger is there in Tempo's place. */
import { fileURLToPath } from 'node:url';
import { GenericContainer, Network, Wait, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../collector/child.ts';
import { jaegerApi } from '../collector/jaeger.ts';
import { sendSpans, spanOf } from '../collector/otlp.ts';
import { imageOf, withoutDocker } from './images.ts';

const CONFIG = fileURLToPath(new URL('../../otel/collector/config.yaml', import.meta.url));

describe.skipIf(withoutDocker())('the collector in a container', () => {
  const started: StartedTestContainer[] = [];
  let network: StartedNetwork;
  let collector: StartedTestContainer;
  let stores: readonly StartedTestContainer[];

  const start = async (container: GenericContainer): Promise<StartedTestContainer> => {
    const running = await container.start();
    started.push(running);
    return running;
  };
  const store = (image: string, alias: string): Promise<StartedTestContainer> => start(
    new GenericContainer(image).withNetwork(network).withNetworkAliases(alias).withEnvironment({ JAEGER_LISTEN_HOST: '0.0.0.0' })
      .withExposedPorts(16686, 13133).withWaitStrategy(Wait.forHttp('/status', 13133)),
  );

  beforeAll(async () => {
    const images = { jaeger: await imageOf('jaeger'), collector: await imageOf('collector') };
    network = await new Network().start();
    stores = [await store(images.jaeger, 'jaeger'), await store(images.jaeger, 'tempo')];
    collector = await start(
      new GenericContainer(images.collector).withNetwork(network).withCopyFilesToContainer([{ source: CONFIG, target: '/etc/model-hub.yaml' }])
        .withCommand(['--config', '/etc/model-hub.yaml']).withExposedPorts(4317, 4318, 8889, 13133).withWaitStrategy(Wait.forHttp('/', 13133)),
    );
  });
  afterAll(async () => {
    for (const running of started.toReversed()) await running.stop();
    await network?.stop();
  });

  const urlOf = (container: StartedTestContainer, port: number): string => `http://${container.getHost()}:${container.getMappedPort(port)}`;

  it('E13 gives each span to Jaeger and to Tempo, and counts it', async () => {
    const call = spanOf('tool_call books.list', { 'gen_ai.tool.name': 'books.list', 'modelhub.call.outcome': 'ok' });
    await sendSpans(urlOf(collector, 4318), [call]);
    for (const each of stores) {
      const trace = await eventually(() => jaegerApi(urlOf(each, 16686)).trace(call.traceId), 'the trace');
      expect(trace.spans.map(({ spanID, operationName }) => [spanID, operationName])).toEqual([[call.spanId, 'tool_call books.list']]);
    }
    const metrics = async (): Promise<string> => (await fetch(`${urlOf(collector, 8889)}/metrics`)).text();
    await eventually(async () => /^traces_span_metrics_calls_total\{[^}]*modelhub_call_outcome="ok"[^}]*\} 1$/m.exec(await metrics())?.[0], 'the call in the numbers', 45_000);
  });
});
