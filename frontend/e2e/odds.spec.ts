import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import {
  endEarlyAndPropose,
  expectBalance,
  expectClean,
  expectStatus,
  pickExpiry,
  registered,
} from './people';
import { PHONE, WIDE } from './sizes';

interface Typed {
  title: string;
  stake: string;
  /** The label of the field that the user fills in, and its value. */
  field: 'Opponent’s stake' | 'Your odds';
  value: string;
}

async function createAtOdds(page: Page, { title, stake, field, value }: Typed) {
  await page.goto('/create-bet');
  await page.getByRole('textbox', { name: /^Title/ }).fill(title);
  await page.getByRole('textbox', { name: 'Option A' }).fill('Yes, it does');
  await page.getByRole('textbox', { name: 'Option B' }).fill('No, it does not');
  await page.getByLabel('Stake', { exact: true }).fill(stake);
  await page.getByRole('button', { name: /^Other odds/ }).click();
  await page.getByLabel(field).fill(value);
  await pickExpiry(page);
  await expect(page.getByText('You stake 100 Bolts to win 40.')).toBeVisible();
  await expect(page.getByText('Your opponent stakes 40 Bolts to win 100.')).toBeVisible();
  await expectAccessible(page, `odds by ${field}`);
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expect(page.getByText('Public Bet Created!')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
}

for (const [viewport, field, value] of [
  [WIDE, 'Opponent’s stake', '40'],
  [PHONE, 'Your odds', '1.4'],
] as const) {
  test(`at ${viewport.width} px a bet of 100 against 40, by ‘${field}’`, async ({ browser, bolts }) => {
    const title = `Odds by ${value} at ${viewport.width}, case ${Date.now()}`;
    const a = await registered(browser, bolts, 'ann', { viewport });
    await createAtOdds(a.page, { title, stake: '100', field, value });
    await expectBalance(a.page, 900);
    await expect(a.page.getByText('Pays 100 Bolts')).toBeVisible();
    await expect(a.page.getByText('Pays 40 Bolts')).toBeVisible();

    const b = await registered(browser, bolts, 'bob', { viewport });
    await b.page.goto(`/marketplace?q=${encodeURIComponent(title)}`);
    const card = b.page.getByRole('article').filter({ hasText: title });
    await expect(card).toContainText('Stake 40 Bolts');
    await expect(card).toContainText('1.4x');
    await expect(card).toContainText('3.5x');
    await card.getByRole('link', { name: title }).click();
    await expect(b.page.getByText('You stake 40 Bolts · You get 140 · profit 100')).toBeVisible();
    await expectAccessible(b.page, 'a bet at odds');
    await b.page.getByRole('button', { name: 'Take This Bet' }).click();
    await expectStatus(b.page, 'LIVE');
    await expectBalance(b.page, 960);

    await endEarlyAndPropose(a.page, /^No, it does not$/);
    await b.page.reload();
    await expect(b.page.getByText('If you accept, you get 140 Bolts.')).toBeVisible();
    await b.page.getByRole('button', { name: 'Accept Outcome' }).click();
    const question = b.page.getByRole('dialog', { name: 'Accept this outcome?' });
    await expect(question).toContainText('You get 140 Bolts.');
    await expect(question).toContainText('loses the stake of 100 Bolts.');
    await question.getByRole('button', { name: 'Accept Outcome' }).click();
    await expectStatus(b.page, 'SETTLED');
    await expectBalance(b.page, 1100);
    await expectBalance(a.page, 900);
    const end = b.page.getByRole('region', { name: 'The end of this bet' });
    await expect(end).toContainText('+100 Bolts');

    await end.getByRole('button', { name: 'Rematch' }).click();
    await expect(b.page.getByLabel('Stake', { exact: true })).toHaveValue('40');
    await expect(b.page.getByLabel('Opponent’s stake')).toHaveValue('100');
    await expect(b.page.getByLabel('Your odds')).toHaveValue('3.5');
    await pickExpiry(b.page);
    await b.page.getByRole('button', { name: 'Create Bet' }).click();
    await expect(b.page.getByText('Public Bet Created!')).toBeVisible();
    await a.page.goto(b.page.url());
    await expect(a.page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(a.page.getByText('You stake 100 Bolts · You get 140 · profit 40')).toBeVisible();
    expectClean(bolts);
  });
}
