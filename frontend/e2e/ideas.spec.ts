import type { Page, Route } from '@playwright/test';
import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import { held } from './held';
import { expectClean, registered } from './people';

const GENERATE = '**/api/generate-bet-idea';
const COMPLETE = '**/api/complete-bet-idea';

const field = (page: Page, name: string) => page.getByRole('textbox', { name });

/** The server's answer if the model has failed. */
function unavailable(route: Route) {
  const body = {
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    code: 'ideas_unavailable',
    detail: 'No idea came this time. Please try again.',
    errors: [],
  };
  return route.fulfill({ status: 502, contentType: 'application/problem+json', json: body });
}

async function openForm(page: Page) {
  await page.goto('/create-bet');
  await expect(page.getByRole('heading', { level: 1, name: 'Create a Bet' })).toBeVisible();
}

test('an idea fills the form and becomes a bet', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ida');
  await openForm(page);
  const release = await held(page, GENERATE);
  const button = page.getByRole('button', { name: 'Generate Bet Idea' });
  await button.click();
  const pending = page.getByRole('button', { name: 'Generating...' });
  await expect(pending).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'an idea on its way');
  release();
  await expect(page.getByText('Bet Idea Generated!')).toBeVisible();
  await expect(button).toBeVisible();
  await expect(field(page, 'Title')).not.toHaveValue('');
  const title = await field(page, 'Title').inputValue();
  expect(title.length).toBeGreaterThan(5);
  await expect(field(page, 'Option A')).not.toHaveValue('');
  // An idea without a source leaves these fields folded.
  const fold = page.getByRole('button', { name: /^Who decides/, expanded: false });
  if (await fold.isVisible()) await fold.click();
  await expect(page.getByRole('radio', { name: /Mutual Agreement/ })).toBeChecked();
  await expect(page.getByLabel('Expiry time')).not.toHaveValue('');
  await expectAccessible(page, 'an idea filled in');

  // The second idea differs from the first, and the user can restore the replaced text.
  await field(page, 'Title').fill('A title of my own');
  await button.click();
  await expect(page.getByText('The idea replaced what you had written.')).toBeVisible();
  await expect(field(page, 'Title')).not.toHaveValue(title);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(field(page, 'Title')).toHaveValue('A title of my own');

  await page.getByLabel('Stake').fill('10');
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A title of my own' })).toBeVisible();
  expectClean(bolts);
});

test('an idea that does not come leaves the form as it was', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ivo');
  await openForm(page);
  await field(page, 'Title').fill('A title of my own');
  await page.route(GENERATE, unavailable);
  await page.getByRole('button', { name: 'Generate Bet Idea' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Generation Failed' });
  await expect(toast).toContainText('API request failed: 502');
  await page.route(COMPLETE, unavailable);
  await page.getByRole('button', { name: 'Finish This Bet with AI' }).click();
  await expect(page.getByText('No idea came this time. Please try again.')).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue('A title of my own');
  await expect(field(page, 'Option A')).toHaveValue('');
  await expect(page.getByLabel('Expiry time')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Finish This Bet with AI' })).toBeVisible();
});

test('a title is completed', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ina');
  await openForm(page);
  const button = page.getByRole('button', { name: 'Finish This Bet with AI' });
  await field(page, 'Title').fill('Lakers');
  await expect(button).toBeVisible();
  await field(page, 'Title').fill('Laker');
  await expect(button).toBeHidden();
  // A date of next year is always in the future, and no more than five years away, which is the maximum for an expiry.
  const year = new Date().getUTCFullYear() + 1;
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(year, 11, 25)),
  );
  await field(page, 'Title').fill(`Lakers vs Celtics on December 25, ${year} at 9 PM`);
  await field(page, 'Option B').fill('The Celtics, at home');
  const release = await held(page, COMPLETE);
  await button.click();
  await expect(page.getByRole('button', { name: 'Finishing...' })).toHaveAttribute('aria-disabled', 'true');
  release();
  await expect(page.getByText('Bet Completed!')).toBeVisible();
  await expect(page.getByText(/It expires Dec 2[56], .* your time.*New York time\./)).toBeVisible();
  await expect(field(page, 'Option A')).toHaveValue('Lakers');
  await expect(field(page, 'Option B')).toHaveValue('The Celtics, at home');
  await expect(page.getByLabel('Category')).toHaveValue('Sports');
  await expect(page.getByLabel('Expiry date')).toContainText(`${weekday}, Dec 25, ${year}`);
  await expect(page.getByLabel('Expiry time')).toHaveValue('21');
  await page.unroute(COMPLETE);
});

test('the twenty-first idea within an hour has to wait', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ian');
  await openForm(page);
  const headers = { Origin: bolts.origin };
  for (let count = 0; count < 20; count += 1) {
    const answer = await page.request.post('/api/generate-bet-idea', { headers });
    expect(answer.status()).toBe(200);
  }
  await field(page, 'Title').fill('Will it snow?');
  await page.getByRole('button', { name: 'Finish This Bet with AI' }).click();
  await expect(page.getByText('You have asked for many ideas.')).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue('Will it snow?');
});

test('the form says what will go wrong, and mends it by a click each', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'ira');
  await openForm(page);
  await field(page, 'Title').fill('Tea vs coffee at 9 PM');
  await field(page, 'Option A').fill('Tea');
  await field(page, 'Option B').fill('Tea or coffee');
  const panel = page.getByRole('region', { name: 'Before you publish' });
  await expect(panel).toBeVisible();
  await expectAccessible(page, 'remarks on the wording');
  await expect(panel.getByText('Both outcomes can be true at once.')).toBeVisible();
  await panel.getByRole('button', { name: /^Apply to Option B/ }).click();
  await expect(field(page, 'Option B')).toHaveValue('Any other outcome');
  await panel.getByRole('button', { name: /^Apply to Title/ }).click();
  await expect(field(page, 'Title')).toHaveValue('Tea vs coffee at 9 PM New York time');
  // The test takes the suggestions for the description one after the other, because each replaces the whole text.
  for (const problem of ['looked up', 'tie', 'postponed']) {
    await panel.getByRole('button', { name: new RegExp(`^Apply to Description: .*${problem}`) }).click();
  }
  await expect(field(page, 'Description')).toHaveValue(/both sides can see.* tie or draw/);
  await expect(panel).toBeHidden();
});
