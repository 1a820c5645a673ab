import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test, withBolts } from './bolts';
import { expectLoaded } from './checks';

/** The pictures of the README. The test runs only with `PICTURES=write` (playwright.config.ts). */
const FOLDER = path.join(import.meta.dirname, '../../docs/images');

const SIZE = { width: 1040, height: 720 };

async function keep(page: Page, name: string, theme: string) {
  await expectLoaded(page);
  await page.evaluate(() => document.fonts.ready);
  // The toast of a new achievement would cover a part of the page.
  await page.evaluate(() => {
    for (const region of document.querySelectorAll<HTMLElement>('[aria-live]')) region.style.display = 'none';
  });
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({
    path: path.join(FOLDER, `${name}-${theme}.jpg`),
    type: 'jpeg',
    quality: 82,
    animations: 'disabled',
  });
}

test('the screens of the README show the demo in both themes', async ({ browser }) => {
  await withBolts(async (bolts) => {
    const demo = bolts.run('demo');
    expect(demo.code, demo.output).toBe(0);
    const password = /password +(\S+)/.exec(demo.output)?.[1] ?? '';
    const signedIn = await browser.newContext({ baseURL: bolts.origin });
    const login = await signedIn.request.post('/api/auth/login', {
      data: { email: 'ada@example.com', password },
      headers: { origin: bolts.origin },
    });
    expect(login.status()).toBe(200);
    const storageState = await signedIn.storageState();
    const resolved = await signedIn.request.get('/api/bets/public?status=resolved');
    const [bet] = (await resolved.json()) as { id: string; title: string }[];
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        baseURL: bolts.origin,
        colorScheme: theme,
        reducedMotion: 'reduce',
        storageState,
        viewport: SIZE,
      });
      const page = await context.newPage();
      await page.goto('/marketplace');
      await expect(page.locator('main h1')).toBeVisible();
      await keep(page, 'marketplace', theme);
      await page.goto(`/bet/${bet?.id}`);
      // The part with the result loads after the terms.
      await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
      await keep(page, 'bet', theme);
      await page.goto('/portfolio');
      await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
      await keep(page, 'portfolio', theme);
      await page.goto('/create');
      await expect(page.locator('main h1')).toBeVisible();
      await keep(page, 'create', theme);
      await context.close();
    }
    await signedIn.close();
  });
});
