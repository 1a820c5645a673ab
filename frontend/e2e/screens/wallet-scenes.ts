import type { Page } from '@playwright/test';
import type { Movement, User, Withdrawal, WithdrawalQuote } from '../../src/api/types';
import { answer, change, hold, inSequence, openDialog, refuse, type Scene } from './scene';

const NODE = `02${'7ef1096bc727d09d'.repeat(4)}`;

const quote: WithdrawalQuote = {
  amount: 123_456,
  feeLimit: 1235,
  payee: NODE,
  lightningAddress: null,
  description: 'A pizza with everything, and whatever else a description can go on and on about',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
};

const sent: Withdrawal = {
  id: '0199d5b0-0000-7000-8000-000000000001',
  status: 'sending',
  amount: 123_456,
  feeLimit: 1235,
  fee: null,
  lightningAddress: 'a.rather.long.address.of.somebody@a.rather.long.wallet.example',
  invoice: 'lnbcrt1',
  paymentHash: 'ab'.repeat(32),
  preimage: null,
  refundReason: null,
  isInDoubt: false,
  createdAt: '2026-03-01T12:00:00Z',
  endedAt: null,
};
const endedAt = '2026-03-01T12:01:00Z';
const withdrawals: Withdrawal[] = [
  sent,
  { ...sent, id: '2', isInDoubt: true, lightningAddress: null },
  { ...sent, id: '3', status: 'paid', fee: 3, preimage: 'cd'.repeat(32), endedAt },
  { ...sent, id: '4', status: 'refunded', refundReason: 'No route was found.', endedAt },
  { ...sent, id: '5', status: 'held' },
];

const movement: Movement = {
  id: '1',
  at: '2026-03-01T12:00:00Z',
  kind: 'deposit',
  currency: 'sats',
  amount: 987_654_321,
  betId: null,
  betTitle: null,
  depositId: '1',
  withdrawalId: null,
};
const movements: Movement[] = [
  movement,
  { ...movement, id: '2', kind: 'hold', amount: -124_691 },
  {
    ...movement,
    id: '3',
    kind: 'stake',
    currency: 'bolts',
    amount: -100_000_000,
    betId: 'b',
    betTitle: `Will the ${'very long and winding title '.repeat(5)}ever end?`,
  },
  { ...movement, id: '4', kind: 'sign_up_grant', currency: 'bolts', amount: 1000 },
];

const typeAmount = (page: Page, amount: number) => page.getByLabel('Amount in sats').fill(String(amount));
const create = (page: Page) => page.getByRole('button', { name: 'Create Invoice' }).click();
const deposit = (page: Page) => openDialog(page, 'Deposit Bitcoin');
const withdraw = (page: Page) => openDialog(page, 'Withdraw');

async function quoted(page: Page, differs: Partial<WithdrawalQuote> = {}) {
  await change<User>(page, '**/api/auth/user', (user) => ({ ...user, satsBalance: 987_654_321 }));
  await answer(page, '**/api/withdrawals/quote', { ...quote, ...differs });
}

async function confirming(page: Page) {
  await withdraw(page);
  await page.getByLabel('Lightning invoice or address').fill('lnbcrt1pizza');
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A scene with the details of one withdrawal of the list. */
function details(index: number, shows: string | RegExp, name: string): Scene {
  return {
    name,
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await answer(page, '**/api/withdrawals?*', withdrawals);
      await answer(page, /\/api\/withdrawals\/[^?/]+$/, withdrawals[index]);
    },
    when: (page) =>
      page
        .getByRole('button', { name: /^Details/ })
        .nth(index)
        .click(),
    shows,
    window: true,
  };
}

export const walletScenes: Scene[] = [
  {
    name: 'history and withdrawals',
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await answer(page, '**/api/withdrawals?*', withdrawals);
      await answer(page, '**/api/wallet/history?*', movements);
    },
    shows: 'Held for a withdrawal',
  },
  {
    name: 'history empty',
    as: 'ada',
    path: '/account',
    given: (page) => answer(page, '**/api/wallet/history?*', []),
    shows: 'Nothing here yet',
  },
  {
    name: 'history failed',
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await refuse(page, '**/api/wallet/history?*');
      await refuse(page, '**/api/withdrawals?*');
    },
    shows: 'Your history could not be loaded',
    refused: [500],
  },
  {
    name: 'history loading',
    as: 'ada',
    path: '/account',
    given: (page) => hold(page, '**/api/wallet/history?*'),
    shows: 'Wallet History',
    loading: true,
  },
  { name: 'deposit', as: 'ada', path: '/account', when: deposit, shows: 'Add Test Sats', window: true },
  {
    name: 'deposit too small',
    as: 'ada',
    path: '/account',
    when: (page) => inSequence(page, deposit, () => typeAmount(page, 99), create),
    shows: 'Minimum deposit is 100 sats',
    window: true,
  },
  {
    name: 'deposit invoice',
    as: 'ada',
    path: '/account',
    given: (page) =>
      answer(page, '**/api/deposit/check-status/*', { paid: false, status: 'pending', credited: null }),
    when: async (page) => {
      await inSequence(page, deposit, () => typeAmount(page, 50_000), create);
      await page
        .getByRole('link', { name: /QR code/ })
        .locator('svg')
        .waitFor();
    },
    shows: 'Waiting for your payment',
    window: true,
  },
  {
    name: 'deposit invoice that expires',
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await answer(page, '**/api/deposit/check-status/*', { paid: false, status: 'expired', credited: null });
      await page.route('**/api/deposit/create-invoice', async (route) => {
        const fetched = await route.fetch();
        const body = await fetched.json();
        await route.fulfill({ response: fetched, json: { ...body, expiresAt: '2026-01-01T00:00:00Z' } });
      });
    },
    when: (page) => inSequence(page, deposit, () => typeAmount(page, 50_000), create),
    shows: 'This invoice has expired',
    window: true,
  },
  {
    name: 'deposit without a provider',
    as: 'ada',
    path: '/account',
    given: (page) =>
      refuse(
        page,
        '**/api/deposit/create-invoice',
        503,
        'The Lightning network cannot be reached right now.',
      ),
    when: (page) => inSequence(page, deposit, () => typeAmount(page, 50_000), create),
    shows: 'Failed to Create Invoice',
    refused: [503],
    window: true,
  },
  { name: 'withdraw', as: 'ada', path: '/account', when: withdraw, shows: 'Available', window: true },
  {
    name: 'withdraw to an address',
    as: 'ada',
    path: '/account',
    when: async (page) => {
      await withdraw(page);
      await page.getByLabel('Lightning invoice or address').fill('ada@wallet.example');
      await page.getByRole('button', { name: 'Continue' }).click();
    },
    shows: 'Say how many sats',
    window: true,
  },
  {
    name: 'withdraw more than there is to an address',
    as: 'ada',
    path: '/account',
    given: (page) => change<User>(page, '**/api/auth/user', (user) => ({ ...user, satsBalance: 5_000 })),
    when: async (page) => {
      await withdraw(page);
      await page.getByLabel('Lightning invoice or address').fill('ada@wallet.example');
      await typeAmount(page, 4_990);
    },
    shows: /^You are 40 Sats short/,
    window: true,
  },
  {
    name: 'withdraw more than there is to an invoice',
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await change<User>(page, '**/api/auth/user', (user) => ({ ...user, satsBalance: 0 }));
      await answer(page, '**/api/withdrawals/quote', quote);
    },
    when: confirming,
    shows: 'You need 124,691 Sats but only have 0 Sats.',
    window: true,
  },
  {
    name: 'withdraw, confirming',
    as: 'ada',
    path: '/account',
    given: (page) => quoted(page),
    when: async (page) => {
      await confirming(page);
      await page.getByRole('button', { name: 'Withdraw 123,456 sats' }).click();
    },
    shows: 'Your password is required',
    window: true,
  },
  {
    name: 'withdraw, without a clear answer',
    as: 'ada',
    path: '/account',
    given: async (page) => {
      await quoted(page, { payee: null, lightningAddress: sent.lightningAddress });
      await refuse(page, /\/api\/withdrawals$/, 503, 'Please try again in a moment.');
    },
    when: async (page) => {
      await confirming(page);
      await page.getByLabel('Your password', { exact: true }).fill('secret');
      await page.getByRole('button', { name: 'Withdraw 123,456 sats' }).click();
    },
    shows: 'No Clear Answer',
    refused: [503],
    window: true,
  },
  {
    name: 'withdrawals paused',
    as: 'ada',
    path: '/account',
    given: (page) => answer(page, '**/api/config', { isTestMode: false, withdrawalsPaused: true }),
    when: withdraw,
    shows: 'Withdrawals are paused',
    window: true,
  },
  details(0, 'BEING SENT', 'withdrawal being sent'),
  details(1, /a person is looking into it/, 'withdrawal in doubt'),
  details(2, 'Proof of payment', 'withdrawal paid'),
  details(3, /No route was found/, 'withdrawal refunded'),
  details(4, /is about to be sent/, 'withdrawal held'),
  {
    name: 'admin, paused and not covered',
    as: 'admin',
    path: '/admin',
    given: async (page) => {
      await answer(page, '**/api/admin/wallet', {
        isTestMode: false,
        pause: { reason: 'The provider holds less than what is owed to users.', at: endedAt },
        solvency: {
          at: endedAt,
          liabilities: 987_654_321,
          inFlight: 124_691,
          holdings: 1,
          stillPending: 2,
          withheld: 1_010,
          isCovered: false,
        },
        inDoubt: 2,
      });
      const payouts = withdrawals.map((withdrawal, attempts) => ({
        userEmail: 'a.rather.long.address.of.somebody.rich@example.com',
        attempts,
        withdrawal,
      }));
      await answer(page, '**/api/admin/withdrawals', payouts);
    },
    shows: 'Not covered',
  },
];
