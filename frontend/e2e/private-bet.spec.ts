import { expect, test } from './bolts';
import {
  createThroughForm,
  endEarlyAndPropose,
  expectBalance,
  expectClean,
  expectStatus,
  newcomer,
  registered,
} from './people';

test('a private bet, disputed and ruled void', async ({ browser, bolts }) => {
  const title = `Between friends, case ${Date.now()}`;
  const a = await newcomer(browser, bolts, 'ada');
  await createThroughForm(a.page, { title, stake: 300, isPrivate: true });
  const link = await a.page.getByLabel('Share link').inputValue();
  const betPath = new URL(a.page.url()).pathname;
  expect(new URL(link).origin).toBe(bolts.origin);

  const visitor = await (await browser.newContext({ baseURL: bolts.origin })).newPage();
  const answer = await visitor.goto(link);
  expect(answer?.headers()['x-robots-tag']).toBe('noindex');
  await expect(visitor.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
  await expect(visitor.getByRole('region', { name: title })).toContainText('Yes, it does');
  await expect(visitor.getByRole('region', { name: title })).toContainText('Stake300 Bolts');
  await expect(visitor.getByText(a.email)).toHaveCount(0);
  await visitor.context().close();

  const b = await registered(browser, bolts, 'ben');
  await b.page.goto(link);
  await expect(b.page.getByText('PRIVATE BET', { exact: true })).toBeVisible();
  await expect(b.page.getByRole('button', { name: 'Bet Option A' })).toBeDisabled();
  await b.page.getByRole('button', { name: 'Bet Option B' }).click();
  await expectStatus(b.page, 'LIVE');
  await expectBalance(b.page, 700);
  const betId = new URL(b.page.url()).pathname.split('/').at(-1) ?? '';

  const c = await registered(browser, bolts, 'cleo');
  await c.page.goto(`/bet/${betId}`);
  await expect(c.page.getByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
  await c.page.goto('/marketplace?status=all');
  await expect(c.page.getByLabel('Search bets')).toBeVisible();
  await c.page.getByLabel('Search bets').fill(title);
  await expect(c.page.getByText('No bets found')).toBeVisible();
  await expect(c.page.getByRole('link', { name: title })).toHaveCount(0);

  await a.page.goto(betPath);
  await endEarlyAndPropose(a.page, /^Yes, it does$/);
  await b.page.reload();
  await b.page.getByRole('button', { name: 'Reject Outcome' }).click();
  await expect(b.page.getByText('One proposal was rejected.')).toBeVisible();
  await b.page.getByRole('button', { name: 'Dispute' }).click();
  await b.page.getByLabel('Reason').fill('The parties saw different results.');
  await b.page.getByRole('button', { name: 'Send Dispute' }).click();
  await expect(b.page.getByText('Under review')).toBeVisible();

  const admin = await registered(browser, bolts, 'admin');
  const granted = bolts.run('admin', 'grant', admin.email);
  expect(granted.code, granted.output).toBe(0);
  await admin.page.goto('/admin');
  const disputes = admin.page.getByRole('region', { name: 'Disputes' });
  const dispute = disputes.getByRole('article').filter({ hasText: title });
  await expect(dispute).toContainText('The parties saw different results.');
  await dispute.getByRole('radio', { name: /^Void/ }).check();
  await dispute.getByLabel('Note').fill('No source decides it.');
  await dispute.getByRole('button', { name: 'Rule' }).click();
  const question = admin.page.getByRole('dialog', { name: 'Rule this outcome?' });
  await expect(question).toContainText('Each stake goes back.');
  await question.getByRole('button', { name: 'Rule' }).click();
  await expect(admin.page.getByText('Ruling Saved')).toBeVisible();
  await expect(dispute).toHaveCount(0);

  for (const party of [a, b]) {
    await party.page.reload();
    await expectStatus(party.page, 'CANCELLED');
    await expect(party.page.getByText('This bet is void.')).toBeVisible();
    await expectBalance(party.page, 1000);
  }
  expectClean(bolts);
});
