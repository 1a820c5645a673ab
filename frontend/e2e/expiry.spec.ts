import { expect, test } from './bolts';
import { createThroughApi, expectBalance, expectClean, expectStatus, registered } from './people';

const SWEPT_WITHIN_MS = 40_000;

test('a bet that nobody takes cancels itself while its page is open', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'eve');
  await a.page.goto('/portfolio');
  await expectBalance(a.page, 1000);
  const expiresAt = new Date(Date.now() + 3000).toISOString();
  const bet = await createThroughApi(a, bolts, { title: 'Over in three seconds', expiresAt });
  await a.page.goto(`/bet/${bet.id}`);
  await expectStatus(a.page, 'AWAITING CHALLENGER');
  await expectBalance(a.page, 800);

  await expectStatus(a.page, 'CANCELLED', SWEPT_WITHIN_MS);
  await expect(a.page.getByText('Nobody took this bet before it expired.', { exact: false })).toBeVisible();
  await expectBalance(a.page, 1000);
  expectClean(bolts);
});
