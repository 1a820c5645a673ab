import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User, WithdrawalQuote } from '../../api/types';
import { makeWithdrawal, user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import { WalletActions } from './components/WalletActions';

const rich = { ...me, satsBalance: 5000 };
const quote: WithdrawalQuote = {
  amount: 1000,
  feeLimit: 10,
  payee: '02'.repeat(33),
  lightningAddress: null,
  description: 'A pizza',
  expiresAt: '2099-01-01T00:00:00Z',
};

const toasts = () =>
  [...document.querySelectorAll('[aria-live="polite"]')].map((it) => it.textContent).join('');
const destination = () => screen.getByLabelText('Lightning invoice or address');
const password = () => screen.getByLabelText('Your password');
const dialog = () => within(screen.getByRole('dialog'));

beforeEach(() => {
  onGet('/api/auth/user', rich);
  onGet('/api/withdrawals', []);
});

let setBalance: (sats: number) => void;

/** The wallet of a user. The test can change the balance. */
function Wallet({ user }: { user: User }) {
  const [satsBalance, set] = useState(user.satsBalance);
  setBalance = set;
  return <WalletActions user={{ ...user, satsBalance }} />;
}

async function opened(user = rich) {
  const view = renderApp(<Wallet user={user} />, '/account');
  await view.user.click(screen.getByRole('button', { name: 'Withdraw' }));
  await screen.findByRole('dialog');
  return view.user;
}

/** Opens the confirmation step of a withdrawal. `change` replaces values of the quote. */
async function asked(change: Partial<WithdrawalQuote> = {}, typed = 'lnbc10u1pizza', user = rich) {
  const sent = onWrite('post', '/api/withdrawals/quote', () => HttpResponse.json({ ...quote, ...change }));
  const events = await opened(user);
  await events.type(destination(), typed);
  await events.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByLabelText('Your password');
  return { user: events, sent };
}

/** Records each withdrawal request with its idempotency key, and answers the request. */
function onOrders(answer: (count: number) => Response) {
  const orders: { body: unknown; key: string | null }[] = [];
  server.use(
    http.post('/api/withdrawals', async ({ request }) => {
      orders.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return answer(orders.length);
    }),
  );
  return orders;
}

describe('the destination', () => {
  it('is required', async () => {
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Paste an invoice or a Lightning address')).toBeVisible();
    await waitFor(() => expect(destination()).toHaveFocus());
  });

  it.each([
    ['', 'Say how many sats'],
    ['1.5', 'Sats come in whole numbers only'],
    ['1.000', 'Sats come in whole numbers only'],
    ['99', 'Minimum withdrawal is 100 sats'],
    ['100000001', 'Maximum withdrawal is 100,000,000 sats'],
  ])('needs an amount beside an address, and not %j', async (amount, words) => {
    const user = await opened();
    expect(screen.queryByLabelText('Amount in sats')).not.toBeInTheDocument();
    await user.type(destination(), 'ada@wallet.example');
    if (amount) await user.type(screen.getByLabelText('Amount in sats'), amount);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('has its amount taken as the pages write it', async () => {
    const sent = onWrite('post', '/api/withdrawals/quote', () => HttpResponse.json(quote));
    const user = await opened();
    await user.type(destination(), 'ada@wallet.example');
    await user.type(screen.getByLabelText('Amount in sats'), '1,000');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(sent).toEqual([{ lightningAddress: 'ada@wallet.example', amount: 1000 }]));
  });

  it('goes to the server as an invoice, without what a wallet puts around it', async () => {
    const { sent } = await asked({}, ' lightning:LNBC10U1 PIZZA ');
    expect(sent).toEqual([{ invoice: 'LNBC10U1PIZZA' }]);
  });

  it('shows what the server finds wrong with it on its field', async () => {
    onWrite('post', '/api/withdrawals/quote', () =>
      problem(422, 'invalid_fields', 'x', [{ field: 'invoice', message: 'This invoice has expired' }]),
    );
    const user = await opened();
    await user.type(destination(), 'lnbc1old');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(destination()).toHaveAccessibleDescription(/This invoice has expired/));
    await waitFor(() => expect(destination()).toHaveFocus());
    await user.type(destination(), 'x');
    await user.tab();
    expect(screen.queryByText('This invoice has expired')).not.toBeInTheDocument();
  });

  it('is kept as it was typed when the dialog is closed over it', async () => {
    const user = await opened();
    await user.type(destination(), 'ada@wallet.example');
    await user.type(screen.getByLabelText('Amount in sats'), '2500');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(destination()).toHaveValue('ada@wallet.example'));
    expect(screen.getByLabelText('Amount in sats')).toHaveValue('2500');
  });

  it('is taken, and says that it waits, while the provider does not answer', async () => {
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: false, withdrawalsWaiting: true });
    await opened();
    expect(await screen.findByText(/sent once it answers/)).toBeVisible();
    expect(destination()).toBeVisible();
  });

  it('shows beside an address at once what the balance lacks, the reserve for the route included', async () => {
    const user = await opened();
    await user.type(destination(), 'ada@wallet.example');
    const amount = screen.getByLabelText('Amount in sats');
    await user.type(amount, '4,950');
    expect(amount).toHaveAccessibleDescription('');
    await user.clear(amount);
    await user.type(amount, '4,951');
    expect(amount).toHaveAccessibleDescription('You need 5,001 Sats but only have 5,000 Sats.');
    expect(screen.getByText(/^You are 1 Sat short/)).toBeVisible();
    await user.click(dialog().getByRole('button', { name: 'Deposit Bitcoin' }));
    expect(await screen.findByRole('button', { name: 'Create Invoice' })).toBeVisible();
  });

  it('offers to an address the most that the balance and the fee limit allow', async () => {
    const user = await opened();
    await user.type(destination(), 'ada@wallet.example');
    await user.click(screen.getByRole('button', { name: 'Max, 4,950 sats' }));
    expect(screen.getByLabelText('Amount in sats')).toHaveValue('4950');
    expect(screen.getByLabelText('Amount in sats')).toHaveAccessibleDescription('');
  });

  it('says that no withdrawal is possible yet where the balance is below the least one', async () => {
    await opened({ ...rich, satsBalance: 60 });
    expect(screen.getByText('You need 110 Sats but only have 60 Sats.')).toBeVisible();
    expect(screen.getByText(/^You are 50 Sats short for the smallest withdrawal/)).toBeVisible();
    expect(dialog().getByRole('button', { name: 'Deposit Bitcoin' })).toBeVisible();
  });

  it.each([
    [5000, 1000],
    [600, 590],
    [0, 100],
  ])('has a test invoice made in test mode: of %i sats for %i', async (satsBalance, amount) => {
    onGet('/api/config', { isTestMode: true, withdrawalsPaused: false });
    const sent = onWrite('post', '/api/withdrawals/test-invoice', () =>
      HttpResponse.json(
        { invoice: 'lnbcrt10u1test', amount, expiresAt: '2099-01-01T00:00:00Z' },
        { status: 201 },
      ),
    );
    const user = await opened({ ...rich, satsBalance });
    await user.click(await screen.findByRole('button', { name: 'Make a Test Invoice' }));
    await waitFor(() => expect(destination()).toHaveValue('lnbcrt10u1test'));
    expect(destination()).toHaveFocus();
    expect(sent).toEqual([{ amount }]);
  });

  it('has no test invoices where sats are real', async () => {
    await opened();
    expect(screen.queryByRole('button', { name: 'Make a Test Invoice' })).not.toBeInTheDocument();
  });

  it('is refused before the password where it is a deposit invoice of this site', async () => {
    const words = 'This is a deposit invoice of this site; sats cannot be withdrawn to it';
    onWrite('post', '/api/withdrawals/quote', () =>
      problem(422, 'invalid_fields', words, [{ field: 'invoice', message: words }]),
    );
    const user = await opened();
    await user.type(destination(), 'lnbcrt1own');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(destination()).toHaveAccessibleDescription(/deposit invoice of this site/));
    expect(screen.queryByLabelText('Your password')).not.toBeInTheDocument();
  });

  it('is not asked for while withdrawals are paused', async () => {
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: true });
    await opened();
    expect(await screen.findByText('Withdrawals are paused')).toBeVisible();
    expect(screen.getByText(/Your balance is safe/)).toBeVisible();
    expect(screen.queryByLabelText('Lightning invoice or address')).not.toBeInTheDocument();
  });

  it('is asked for again after a pause has ended', async () => {
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: true });
    const user = await opened();
    expect(await screen.findByText('Withdrawals are paused')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: false });
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByLabelText('Lightning invoice or address')).toBeVisible();
  });
});

describe('the confirmation', () => {
  it('says how much, at what price, and where to', async () => {
    await asked();
    expect(screen.getByRole('heading', { name: 'Withdraw 1,000 sats?' })).toBeVisible();
    const facts = screen.getByText('Held in total').closest('dl');
    expect(facts).toHaveTextContent('Amount1,000 Sats');
    expect(facts).toHaveTextContent('Routing feeat most 10 SatsUnused fees are refunded.');
    expect(facts).toHaveTextContent('Held in total1,010 Sats');
    expect(facts).toHaveTextContent(`ToNode ${quote.payee}`);
    expect(facts).toHaveTextContent('ForA pizza');
    expect(facts).toHaveTextContent(/Expires(Jan 1, 2099|Dec 31, 2098)/);
  });

  it('shows an address and its amount, and goes back to them', async () => {
    const sent = onWrite('post', '/api/withdrawals/quote', () =>
      HttpResponse.json({
        ...quote,
        payee: null,
        description: null,
        expiresAt: null,
        lightningAddress: 'ada@wallet.example',
      }),
    );
    const user = await opened();
    await user.type(destination(), 'ada@wallet.example');
    await user.type(screen.getByLabelText('Amount in sats'), '1000');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await dialog().findByText('ada@wallet.example')).toBeVisible();
    expect(sent).toEqual([{ lightningAddress: 'ada@wallet.example', amount: 1000 }]);
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(destination()).toHaveValue('ada@wallet.example'));
    expect(screen.getByLabelText('Amount in sats')).toHaveValue('1000');
  });

  it('asks for no password where the balance does not cover amount and fee, and leads to a deposit', async () => {
    onWrite('post', '/api/withdrawals/quote', () => HttpResponse.json(quote));
    const user = await opened({ ...rich, satsBalance: 1005 });
    await user.type(destination(), 'lnbc10u1pizza');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('You need 1,010 Sats but only have 1,005 Sats.')).toBeVisible();
    expect(screen.getByText(/^You are 5 Sats short/)).toBeVisible();
    expect(screen.queryByLabelText('Your password')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Withdraw 1,000/ })).not.toBeInTheDocument();
    await user.click(dialog().getByRole('button', { name: 'Deposit Bitcoin' }));
    expect(await screen.findByLabelText('Amount in sats')).toBeVisible();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    expect(dialog().getByText('Held in total')).toBeVisible();
  });

  it('needs the password', async () => {
    const orders = onOrders(() => HttpResponse.json(makeWithdrawal(), { status: 201 }));
    const { user } = await asked();
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await screen.findByText('Your password is required')).toBeVisible();
    expect(orders).toEqual([]);
  });

  it('shows a wrong password on its field, and tries anew with the right one', async () => {
    const orders = onOrders((count) =>
      count === 1
        ? problem(422, 'invalid_fields', 'x', [{ field: 'password', message: 'The password is wrong' }])
        : HttpResponse.json(makeWithdrawal({ status: 'paid', fee: 1 }), { status: 201 }),
    );
    onGet('/api/withdrawals/w-1', makeWithdrawal({ status: 'paid', fee: 1 }));
    const { user } = await asked();
    await user.type(password(), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    await waitFor(() => expect(password()).toHaveAccessibleDescription(/The password is wrong/));
    await waitFor(() => expect(password()).toHaveFocus());
    await user.clear(password());
    await user.type(password(), 'right');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await screen.findByText('PAID')).toBeVisible();
    expect(orders.map(({ body }) => body)).toEqual([
      { invoice: 'lnbc10u1pizza', password: 'wrong' },
      { invoice: 'lnbc10u1pizza', password: 'right' },
    ]);
    expect(orders[0]?.key).toBeTruthy();
    expect(orders[1]?.key).not.toBe(orders[0]?.key);
  });

  it('orders once, however often it is pressed', async () => {
    const orders = onOrders(() => HttpResponse.json(makeWithdrawal(), { status: 201 }));
    onGet('/api/withdrawals/w-1', makeWithdrawal());
    const { user } = await asked();
    await user.type(password(), 'secret');
    await user.dblClick(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await screen.findByText('BEING SENT')).toBeVisible();
    expect(orders).toHaveLength(1);
  });

  it('repeats the same order after an answer that did not come, with whatever password and balance', async () => {
    const orders = onOrders((count) =>
      count === 1 ? HttpResponse.error() : HttpResponse.json(makeWithdrawal(), { status: 201 }),
    );
    onGet('/api/withdrawals/w-1', makeWithdrawal());
    const { user } = await asked();
    await user.type(password(), 'secret');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    await waitFor(() => expect(toasts()).toMatch(/No Clear Answer.*You won’t pay twice/));
    // The order has taken its sats, so the balance does not cover it a second time.
    act(() => setBalance(900));
    await user.type(password(), '2');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await screen.findByText('BEING SENT')).toBeVisible();
    expect(orders).toHaveLength(2);
    expect(orders[1]?.key).toBe(orders[0]?.key);
  });

  it('says of an order that was made before that nothing new is sent, and then makes a new one', async () => {
    const repeated = { status: 201, headers: { 'Idempotent-Replayed': 'true' } };
    const orders = onOrders((count) => {
      if (count === 1) return HttpResponse.error();
      return HttpResponse.json(makeWithdrawal(), count === 2 ? repeated : { status: 201 });
    });
    onGet('/api/withdrawals/w-1', makeWithdrawal({ status: 'paid', fee: 1 }));
    const { user } = await asked();
    const order = async () => {
      await user.type(password(), 'secret');
      await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    };
    await order();
    await waitFor(() => expect(toasts()).toContain('No Clear Answer'));
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await dialog().findByText(/^You had already ordered this withdrawal/)).toBeVisible();
    expect(await dialog().findByText('PAID')).toBeVisible();
    await user.click(dialog().getByRole('button', { name: 'Done' }));

    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    await user.type(destination(), 'lnbc10u1pizza');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByLabelText('Your password');
    await order();
    expect(await dialog().findByText('PAID')).toBeVisible();
    expect(dialog().queryByText(/^You had already ordered/)).not.toBeInTheDocument();
    expect(orders).toHaveLength(3);
    expect(orders[1]?.key).toBe(orders[0]?.key);
    expect(orders[2]?.key).not.toBe(orders[0]?.key);
  });

  it('is still that order when the password was mistyped in between', async () => {
    const wrong = [{ field: 'password', message: 'Current password is incorrect' }];
    const answers = [
      () => HttpResponse.error(),
      () => problem(422, 'invalid_fields', 'x', wrong),
      () => HttpResponse.json(makeWithdrawal(), { status: 201 }),
    ];
    const orders = onOrders((count) => answers[count - 1]?.() ?? HttpResponse.error());
    onGet('/api/withdrawals/w-1', makeWithdrawal());
    const { user } = await asked();
    const confirm = () => user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    await user.type(password(), 'secret');
    await confirm();
    await waitFor(() => expect(toasts()).toContain('No Clear Answer'));
    expect(JSON.stringify({ ...sessionStorage })).toContain('lnbc10u1pizza');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
    await user.type(password(), 'x');
    await confirm();
    expect(await screen.findByText('Current password is incorrect')).toBeVisible();
    await user.clear(password());
    await user.type(password(), 'secret');
    await confirm();
    expect(await screen.findByText('BEING SENT')).toBeVisible();
    expect(orders).toHaveLength(3);
    expect(new Set(orders.map(({ key }) => key)).size).toBe(1);
    expect({ ...sessionStorage }).toEqual({ 'bolts.unanswered': '{}' });
  });

  it('goes back to the destination when that is refused', async () => {
    onOrders(() =>
      problem(409, 'invoice_used', 'x', [{ field: 'invoice', message: 'This invoice was used before' }]),
    );
    const { user } = await asked();
    await user.type(password(), 'secret');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await screen.findByText('This invoice was used before')).toBeVisible();
    expect(destination()).toHaveValue('lnbc10u1pizza');
    expect(destination()).toHaveAccessibleDescription(/This invoice was used before/);
  });

  it.each([
    [409, 'insufficient_balance', 'You need 1,010 Sats but only have 50 Sats.'],
    [409, 'withdrawal_limit_reached', 'You can withdraw more tomorrow.'],
    [429, 'too_many_withdrawals', 'Three of your withdrawals are on their way.'],
    [429, 'withdrawals_resting', 'Withdrawals rest for a day after a password reset.'],
  ])('tells %i %s', async (status, code, words) => {
    onOrders(() => problem(status, code, words));
    const { user } = await asked();
    await user.type(password(), 'secret');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    await waitFor(() => expect(toasts()).toContain(`Withdrawal Failed${words}`));
    expect(password()).toBeVisible();
  });

  it('explains a pause that began meanwhile', async () => {
    onOrders(() => {
      onGet('/api/config', { isTestMode: false, withdrawalsPaused: true });
      return problem(409, 'withdrawals_paused', 'Withdrawals are paused.');
    });
    const { user } = await asked();
    await user.type(password(), 'secret');
    await user.click(screen.getByRole('button', { name: 'Withdraw 1,000 sats' }));
    expect(await dialog().findByText(/Your balance is safe/)).toBeVisible();
  });
});
