import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import {
  createThroughForm,
  endEarlyAndPropose,
  expectBalance,
  expectClean,
  expectStatus,
  NOTICED_WITHIN_MS,
  newcomer,
} from './people';

test('two people bet and the winner is paid', async ({ browser, bolts }) => {
  const title = `Rain in Boston, case ${Date.now()}`;
  const a = await newcomer(browser, bolts, 'ann');
  await expectBalance(a.page, 1000);
  await createThroughForm(a.page, { title, stake: 200 });
  const share = a.page.getByRole('region', { name: 'Share This Bet' });
  await expect(share.getByLabel('Share link')).toHaveValue(a.page.url());
  await expect(share.getByRole('button', { name: 'Copy Share Link' })).toBeVisible();
  await expect(a.page.getByText(/^Waiting for a taker: if nobody takes your bet/)).toBeVisible();
  await expectBalance(a.page, 800);

  const b = await newcomer(browser, bolts, 'bob');
  await b.page.getByRole('link', { name: 'Marketplace' }).first().click();
  await b.page.getByLabel('Search bets').fill(title);
  await b.page.getByRole('link', { name: title }).click();
  await expect(b.page.getByText('You stake 200 Bolts · You get 400 · profit 200')).toBeVisible();
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expect(b.page.getByText('Bet Accepted!')).toBeVisible();
  await expectStatus(b.page, 'LIVE');
  await expectBalance(b.page, 800);

  // The creator's page shows the change without a reload.
  await expectStatus(a.page, 'LIVE');
  await endEarlyAndPropose(a.page, /^No, it does not$/);

  await expect(a.page.getByText(/^Waiting for .* to answer; otherwise the outcome stands/)).toBeVisible();
  const portfolio = b.page.getByRole('link', { name: 'Portfolio (1 waiting for you)' }).first();
  await expect(portfolio).toBeVisible({ timeout: NOTICED_WITHIN_MS });
  await portfolio.click();
  const turn = b.page.getByRole('list', { name: 'Your turn' }).getByRole('article');
  await expect(turn).toContainText('accept or reject the outcome “No, it does not”');
  await expect(turn).toContainText(/\d+ days( \d+ h)? left/);
  await expectAccessible(b.page, 'your turn');
  await turn.getByRole('link', { name: `Answer “${title}”` }).click();
  await expect(b.page.getByText(/^Your turn: accept or reject the outcome/)).toBeVisible();
  await expect(b.page.getByRole('button', { name: 'Accept Outcome' })).toBeVisible();

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
  await expect(b.page.getByText('If you accept, you get 400 Bolts.')).toBeVisible();
  await b.page.getByRole('button', { name: 'Accept Outcome' }).click();
  const question = b.page.getByRole('dialog', { name: 'Accept this outcome?' });
  await expect(question).toContainText('You get 400 Bolts.');
  await question.getByRole('button', { name: 'Accept Outcome' }).click();
  await expectStatus(b.page, 'SETTLED');
  await expectBalance(b.page, 1200);

  const end = b.page.getByRole('region', { name: 'The end of this bet' });
  await expect(end).toContainText('You won!');
  await expect(end).toContainText('+200 Bolts');
  await expectAccessible(b.page, 'a win');

  await expectStatus(a.page, 'SETTLED');
  await expectBalance(a.page, 800);
  await expect(a.page.getByRole('region', { name: 'The end of this bet' })).toContainText('This one goes to');
  await b.page.goto('/create-bet');
  await b.page.getByRole('textbox', { name: /^Title/ }).fill('A bet that I began before');
  await b.page.goBack();
  await end.getByRole('button', { name: 'Rematch' }).click();
  await expect(b.page.getByRole('textbox', { name: /^Title/ })).toHaveValue(title);
  await expect(b.page.getByLabel('Stake')).toHaveValue('200');
  await expect(b.page.getByRole('radio', { name: /No, it does not/ })).toBeChecked();
  await b.page.getByRole('button', { name: 'Go back to it' }).click();
  await expect(b.page.getByRole('textbox', { name: /^Title/ })).toHaveValue('A bet that I began before');
  await b.page.goto('/portfolio');
  const curve = b.page.getByRole('region', { name: 'Net Bolts over time' });
  await expect(curve.locator('canvas')).toBeVisible();
  await curve.getByText('Show the figures as a table').click();
  await expect(curve.getByRole('row').last()).toContainText('+200 Bolts');
  await expectAccessible(b.page, 'curves');
  expectClean(bolts);
});
