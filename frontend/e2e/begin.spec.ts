import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import { createThroughApi, expectBalance, PASSWORD, registered } from './people';
import { PHONE } from './sizes';
import { countWork } from './work';

test('a visitor signs up, chooses a name and makes a first bet from an idea', async ({ page, bolts }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible();
  await page.getByLabel('Email Address').fill(`begins.${process.pid}.${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();

  const ideas = page.getByRole('region', { name: 'Make your first bet' });
  await expect(ideas.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page, 'the first steps');
  const name = page.getByRole('region', { name: 'What should others call you?' });
  await name.getByLabel('Username').fill('a b');
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(name.getByLabel('Username')).toHaveAccessibleDescription(/can only contain letters/);
  const username = `n${Date.now() % 1_000_000_000}`;
  await name.getByLabel('Username').fill(username);
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Hello, ${username}`)).toBeVisible();
  await expect(name).toBeHidden();

  await ideas.getByRole('button', { name: /Will our team win/ }).click();
  await expect(page.getByLabel('Stake')).toHaveValue('100');
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Will our team win/ })).toBeVisible();
  await expectBalance(page, 900);
  await page.goto('/portfolio');
  await expect(page.getByRole('article')).toBeVisible();
  await expect(ideas).toBeHidden();
  expect(bolts.run('audit').code).toBe(0);
});

test('skipped first steps do not come back', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'skips');
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Hide these ideas' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await expect(page.getByText('No active bets')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Make your first bet' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'What should others call you?' })).toHaveCount(0);
  await page.context().close();
});

test('to create and share a public bet takes at most 6 clicks and 3 typed fields', async ({
  browser,
  bolts,
}) => {
  const { page } = await registered(browser, bolts, 'counts', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const work = await countWork(page);
  await page.goto('/portfolio');
  await page.getByRole('link', { name: 'Create Bet' }).first().click();
  // Tab moves from field to field, so only the buttons need clicks.
  await page.getByRole('textbox', { name: /^Title/ }).focus();
  await page.keyboard.type('Does the count come out right?');
  await page.getByRole('textbox', { name: 'Option A' }).focus();
  await page.keyboard.type('Yes');
  await page.getByRole('textbox', { name: 'Option B' }).focus();
  await page.keyboard.type('No');
  await page.getByRole('button', { name: '100', exact: true }).click();
  await page.getByRole('button', { name: 'In a week' }).click();
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Does the count come out right?' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy Share Link' }).click();
  await expect(page.getByText('Share Link Copied')).toBeVisible();
  // Before, it took 10 clicks and 4 typed fields: the form asked for the method, a typed stake and a day of the
  // calendar, and the link to a public bet was only in the address bar.
  expect(work()).toEqual({ clicks: 5, typed: 3 });

  const link = await page.evaluate(() => navigator.clipboard.readText());
  const friend = await registered(browser, bolts, 'friend');
  await friend.page.goto(link);
  await expect(friend.page.getByRole('button', { name: 'Take This Bet' })).toBeVisible();
  await friend.page.context().close();
  await page.context().close();
});

test('on a phone the first bet is on the first screen', async ({ browser, bolts }) => {
  const maker = await registered(browser, bolts, 'maker');
  await createThroughApi(maker, bolts, { title: 'A bet to find', category: 'Weather' });
  const { page } = await registered(browser, bolts, 'finds', { viewport: PHONE });
  await page.goto('/marketplace');
  const card = page.getByRole('article').first();
  await expect(card).toBeVisible();
  const box = await card.boundingBox();
  const navigation = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox();
  expect((box?.y ?? PHONE.height) + 150).toBeLessThan(navigation?.y ?? 0);

  await expect(page.getByLabel('Category')).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Currency').selectOption('Sats');
  await expect(page.getByText('No bets found')).toBeVisible();
  await page.getByLabel('Currency').selectOption('Bolts');
  await page.getByLabel('Sort by').selectOption('Ending soon');
  await expect(page.getByRole('article').filter({ hasText: 'A bet to find' })).toContainText('Ends in 23 h');
  await expect(page).toHaveURL(/currency=bolts&sort=ending_soon/);
  await expectAccessible(page, 'the filters on a phone');
  await page.context().close();
  await maker.page.context().close();
});

test('keys lead to the search, to a new bet and to their list, and can be turned off', async ({
  browser,
  bolts,
}) => {
  const { page } = await registered(browser, bolts, 'keys');
  await page.goto('/achievements');
  // The keys work once the code that loads after the page is there.
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectAccessible(page, 'the shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search bets')).toBeFocused();
  await page.keyboard.type('c?/');
  await expect(page.getByLabel('Search bets')).toHaveValue('c?/');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('c');
  await expect(page.getByRole('heading', { level: 1, name: 'Create a Bet' })).toBeVisible();

  await page.goto('/account');
  await page.getByRole('switch', { name: 'Keyboard shortcuts' }).uncheck();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('c');
  await expect(page).toHaveURL(/\/account$/);
  await page.context().close();
});

test('the theme returns to that of the device', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'themes', { colorScheme: 'dark' });
  await page.goto('/account');
  await page.getByLabel('Theme', { exact: true }).selectOption('Light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.getByLabel('Theme', { exact: true })).toHaveValue('light');
  await page.getByLabel('Theme', { exact: true }).selectOption('Same as this device');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
  await expect(page.getByRole('button', { name: 'Switch to the light theme' })).toBeVisible();
  await page.context().close();
});

test('all notifications are marked read at once', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'reads');
  await createThroughApi({ email: '', page }, bolts);
  await page.goto('/achievements');
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await page.context().close();
});
