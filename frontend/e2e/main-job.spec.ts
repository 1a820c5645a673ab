import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import {
  createThroughForm,
  endEarlyAndPropose,
  expectBalance,
  expectClean,
  expectStatus,
  newcomer,
} from './people';

/**
 * Less than the 30 seconds after which a page refetches by itself. So the page must have received a hint from the
 * server.
 */
const NOTICED_WITHIN_MS = 20_000;

test('two people bet and the winner is paid', async ({ browser, bolts }) => {
  const title = `Rain in Boston, case ${Date.now()}`;
  const a = await newcomer(browser, bolts, 'ann');
  await expectBalance(a.page, 1000);
  await createThroughForm(a.page, { title, stake: 200 });
  await expectBalance(a.page, 800);

  const b = await newcomer(browser, bolts, 'bob');
  await b.page.getByRole('link', { name: 'Marketplace' }).first().click();
  await b.page.getByLabel('Search bets').fill(title);
  await b.page.getByRole('link', { name: title }).click();
  await expect(b.page.getByText('You risk 200 Bolts · You win 200 Bolts')).toBeVisible();
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expect(b.page.getByText('Bet Accepted!')).toBeVisible();
  await expectStatus(b.page, 'LIVE');
  await expectBalance(b.page, 800);

  // The creator's page shows the change without a reload.
  await expectStatus(a.page, 'LIVE');
  await endEarlyAndPropose(a.page, /^No, it does not wins$/);

  const bell = b.page.getByRole('button', { name: /^Notifications, \d+ unread$/ });
  await expect(bell).toBeVisible({ timeout: NOTICED_WITHIN_MS });
  await bell.click();
  await b.page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .click();
  await expect(b.page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(b.page.getByText('If it is accepted, you get 400 Bolts.')).toBeVisible();
  await b.page.getByRole('button', { name: 'Accept Outcome' }).click();
  const question = b.page.getByRole('dialog', { name: 'Accept this outcome?' });
  await expect(question).toContainText('You get 400 Bolts.');
  await question.getByRole('button', { name: 'Accept Outcome' }).click();
  await expectStatus(b.page, 'SETTLED');
  await expectBalance(b.page, 1200);

  await expectStatus(a.page, 'SETTLED');
  await expectBalance(a.page, 800);
  await b.page.goto('/portfolio');
  const curve = b.page.getByRole('region', { name: 'Net Bolts over time' });
  await expect(curve.locator('canvas')).toBeVisible();
  await curve.getByText('Show the figures as a table').click();
  await expect(curve.getByRole('row').last()).toContainText('+200 Bolts');
  await expectAccessible(b.page, 'curves');
  expectClean(bolts);
});
