import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { DepositInvoice, DepositState, Movement } from '../src/api/types';
import { type Bolts, test as base, expect, withBolts } from './bolts';
import { expectAccessible, expectNoSideScroll, scanned } from './checks';
import { held } from './held';
import { press, tabTo } from './keys';
import { expectClean, PASSWORD, type Person, registered } from './people';
import { PHONE, UNSCANNED_LOOKS, WIDE } from './sizes';

/**
 * A second server, whose invoices do not settle for two hours. A test can look at such an invoice as long as it needs,
 * or pay it from the first server.
 */
const test = base.extend<object, { elsewhere: Bolts }>({
  elsewhere: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => withBolts(use, { BOLTS_LIGHTNING_TEST_SETTLE_AFTER: '2h' }),
    { scope: 'worker' },
  ],
});

/**
 * The time in which the page must show a payment. The invoice settles after five seconds, and the next poll detects it.
 */
const PAID_WITHIN_MS = 30_000;
const HOUR_MS = 3_600_000;

/**
 * Blocks the page's requests for the status of a deposit, so that the page shows the invoice as long as the test needs.
 * The returned function ends the block.
 */
const unheard = (page: Page) => held(page, '**/api/deposit/check-status/*');

const dialog = (page: Page) => page.getByRole('dialog');

async function account(
  browser: Browser,
  bolts: Bolts,
  name: string,
  look: BrowserContextOptions = {},
): Promise<Person> {
  const person = await registered(browser, bolts, name, look);
  await person.page.goto('/account');
  await expect(person.page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
  return person;
}

async function newInvoice(page: Page, amount: number): Promise<string> {
  await page.getByRole('button', { name: 'Deposit Bitcoin' }).click();
  await page.getByLabel('Amount in sats').fill(String(amount));
  await page.getByRole('button', { name: 'Create Invoice' }).click();
  return page.getByRole('textbox', { name: 'Lightning invoice' }).inputValue();
}

async function addTestSats(page: Page, amount: number) {
  await page.getByRole('button', { name: 'Deposit Bitcoin' }).click();
  await page.getByLabel('Amount in sats').fill(String(amount));
  await page.getByRole('button', { name: 'Add Test Sats' }).click();
  await expect(page.getByText('Test Deposit Successful')).toBeVisible();
  await expect(page.getByTestId('sats-balance')).toHaveText(amount.toLocaleString('en-US'));
}

/** Creates an invoice on the second server. */
async function invoiceFrom(browser: Browser, elsewhere: Bolts, amount: number): Promise<string> {
  const payee = await registered(browser, elsewhere, 'payee');
  const answer = await payee.page.request.post('/api/deposit/create-invoice', {
    headers: { Origin: elsewhere.origin },
    data: { amount },
  });
  expect(answer.status()).toBe(201);
  const { lightningInvoice }: DepositInvoice = await answer.json();
  await payee.page.context().close();
  return lightningInvoice;
}

for (const viewport of [WIDE, PHONE]) {
  test.describe(`at ${viewport.width}`, () => {
    test('a deposit is paid, and everything shows it', async ({ browser, bolts }) => {
      const { page } = await account(browser, bolts, 'ivy', { viewport });
      await expect(page.getByText('No withdrawals yet.')).toBeVisible();
      const tell = await unheard(page);
      const invoice = await newInvoice(page, 2500);
      await expect(page.getByText('Test Lightning Invoice Created')).toBeVisible();
      await expect(dialog(page).getByRole('heading', { name: 'Test Deposit 2,500 sats' })).toBeVisible();
      expect(invoice).toMatch(/^lnbcrt/);
      tell();
      await expect(page.getByText('Payment Confirmed!')).toBeVisible({ timeout: PAID_WITHIN_MS });
      await expect(
        page.getByRole('status').getByText('2,500 sats have been added to your balance'),
      ).toBeVisible();
      await expect(dialog(page)).toHaveCount(0);
      await expect(page.getByTestId('sats-balance')).toHaveText('2,500');
      await expect(page.getByRole('region', { name: 'Sats Balance' })).toContainText('2,500 Sats');
      const history = page.getByRole('region', { name: 'Wallet History' });
      await expect(history.getByRole('listitem').first()).toContainText('Lightning deposit');
      await expect(history.getByRole('listitem').first()).toContainText('+2,500 Sats');
      await page.context().close();
    });

    test('sats are withdrawn to another site', async ({ browser, bolts, elsewhere }) => {
      const invoice = await invoiceFrom(browser, elsewhere, 1000);
      const { page } = await account(browser, bolts, 'otto', { viewport });
      await addTestSats(page, 3000);
      await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
      await page.getByLabel('Lightning invoice or address').fill(`lightning:${invoice}`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(dialog(page)).toContainText('at most 10 Sats');
      await expect(dialog(page)).toContainText('1,010 Sats');
      await page.getByLabel('Your password', { exact: true }).fill('not the one');
      await page.getByRole('button', { name: 'Withdraw 1,000 sats' }).click();
      await expect(page.getByLabel('Your password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
      await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Withdraw 1,000 sats' }).dblclick();
      await expect(dialog(page).getByText('PAID', { exact: true })).toBeVisible({ timeout: PAID_WITHIN_MS });
      await expect(dialog(page)).toContainText('9 Sats back to your balance');
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByTestId('sats-balance')).toHaveText('1,999');
      const list = page.getByRole('region', { name: 'Withdrawals' });
      await expect(list.getByRole('listitem')).toHaveCount(1);
      await expect(list.getByRole('listitem')).toContainText('PAID');
      await page.context().close();
      expectClean(bolts);
    });
  });
}

test('the code on the screen is the invoice', async ({ browser, elsewhere }) => {
  const { page } = await account(browser, elsewhere, 'quentin');
  const invoice = await newInvoice(page, 50_000);
  const code = page.getByRole('link', { name: /QR code/ });
  await expect(code).toHaveAttribute('href', `lightning:${invoice}`);
  await expect(code.locator('svg')).toHaveAttribute('height', '256');
  await code.scrollIntoViewIfNeeded();
  await expect.poll(() => scanned(code)).toBe(invoice.toUpperCase());
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => code.locator('svg').boundingBox()).toMatchObject({ width: 256, height: 256 });
  await expect.poll(() => scanned(code)).toBe(invoice.toUpperCase());
  await expectNoSideScroll(page, 'invoice at 360');
  await page.context().close();
});

test('an invoice that has expired is blurred, and leads to a new one', async ({ browser, elsewhere }) => {
  const { page } = await registered(browser, elsewhere, 'eve');
  await page.clock.install();
  await page.goto('/account');
  await newInvoice(page, 700);
  await expect(page.getByRole('timer')).toContainText(/Time left (1:00:00|59:\d\d)/);
  await page.clock.fastForward(HOUR_MS);
  // By the clock of the server, the invoice can still be paid.
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /QR code/ })).toBeVisible();
  const json: DepositState = { paid: false, status: 'expired', credited: null };
  await page.route('**/api/deposit/check-status/*', (route) => route.fulfill({ json }));
  await page.clock.fastForward(10_000);
  await expect(page.getByText('This invoice has expired')).toBeVisible();
  await expect(page.getByRole('link', { name: /QR code/ })).toHaveCount(0);
  await expectAccessible(page, 'expired invoice');
  await page.getByRole('button', { name: 'Create New' }).click();
  await expect(page.getByLabel('Amount in sats')).toBeFocused();
  await page.context().close();
});

test('a deposit without a mouse', async ({ browser, bolts }) => {
  const { page } = await account(browser, bolts, 'kay');
  const tell = await unheard(page);
  const opener = page.getByRole('button', { name: 'Deposit Bitcoin' });
  await press(page, opener);
  await expect(page.getByLabel('Amount in sats')).toBeFocused();
  await page.keyboard.type('99');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Minimum Deposit', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Amount in sats')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('150');
  await press(page, page.getByRole('button', { name: 'Create Invoice' }));
  await tabTo(page, page.getByRole('link', { name: /QR code/ }));
  await tabTo(page, page.getByRole('button', { name: 'Copy' }));
  await tabTo(page, page.getByRole('link', { name: 'Open Wallet' }));
  tell();
  await expect(page.getByText('Payment Confirmed!')).toBeVisible({ timeout: PAID_WITHIN_MS });
  await expect(opener).toBeFocused();
  await page.context().close();
});

test('what cannot be paid is said on its field', async ({ browser, bolts, elsewhere }) => {
  const invoice = await invoiceFrom(browser, elsewhere, 400);
  const { page } = await account(browser, bolts, 'fay');
  await addTestSats(page, 2000);
  const own = await newInvoice(page, 300);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const field = page.getByLabel('Lightning invoice or address');
  const next = page.getByRole('button', { name: 'Continue' });
  const attempt = async (text: string) => {
    await field.fill(text);
    await next.click();
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: /^Withdraw \d/ }).click();
  };
  await field.fill('lnbc1 no invoice at all');
  await next.click();
  await expect(field).toHaveAccessibleDescription(/not a valid Lightning invoice/);
  await field.fill(own);
  await next.click();
  await expect(field).toHaveAccessibleDescription(/deposit invoice of this site/);
  await attempt(invoice);
  await expect(dialog(page).getByText('PAID', { exact: true })).toBeVisible({ timeout: PAID_WITHIN_MS });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await attempt(invoice);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await page.context().close();
  expectClean(bolts);
});

test('a withdrawal is tried out in test mode, from an empty balance', async ({ browser, bolts }) => {
  const { page } = await account(browser, bolts, 'tess');
  const opener = page.getByRole('button', { name: 'Withdraw', exact: true });
  await opener.click();
  await expect(dialog(page).getByText('You need 110 Sats but only have 0 Sats.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Deposit Bitcoin' }).click();
  await dialog(page).getByLabel('Amount in sats').fill('2,000');
  await dialog(page).getByRole('button', { name: 'Add Test Sats' }).click();
  await expect(page.getByTestId('sats-balance')).toHaveText('2,000');
  await expect(dialog(page)).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog(page).getByRole('button', { name: 'Make a Test Invoice' }).click();
  await expect(dialog(page).getByLabel('Lightning invoice or address')).toHaveValue(/^lnbcrt/);
  await expectAccessible(page, 'withdrawal in test mode');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await dialog(page).getByRole('button', { name: 'Withdraw 1,000 sats' }).click();
  await expect(dialog(page).getByText('PAID', { exact: true })).toBeVisible({ timeout: PAID_WITHIN_MS });
  await page.context().close();
  expectClean(bolts);
});

test('a pause is explained, and shown to admins with its reason', async ({ browser }) => {
  await withBolts(async (bolts) => {
    const { page, email } = await account(browser, bolts, 'pat');
    bolts.run('admin', 'grant', email);
    const paused = bolts.run('withdrawals', 'pause', '--reason', 'The node is being moved.');
    expect(paused.code, paused.output).toBe(0);
    await page.goto('/admin');
    const card = page.getByRole('region', { name: 'Lightning Wallet' });
    await expect(card).toContainText('The node is being moved.');
    await page.goto('/account');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await expect(dialog(page).getByText('Withdrawals are paused')).toBeVisible();
    await expectAccessible(page, 'paused');
    await page.context().close();
  });
});

test('the history has every movement, on the page and as a file', async ({ browser, bolts }) => {
  const { page } = await account(browser, bolts, 'hal');
  for (let count = 1; count <= 30; count += 1) {
    const answer = await page.request.post('/api/deposit/test-add', {
      headers: { Origin: bolts.origin },
      data: { amount: count },
    });
    expect(answer.ok()).toBe(true);
  }
  await page.reload();
  const history = page.getByRole('region', { name: 'Wallet History' });
  await expect(history.getByRole('listitem').first()).toContainText('+30 Sats');
  await expect(history.getByRole('listitem')).toHaveCount(10);
  for (const shown of [20, 30, 31]) {
    await history.getByRole('button', { name: 'Show older movements' }).click();
    await expect(history.getByRole('listitem')).toHaveCount(shown);
  }
  await expect(history.getByRole('listitem').last()).toContainText('Welcome gift');
  const saved = page.waitForEvent('download');
  await history.getByRole('link', { name: 'Download CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('bolts-history.csv');
  const file = await page.request.get('/api/wallet/history.csv');
  const lines = (await file.text()).trim().split('\r\n');
  const all: Movement[] = await (await page.request.get('/api/wallet/history?limit=100')).json();
  expect(lines).toHaveLength(all.length + 1);
  expect(lines[0]).toBe('time,kind,currency,amount,bet,deposit,withdrawal');
  await page.context().close();
});

for (const { theme, width } of UNSCANNED_LOOKS) {
  test(`the wallet's dialogs, ${theme} at ${width}`, async ({ browser, elsewhere }) => {
    const look = { colorScheme: theme, viewport: { width, height: 800 } };
    const { page } = await account(browser, elsewhere, 'axe', look);
    await addTestSats(page, 5000);
    await page.getByRole('button', { name: 'Deposit Bitcoin' }).click();
    await page.getByRole('button', { name: 'Create Invoice' }).click();
    await expect(page.getByText('Minimum Deposit', { exact: true })).toBeVisible();
    await expectAccessible(page, 'deposit with an error');
    await page.getByLabel('Amount in sats').fill('1000');
    await page.getByRole('button', { name: 'Create Invoice' }).click();
    await expect(page.getByRole('link', { name: /QR code/ }).locator('svg')).toBeVisible();
    await expectAccessible(page, 'invoice');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByLabel('Lightning invoice or address').fill('ada@wallet.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Say how many sats')).toBeVisible();
    await expectAccessible(page, 'withdrawal with an error');
    await page.getByLabel('Amount in sats').fill('4990');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('You need 5,040 Sats but only have 5,000 Sats.')).toBeVisible();
    await expectAccessible(page, 'confirmation');
    await page.keyboard.press('Escape');
    await expectAccessible(page, 'account with a history');
    await page.context().close();
  });
}
