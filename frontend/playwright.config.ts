import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

/** The system's Chromium: the one named by CHROMIUM, else the first on PATH. */
function systemChromium(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync);
  const chosen = process.env.CHROMIUM ?? found;
  if (!chosen)
    throw new Error('No Chromium found: install one (on Debian: apt-get install chromium) or set CHROMIUM.');
  return chosen;
}

export default defineConfig({
  testDir: 'e2e',
  timeout: 180_000,
  // Long enough for a machine that is busy with something else, and shorter than the 30 s of the pages' own refetch.
  expect: { timeout: 20_000 },
  // One journey uses a core and a half at most: it waits for pages, and pages wait for the server.
  workers: Number(process.env.E2E_WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A journey that passes only at its second try is printed as flaky. It has found a fault, in the test or the product.
  retries: 1,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every step costs a fifth of the run. E2E_TRACE=1 keeps those of the journeys that fail.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: systemChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
