/** The published images, as docker-compose.yml has them too. */
import type { PartName } from '../../.config/parts.mjs';

export const PUBLISHED: Readonly<Record<PartName, string>> = {
  collector: 'otel/opentelemetry-collector-contrib:0.165.1',
  jaeger: 'jaegertracing/jaeger:2.13.0',
};
