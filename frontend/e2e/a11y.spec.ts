import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { expectAccessible, expectLoaded, expectNoSideScroll } from './checks';
import { createThroughApi, registered } from './people';
import { UNSCANNED_LOOKS } from './sizes';

const SIGNED_OUT = ['/', '/auth', '/bet/unknown', '/share/unknown'];
const SIGNED_IN = [
  '/',
  '/landing',
  '/marketplace',
  '/marketplace?q=nothing+like+it',
  '/create-bet',
  '/achievements',
  '/account',
  '/admin',
  '/share/unknown',
];

/** The time limit for dozens of scans on a busy machine. */
const PATIENCE_MS = 400_000;

async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectLoaded(page);
}

/** Collects the violations of the content security policy. No page may cause a violation. */
function watchPolicy(page: Page): string[] {
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) blocked.push(message.text());
  });
  return blocked;
}

for (const { theme, width } of UNSCANNED_LOOKS) {
  test.describe(`${theme} at ${width}`, () => {
    const look = { colorScheme: theme, viewport: { width, height: 800 } } as const;

    test('signed out', async ({ browser, bolts }) => {
      const context = await browser.newContext({ ...look, baseURL: bolts.origin, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const blocked = watchPolicy(page);
      for (const path of SIGNED_OUT) {
        await open(page, path);
        await expectAccessible(page, path);
      }
      await open(page, '/auth');
      await page.getByRole('button', { name: 'Create one here' }).click();
      await page.getByRole('button', { name: 'Create Account' }).click();
      await expect(page.getByText('Please enter a valid email address')).toBeVisible();
      await expectAccessible(page, 'account form with errors');
      expect(blocked).toEqual([]);
      await context.close();
    });

    test('signed in', async ({ browser, bolts }) => {
      test.setTimeout(PATIENCE_MS);
      const person = await registered(browser, bolts, 'axe', look);
      const { page } = person;
      const blocked = watchPolicy(page);
      bolts.run('admin', 'grant', person.email);
      const own = await createThroughApi(person, bolts, { title: 'An own bet, private', isPrivate: true });
      const other = await registered(browser, bolts, 'other');
      const open1 = await createThroughApi(other, bolts, {
        title: `A rather long title ${'with many words '.repeat(8)}`,
        optionA: 'Unbreakablywrittenoption'.repeat(4),
        resolutionMethod: 'Manual Verification',
      });
      for (const path of [...SIGNED_IN, `/bet/${own.id}`, `/bet/${open1.id}`, `/share/${own.shareToken}`]) {
        await open(page, path);
        await expectAccessible(page, path);
      }
      await expectOpenPartsAccessible(page);
      expect(blocked).toEqual([]);
      await page.context().close();
      await other.page.context().close();
    });
  });
}

async function expectOpenPartsAccessible(page: Page) {
  await open(page, '/account');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await page.getByLabel('Username').fill('no');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Username must be at least 3 characters')).toBeVisible();
  await expectAccessible(page, 'account with errors');
  await open(page, '/achievements');
  await page.getByRole('tab', { name: 'Milestones' }).click();
  await expectAccessible(page, 'achievements of a category');
  await open(page, '/admin');
  await page.getByRole('button', { name: 'Deposit Bolts' }).click();
  await expect(page.getByText('User email is required')).toBeVisible();
  await expectAccessible(page, 'admin with errors');
  await page.getByRole('button', { name: 'Delete & Refund' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'admin confirmation');
  await page.keyboard.press('Escape');
  await open(page, '/create-bet');
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByText('Title must be at least 5 characters')).toBeVisible();
  await expectAccessible(page, 'create form with errors');
  await page.getByLabel('Expiry date').click();
  await expect(page.getByRole('grid')).toBeVisible();
  await expectAccessible(page, 'calendar');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expectAccessible(page, 'notifications');
  await page.keyboard.press('Escape');
  await open(page, '/portfolio');
  await page.getByRole('button', { name: 'Delete Bet' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'confirmation');
}

test('nothing scrolls sideways at 320', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'narrow', { viewport: { width: 320, height: 640 } });
  const bet = await createThroughApi(person, bolts, { optionB: 'Unbreakablywrittenoption'.repeat(4) });
  for (const path of [...SIGNED_IN, `/bet/${bet.id}`]) {
    await open(person.page, path);
    await expectNoSideScroll(person.page, path);
  }
  await person.page.context().close();
});
