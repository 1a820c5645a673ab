import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

/** The system's Chromium: the program named by CHROMIUM, otherwise the first one in PATH. */
function systemChromium(): string {
  // The headless shell needs the least CPU time.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ];
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
  // Long enough for a busy machine, and shorter than the 30 s of the pages' own refetch.
  expect: { timeout: 20_000 },
  // A journey uses at most one and a half cores, because it waits for pages and pages wait for the server.
  workers: Number(process.env.E2E_WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A journey that passes only on its second try is printed as flaky. It shows a fault of the test or the product.
  retries: 1,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every step costs a fifth of the run. With E2E_TRACE=1 the traces of failed journeys are kept.
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
