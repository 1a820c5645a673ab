import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Threads of one process cannot have different time zones.
const WITH_TIME_ZONES = 'src/lib/new-york.test.ts';

/** The test files with a page and modules of their own. */
const APART = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name}`)
  .filter((name) => name.endsWith('.test.tsx') && needsOwnModules(readFileSync(name, 'utf8')));

/** A module that a test replaces stays replaced for the files after it. The offline page never stops to ask the server.
 * The whole app, taken over as `main.tsx` does, reads what its modules keep about a session. */
function needsOwnModules(test: string): boolean {
  return ['vi.mock(', 'startOfflinePage(', 'hydrateRoot('].some((call) => test.includes(call));
}

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
          // The files of a thread share a page and the libraries, because loading these takes half of the time otherwise.
          // `renewPage` in src/test/setup.ts clears the page between two files.
          isolate: false,
          include: ['src/**/*.test.tsx'],
          exclude: APART,
        },
      },
      { test: { ...shared, name: 'with a page of their own', pool: 'threads', include: APART } },
      {
        // A test of plain functions takes a fifth of the time without a page.
        test: {
          name: 'without a page',
          environment: 'node',
          pool: 'threads',
          isolate: false,
          include: ['src/**/*.test.ts'],
          exclude: [WITH_TIME_ZONES],
        },
      },
      { test: { ...shared, name: 'time zones', pool: 'forks', include: [WITH_TIME_ZONES] } },
    ],
  },
});
