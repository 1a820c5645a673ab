import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Threads of one process cannot have different time zones.
const WITH_TIME_ZONES = 'src/lib/new-york.test.ts';

const shared = {
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'http://bolts.test/' } },
  setupFiles: ['src/test/setup.ts'],
  css: { modules: { classNameStrategy: 'non-scoped' } },
  testTimeout: 120_000,
} satisfies TestProjectInlineConfiguration['test'];

export default defineConfig({
  test: {
    // One and a half for each core, because a test waits for its page part of the time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        // Threads start in three quarters of the time of processes.
        test: {
          ...shared,
          name: 'with a page',
          pool: 'threads',
          include: ['src/**/*.test.tsx'],
        },
      },
      {
        // A test of plain functions takes a fifth of the time without a page.
        test: {
          name: 'without a page',
          environment: 'node',
          pool: 'threads',
          include: ['src/**/*.test.ts'],
          exclude: [WITH_TIME_ZONES],
        },
      },
      { test: { ...shared, name: 'time zones', pool: 'forks', include: [WITH_TIME_ZONES] } },
    ],
  },
});
