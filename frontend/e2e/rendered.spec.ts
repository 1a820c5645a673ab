import type { Page } from '@playwright/test';
import { authTexts } from '../src/texts/auth';
import { landingTexts } from '../src/texts/landing';
import { expect, test } from './bolts';
import { expectAccessible, watchForTrouble } from './checks';
import { held } from './held';
import { PASSWORD, registered } from './people';

/** Holds the large script until the returned function is called, like a slow connection. */
const holdScript = (page: Page) => held(page, /\/assets\/main\..*\.js$/);

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const open = (page: Page, path: string) => page.goto(path, { waitUntil: 'commit' });

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the landing page and the sign-in show their texts', async ({ page }) => {
    await page.goto('/');
    await expect(heading(page)).toHaveText(landingTexts.hero);
    for (const { title, text } of [...landingTexts.features, ...landingTexts.steps]) {
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByText(text)).toBeVisible();
    }
    await expect(page.locator('noscript')).toBeVisible();
    await page.getByRole('link', { name: landingTexts.getStarted }).first().click();
    // Without JavaScript, the sign-up side cannot show.
    await expect(page).toHaveURL(/\/auth\?new$/);
    await expect(heading(page)).toHaveText(authTexts.signInTitle);
    await expect(page.getByText(authTexts.grant.title)).toBeVisible();
    // With the method `get`, the browser would write the password into the address.
    await expect(page.locator('form')).toHaveAttribute('method', 'post');
  });
});

/** The other paths show the same page as `/` or `/auth`, which a11y.spec.ts and screens.spec.ts scan. */
const SCANNED = '/auth?new';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of ['/', '/landing', '/?from=mail', '/auth', '/auth?new', '/auth?next=%2Faccount'])
    test(`the rendered page of ${path} is taken over as it is, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      const trouble = await watchForTrouble(page);
      const release = await holdScript(page);
      await open(page, path);
      await expect(heading(page)).toBeVisible();
      await heading(page).evaluate((element) => element.setAttribute('data-rendered', ''));
      release();
      const other = colorScheme === 'light' ? 'dark' : 'light';
      await page.getByRole('button', { name: `Switch to the ${other} theme` }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', other);
      await expect(heading(page)).toHaveAttribute('data-rendered', '');
      if (path === SCANNED) await expectAccessible(page, path);
      expect(trouble).toEqual([]);
    });
}

// If the colors had a transition, each nested element would take its color one frame after its parent.
test('with reduced motion, all colors change with the theme at once', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/auth?new');
  const moving = await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
    return document.getAnimations().length;
  });
  expect(moving).toBe(0);
});

test('a chosen theme applies before the large script runs', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  const release = await holdScript(page);
  await open(page, '/auth');
  await expect(heading(page)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  release();
  await expect(page.getByRole('button', { name: 'Switch to the light theme' })).toBeVisible();
});

test('another address shows the landing page with its own links', async ({ page }) => {
  const trouble = await watchForTrouble(page);
  await page.goto('/marketplace?q=rain');
  const links = page.getByRole('link', { name: landingTexts.getStarted });
  await expect(links.first()).toHaveAttribute('href', '/auth?new&next=%2Fmarketplace%3Fq%3Drain');
  expect(trouble).toEqual([]);
});

test('what is typed and pressed before the large script runs is kept', async ({ browser, bolts }) => {
  const ann = await registered(browser, bolts, 'ann');
  const page = await (await browser.newContext({ baseURL: bolts.origin })).newPage();
  const trouble = await watchForTrouble(page);
  const release = await holdScript(page);
  await open(page, '/auth?next=%2Faccount');
  await page.getByLabel(authTexts.email).fill(ann.email);
  await page.getByLabel(authTexts.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(authTexts.password, { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/auth\?next=%2Faccount$/);
  release();
  await expect(page.getByText(ann.email).first()).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
  expect(trouble).toEqual([]);
});

test('a button that is pressed before the large script runs is pressed then', async ({ page }) => {
  const release = await holdScript(page);
  await open(page, '/auth');
  await page.getByLabel(authTexts.email).fill('ann@example.com');
  await page.getByRole('button', { name: authTexts.toCreate.link }).click();
  release();
  await expect(heading(page)).toHaveText(authTexts.createTitle);
  await expect(page.getByLabel(authTexts.email)).toHaveValue('ann@example.com');
});

test('a member never sees the landing page in place of the own page', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ann');
  const release = await holdScript(page);
  await open(page, '/');
  await expect(page.locator('#root')).toBeEmpty();
  release();
  await expect(heading(page)).toHaveText('My Portfolio');
});

test('each address names the page whose code it loads, and the licenses', async ({
  browser,
  bolts,
  page,
}) => {
  const ann = await registered(browser, bolts, 'ann');
  for (const [path, member, visitor] of [
    ['/', 'portfolio', 'landing'],
    ['/dashboard', 'portfolio', 'landing'],
    ['/no/such/page', 'portfolio', 'landing'],
    ['/constructor', 'portfolio', 'landing'],
    ['/marketplace', 'market', 'landing'],
    ['/bet/01a1?token=x', 'bet', 'bet'],
    ['/share/t', 'share', 'share'],
    ['/create', 'create', 'landing'],
    ['/account', 'account', 'account'],
    ['/admin', 'admin', 'landing'],
    ['/auth', 'auth', 'auth'],
  ] as const) {
    expect(await (await ann.page.request.get(path)).text(), path).toContain(`data-page="${member}"`);
    expect(await (await page.request.get(path)).text(), path).toContain(`data-page="${visitor}"`);
  }
  const licenses = await (await page.request.get('/licenses.txt')).text();
  for (const name of ['react', 'react-dom', 'swr', '@fontsource-variable/instrument-sans'])
    expect(licenses).toContain(`${name} `);
});
