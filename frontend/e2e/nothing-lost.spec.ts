import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { held } from './held';
import { createThroughApi, expectStatus, PASSWORD, pickExpiry, registered, takeThroughApi } from './people';

const WRITTEN = {
  title: 'Will the half-written bet survive?',
  description: 'All of it, with “quotes” and <tags>.',
  optionA: 'It survives',
  optionB: 'It is lost',
  stake: '321',
};

async function writeBet(page: Page) {
  await page.getByRole('textbox', { name: /^Title/ }).fill(WRITTEN.title);
  await page.getByRole('button', { name: /^Description and category/ }).click();
  await page.getByRole('textbox', { name: /^Description/ }).fill(WRITTEN.description);
  await page.getByRole('textbox', { name: 'Option A' }).fill(WRITTEN.optionA);
  await page.getByRole('textbox', { name: 'Option B' }).fill(WRITTEN.optionB);
  await page.getByLabel('Stake').fill(WRITTEN.stake);
  await page.getByRole('button', { name: /^Who decides/ }).click();
  await page.getByRole('radio', { name: /Manual Verification/ }).check();
  await page.getByRole('switch', { name: 'Private bet' }).check();
  await pickExpiry(page);
}

async function expectWritten(page: Page) {
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue(WRITTEN.title);
  await expect(page.getByRole('textbox', { name: /^Description/ })).toHaveValue(WRITTEN.description);
  await expect(page.getByRole('textbox', { name: 'Option A' })).toHaveValue(WRITTEN.optionA);
  await expect(page.getByRole('textbox', { name: 'Option B' })).toHaveValue(WRITTEN.optionB);
  await expect(page.getByLabel('Stake')).toHaveValue(WRITTEN.stake);
  await expect(page.getByRole('radio', { name: /Manual Verification/ })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Private bet' })).toBeChecked();
  await expect(page.getByLabel('Expiry date')).toContainText('15');
  await expect(page.getByRole('button', { name: '3:00 PM' })).toHaveAttribute('aria-pressed', 'true');
}

test('a half-written bet survives a reload and a sign-in in between', async ({ browser, bolts }) => {
  const { page, email } = await registered(browser, bolts, 'half');
  await page.goto('/create-bet');
  await writeBet(page);
  // The session must end after the page has loaded, so the test waits for the page's last request. If the session ended
  // during the load, the page would show the content for visitors.
  const atRest = page.waitForResponse((response) => response.url().endsWith('/api/events'));
  await page.reload();
  await expectWritten(page);
  await atRest;

  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByText('You are logged out. Logging in again...')).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?next=%2Fcreate-bet$/);
  await signInHere(page, email);
  await expect(page).toHaveURL(/\/create-bet$/);
  await expectWritten(page);
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: WRITTEN.title })).toBeVisible();
  await page.goto('/create-bet');
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue('');
  await page.context().close();
});

async function signInHere(page: Page, email: string) {
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('a bet that could not be sent keeps its form, and is created once', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'retry');
  await page.goto('/create-bet');
  await writeBet(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByText('You are offline. Check your connection and try again.')).toBeVisible();
  await expectWritten(page);
  await page.context().setOffline(false);

  // The server creates the bet, but its answer is lost. Another click must not create a second bet, not even after a
  // reload.
  await page.route(
    '**/api/bets',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByText('The server could not be reached.', { exact: false })).toBeVisible();
  await page.reload();
  await expectWritten(page);
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: WRITTEN.title })).toBeVisible();
  const bets = await (await page.request.get('/api/bets/my')).json();
  expect(bets).toHaveLength(1);
  await page.context().close();
});

test('a page whose code has not come shows when the network is back', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'tunnel');
  await page.goto('/portfolio');
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Achievements' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Achievements' })).toBeVisible();
  await page.context().close();
});

test('data that cannot be fetched offline says so, and comes when the network is back', async ({
  browser,
  bolts,
}) => {
  const { page } = await registered(browser, bolts, 'cellar');
  await page.goto('/achievements');
  await expect(page.getByRole('heading', { level: 1, name: 'Achievements' })).toBeVisible();
  await page.goto('/portfolio');
  await page.waitForLoadState('networkidle');
  // Loads the code of the marketplace, but not the results of the search that the test makes offline.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bet Marketplace' })).toBeVisible();
  await page.getByRole('link', { name: 'Bolts, front page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bet on Anything with Anyone' })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click();
  await page.getByLabel('Search bets').fill('offline');
  await expect(page.getByText('You are offline. Check your connection and try again.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You are offline. Check your connection and try again.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('No bets found')).toBeVisible();
  await page.context().close();
});

test('signing in from a bet comes back to it', async ({ browser, bolts }) => {
  const { page, email } = await registered(browser, bolts, 'back');
  await page.context().clearCookies();
  await page.goto('/share/some-token');
  await page.getByRole('link', { name: 'Log In' }).click();
  await signInHere(page, email);
  await expect(page).toHaveURL(/\/share\/some-token$/);
  await expect(page.getByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
  await page.context().close();
});

test('without the code that comes late, forms are judged by the server, and a dialog says why it stays shut', async ({
  browser,
  bolts,
}) => {
  const { page } = await registered(browser, bolts, 'late');
  const late = /\/assets\/(account-checks|late)\./;
  await page.route(late, (route) => route.abort());
  await page.goto('/account');
  const username = page.getByLabel('Username');
  await username.fill('x');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(username).toHaveAccessibleDescription(/Username must be at least 3 characters/);
  await expect(username).toBeFocused();
  await username.fill(`late_${Date.now() % 1_000_000}`);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();

  await page.getByRole('button', { name: 'Deposit Bitcoin' }).click();
  await expect(page.getByText('Could Not Open')).toBeVisible();
  await page.unroute(late);
  await page.getByRole('button', { name: 'Deposit Bitcoin' }).click();
  await expect(page.getByRole('dialog', { name: 'Deposit Bitcoin' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  // The parts below the first screen try again by themselves.
  await expect(page.getByText('No withdrawals yet.')).toBeVisible();
  await page.context().close();
});

test('a change between the first read and the opening of the event stream is shown', async ({
  browser,
  bolts,
}) => {
  const creator = await registered(browser, bolts, 'early');
  const taker = await registered(browser, bolts, 'quick');
  const bet = await createThroughApi(creator, bolts);
  const letOpen = await held(creator.page, '**/api/events');
  await creator.page.goto(`/bet/${bet.id}`);
  await expectStatus(creator.page, 'AWAITING CHALLENGER');
  await takeThroughApi(taker, bolts, bet);
  letOpen();
  await expectStatus(creator.page, 'LIVE');
  await creator.page.context().close();
  await taker.page.context().close();
});
