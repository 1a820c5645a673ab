import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://bolts.test/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // By default Vitest leaves one core unused. On a machine with two cores, this is half of the machine.
    maxWorkers: '100%',
    testTimeout: 120_000,
  },
});
