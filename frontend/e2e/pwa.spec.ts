import type { Browser, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { type Bolts, expect, test } from './bolts';
import { expectAccessible, watchForTrouble } from './checks';
import { createThroughApi, registered } from './people';
import { withRelay } from './relay';
import { PHONE } from './sizes';

const WITH_WORKER = { serviceWorkers: 'allow' } as const;

interface Manifest {
  id: string;
  start_url: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  shortcuts: { name: string; url: string }[];
}

test('the manifest describes an app that browsers can install', async ({ page, bolts }) => {
  await page.goto('/');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(address ?? '');
  expect(answer.headers()['content-type']).toBe('application/manifest+json');
  const manifest = (await answer.json()) as Manifest;
  expect([manifest.id, manifest.start_url]).toEqual(['/', '/']);
  expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
    ['Create a bet', '/create-bet'],
    ['Your turn', '/portfolio'],
  ]);
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 512x512',
    'any any',
  ]);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(src);
    expect(icon.headers()['content-type'], src).toBe(type);
    if (type !== 'image/png') continue;
    const { width, height } = PNG.sync.read(await icon.body());
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  expect((await page.request.get(touch ?? '')).headers()['content-type']).toBe('image/png');

  // Chromium reads it without an error.
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${bolts.origin}/manifest.webmanifest`, []]);
});

/** The page of a signed-in user in a browser with service workers, once the worker controls it. */
async function memberWithWorker(browser: Browser, bolts: Bolts, name: string, look = {}) {
  const person = await registered(browser, bolts, name, { ...WITH_WORKER, ...look });
  await person.page.goto('/portfolio');
  await controlled(person.page);
  return person;
}

const controlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toMatch(/\/sw\.js$/);

test('the service worker is always fresh, and under the policy of the site', async ({ page }) => {
  const answer = await page.request.get('/sw.js');
  expect(answer.status()).toBe(200);
  const headers = answer.headers();
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

/** Sets what the browser says about its connection. Its own value depends on the networks of the test machine. */
const setOnline = (page: Page, isOnline: boolean) =>
  page.addInitScript((value) => Object.defineProperty(navigator, 'onLine', { get: () => value }), isOnline);

for (const [look, options, isOnline, title, way] of [
  ['a dark wide screen', { colorScheme: 'dark' }, true, 'Bolts cannot be reached', 'itself'],
  ['a light phone', { colorScheme: 'light', viewport: PHONE }, false, 'You are offline', 'its button'],
] as const)
  test(`without a way to the server, a page says so and comes back by ${way}, on ${look}`, ({
    browser,
    bolts,
  }) =>
    withRelay(bolts, async (relay) => {
      const { page } = await memberWithWorker(browser, relay, 'offline', options);
      const trouble = await watchForTrouble(page, [0]);
      await setOnline(page, isOnline);
      await relay.cut();
      await page.goto('/marketplace?sort=stake_desc');
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expectAccessible(page, 'the offline page');
      expect(new URL(page.url()).search).toBe('?sort=stake_desc');
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('Still no answer.')).toBeVisible();
      await expectAccessible(page, 'the offline page after a try');

      await relay.restore();
      // A device that counts as online asks the server again by itself, after 30 s at the latest. A device that counts
      // as offline does not ask, so only the button brings the page back.
      if (!isOnline) await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { name: 'Bet Marketplace' })).toBeVisible({ timeout: 60_000 });
      expect(trouble).toEqual([]);
      await page.context().close();
    }));

test('the caches have the offline page, and nothing of the user', async ({ browser, bolts }) => {
  const person = await memberWithWorker(browser, bolts, 'uses');
  const { page } = person;
  const bet = await createThroughApi(person, bolts, { title: 'Is this bet in a cache?' });
  for (const path of ['/', `/bet/${bet.id}`, '/marketplace', '/account', '/create-bet', '/achievements']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const stores = await Promise.all(names.map((name) => caches.open(name)));
    const requests = await Promise.all(stores.map((store) => store.keys()));
    return { caches: names.length, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
  });
  expect(kept.caches).toBe(1);
  const expected = ['offline.html', 'favicon.svg', 'offline.js', 'offline.css', 'app-192.png'];
  const withoutHash = kept.paths.map((path) => path.replace(/^\/assets\/(.*)\.[0-9a-f]{8}\./, '$1.'));
  expect(withoutHash.sort()).toEqual(expected.sort());
  await page.context().close();
});

test('reads of the API and pages work as before with the worker', async ({ browser, bolts }) => {
  const { page } = await memberWithWorker(browser, bolts, 'reads');
  const trouble = await watchForTrouble(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/achievements');
  await expect(page.getByRole('heading', { level: 1, name: 'Achievements' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('a visitor gets no worker', async ({ browser, bolts }) => {
  const context = await browser.newContext({ baseURL: bolts.origin, ...WITH_WORKER });
  const page = await context.newPage();
  await page.goto('/landing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await context.close();
});
