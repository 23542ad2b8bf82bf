/** The tests that need the real collector, Jaeger, Prometheus or containers; `npm test` leaves them out. One file at a time: each starts servers. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/collector/**/*.test.ts', 'test/containers/**/*.test.ts'],
    globalSetup: '.config/vitest.build.ts',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 900_000, // the first build of the parts
    reporters: ['default'],
  },
});
