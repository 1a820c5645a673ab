import type { Page } from '@playwright/test';
import type { Bet } from '../src/api/types';
import { expect, test } from './bolts';
import { held } from './held';
import { createThroughApi, expectStatus, type Person, registered } from './people';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** Replaces the value of a field as a user does who pastes. */
async function paste(page: Page, label: string, text: string) {
  // The sides of a bet have radio buttons with the names of the fields.
  const field = page.getByLabel(label, { exact: true }).and(page.getByRole('textbox'));
  await field.click();
  await page.keyboard.press('Control+A');
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press('Control+V');
  return field;
}

/** Fills the form of a bet, except for its title. */
async function fillRest(page: Page) {
  await page.getByRole('textbox', { name: 'Option A' }).fill('Yes, it does');
  await page.getByRole('textbox', { name: 'Option B' }).fill('No, it does not');
  await page.getByRole('button', { name: '100', exact: true }).click();
  await page.getByRole('button', { name: 'In a week' }).click();
}

const ownBets = async ({ page }: Person): Promise<Bet[]> => (await page.request.get('/api/bets/my')).json();

test('a pasted amount is read as it is written, or refused', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'pastes', CLIPBOARD);
  const { page } = person;
  bolts.run('admin', 'grant', person.email);
  await page.goto('/create-bet');
  const deal = page.getByText(/^You stake .* profit/);
  for (const text of ['900', ' 900 ', '0900']) {
    await paste(page, 'Stake', text);
    await expect(deal, text).toHaveText('You stake 900 Bolts · You get 1,800 · profit 900');
  }
  for (const text of ['1,000', '1 000', '1\u202f000']) {
    await paste(page, 'Stake', text);
    await expect(deal, text).toHaveText('You stake 1,000 Bolts · You get 2,000 · profit 1,000');
  }
  for (const text of ['1.000', '1.000,5', '1e3', '-5', '😀', '9'.repeat(5000)]) {
    const field = await paste(page, 'Stake', text);
    await page.keyboard.press('Tab');
    await expect(field, text).toHaveAccessibleDescription(/Stake must be /);
    if (!text.startsWith('9')) await expect(deal, text).toHaveCount(0);
  }

  await page.goto('/admin');
  await page.getByLabel('User Email').first().fill(person.email);
  for (const text of ['1.000', '1.000,5', '1e3']) {
    const amount = await paste(page, 'Amount in Bolts', text);
    await page.getByRole('button', { name: 'Deposit Bolts' }).click();
    await expect(amount, text).toHaveAccessibleDescription('Amount must be a whole number, such as 1,000');
  }
  await paste(page, 'Amount in Bolts', '1,000');
  await page.getByRole('button', { name: 'Deposit Bolts' }).click();
  await expect(page.getByText(`${person.email} now has 2,000 Bolts.`)).toBeVisible();
  await page.context().close();
});

test('texts of 5,000 characters are refused beside their fields, and nothing scrolls sideways', async ({
  browser,
  bolts,
}) => {
  const viewport = { width: 360, height: 800 };
  const { page } = await registered(browser, bolts, 'floods', { ...CLIPBOARD, viewport });
  await page.goto('/create-bet');
  for (const [label, text, words] of [
    ['Title', 'x'.repeat(5000), 'Title must be at most 200 characters'],
    ['Option A', '😀'.repeat(5000), 'An option must be at most 100 characters'],
    ['Option B', 'two words '.repeat(500), 'An option must be at most 100 characters'],
  ] as const) {
    const field = await paste(page, label, text);
    await page.keyboard.press('Tab');
    await expect(field).toHaveAccessibleDescription(words);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.context().close();
});

test('double clicks create a bet once and take it once, and the way back leads to an empty form', async ({
  browser,
  bolts,
}) => {
  const maker = await registered(browser, bolts, 'twice');
  const { page } = maker;
  await page.goto('/create-bet');
  await page.getByRole('textbox', { name: /^Title/ }).fill('Does it come once?');
  await fillRest(page);
  await page.getByRole('link', { name: 'Marketplace' }).filter({ visible: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bet Marketplace' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue('Does it come once?');
  await page.getByRole('button', { name: 'Create Bet' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: 'Does it come once?' })).toBeVisible();
  const [bet, ...others] = await ownBets(maker);
  expect(others).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue('');

  const taker = await registered(browser, bolts, 'takes');
  await taker.page.goto(`/bet/${bet?.id}`);
  await taker.page.getByRole('button', { name: 'Take This Bet' }).dblclick();
  await expectStatus(taker.page, 'LIVE');
  expect(await ownBets(taker)).toHaveLength(1);
  expect(bolts.run('audit').code).toBe(0);
  await taker.page.context().close();
  await page.context().close();
});

test('a tab that missed what happened says so, and shows it', async ({ browser, bolts }) => {
  const maker = await registered(browser, bolts, 'maker');
  const taker = await registered(browser, bolts, 'tabs');
  const bet = await createThroughApi(maker, bolts);
  const late = await taker.page.context().newPage();
  // The second tab gets no hints, as after a long sleep of the computer.
  await late.route('**/api/events', (route) => route.abort());
  await late.goto(`/bet/${bet.id}`);
  const take = late.getByRole('button', { name: 'Take This Bet' });
  await expect(take).toBeVisible();
  await taker.page.goto(`/bet/${bet.id}`);
  await taker.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expectStatus(taker.page, 'LIVE');
  await take.click();
  await expect(late.getByText('Failed to Accept Bet')).toBeVisible();
  await expectStatus(late, 'LIVE');
  await expect(late.getByText('YOUR SIDE')).toBeVisible();
  expect(await ownBets(taker)).toHaveLength(1);
  await taker.page.context().close();
  await maker.page.context().close();
});

test('on a slow network the button says what it does, and a second press does nothing', async ({
  browser,
  bolts,
}) => {
  const person = await registered(browser, bolts, 'slow');
  const { page } = person;
  await page.goto('/create-bet');
  await page.getByRole('textbox', { name: /^Title/ }).fill('Does it arrive by train?');
  await fillRest(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 2000,
    downloadThroughput: 20_000,
    uploadThroughput: 20_000,
  });
  const release = await held(page, '**/api/bets');
  await page.getByRole('button', { name: 'Create Bet' }).click();
  const pending = page.getByRole('button', { name: 'Creating...' });
  await expect(pending).toBeVisible();
  await pending.click({ force: true });
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Does it arrive by train?' })).toBeVisible();
  expect(await ownBets(person)).toHaveLength(1);
  await page.context().close();
});
