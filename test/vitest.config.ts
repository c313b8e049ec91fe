import { defineConfig } from 'vitest/config';

/** Two projects: `unit` runs anywhere in a moment, `service` starts real processes and a real PostgreSQL. */
const root = new URL('..', import.meta.url).pathname;
const shared = { root, resolve: { alias: { '@': root.replace(/\/$/, '') } } };

export default defineConfig({
  ...shared,
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/**/*.service.test.ts'],
          // Pure functions keep no state between files: one module graph a worker saves more than half the time.
          isolate: false,
        },
      },
      {
        ...shared,
        test: {
          name: 'service',
          include: ['test/**/*.service.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry: process.env.CI ? 1 : 0,
          // One file at a time: real engines share the cores with the journeys beside them.
          maxWorkers: 1,
          // Vitest wants projects of unlike workers one after the other.
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/shared-cluster.ts'],
          pool: 'forks',
        },
      },
    ],
  },
});
