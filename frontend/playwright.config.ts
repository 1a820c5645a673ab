import { defineConfig } from '@playwright/test';
import { systemChromium } from './e2e/chromium';
import { WIDE } from './e2e/sizes';

export default defineConfig({
  testDir: 'e2e',
  // This test only writes pictures: screens.spec.ts shows the same pages of the demo.
  testIgnore: process.env.PICTURES === 'write' ? [] : '**/readme-pictures.spec.ts',
  timeout: 180_000,
  // Long enough for a busy machine, but shorter than the 30 s after which pages refetch by themselves.
  expect: { timeout: 20_000 },
  // Two tests leave a fifth of two cores unused, because a test waits for its page and the page waits for the server.
  workers: Number(process.env.E2E_WORKERS ?? 3),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A failed test runs once more, so that the report tells a fault that always shows from one that shows at times. Such a
  // flaky test fails the run too, because a race of the product looks like this.
  retries: 1,
  failOnFlakyTests: true,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: WIDE,
    contextOptions: { reducedMotion: 'reduce' },
    // Playwright cannot change the answers to requests that a service worker sends. Journeys about the worker allow it.
    serviceWorkers: 'block',
    // Recording traces takes a fifth of the run time. With E2E_TRACE=1 the traces of failed tests are kept.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: systemChromium(),
  },
});
