/**
 * How the tests run. Two cores are the common case; each file has a process of its own, so that a leak in one test cannot
 * hide in another.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: ['test/collector/**', 'test/containers/**'], // they have a config of their own
    globalSetup: '.config/vitest.build.ts',
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
