import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DepositInvoice, DepositState } from '../../api/types';
import { holdClock } from '../../test/clock';
import { user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import { WalletActions } from './components/WalletActions';

const HOUR_MS = 3_600_000;
const POLL_MS = 5_000;

function makeInvoice(change: Partial<DepositInvoice> = {}): DepositInvoice {
  return {
    invoiceId: 'd-1',
    lightningInvoice: 'lnbcrt10u1invoice',
    amount: 1000,
    isTestMode: true,
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    ...change,
  };
}

const toast = () => document.querySelectorAll('[aria-live="polite"]');
const toasts = () => [...toast()].map((region) => region.textContent).join('');
const dialog = () => within(screen.getByRole('dialog'));

/** Answers each poll of the deposit with the current value of `state`. */
function onChecks(state: () => DepositState) {
  let count = 0;
  server.use(
    http.get('/api/deposit/check-status/d-1', () => {
      count += 1;
      return HttpResponse.json(state());
    }),
  );
  return () => count;
}

const PENDING: DepositState = { paid: false, status: 'pending', credited: null };
const EXPIRED: DepositState = { paid: false, status: 'expired', credited: null };
const PAID: DepositState = { paid: true, status: 'paid', credited: 1000 };

beforeEach(() => {
  onGet('/api/auth/user', me);
  onGet('/api/config', { isTestMode: true, withdrawalsPaused: false });
});
afterEach(() => vi.useRealTimers());

async function opened() {
  renderApp(<WalletActions user={me} />, '/account');
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Deposit Bitcoin' }));
  await screen.findByRole('dialog');
  return user;
}

/** Opens the deposit dialog and creates an invoice. Only the test moves the clock. */
async function invoiced(change: Partial<DepositInvoice> = {}) {
  holdClock();
  const invoice = makeInvoice(change);
  onWrite('post', '/api/deposit/create-invoice', () => HttpResponse.json(invoice, { status: 201 }));
  renderApp(<WalletActions user={me} />, '/account');
  fireEvent.click(screen.getByRole('button', { name: 'Deposit Bitcoin' }));
  fireEvent.change(await screen.findByLabelText('Amount in sats'), { target: { value: '1000' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create Invoice' }));
  await screen.findByRole('textbox', { name: 'Lightning invoice' });
  return invoice;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the amount', () => {
  it.each([
    ['', 'Minimum Deposit', 'Minimum deposit is 100 sats'],
    ['99', 'Minimum Deposit', 'Minimum deposit is 100 sats'],
    ['50001', 'Maximum Deposit', 'Maximum deposit is 50,000 sats'],
    ['100.5', 'Whole Sats Only', 'Sats come in whole numbers only'],
    ['1.000', 'Whole Sats Only', 'Sats come in whole numbers only'],
    ['a lot', 'Whole Sats Only', 'Sats come in whole numbers only'],
  ])('refuses %j', async (amount, title, words) => {
    const sent = onWrite('post', '/api/deposit/create-invoice', () => HttpResponse.json(makeInvoice()));
    const user = await opened();
    const field = screen.getByLabelText('Amount in sats');
    expect(field).toHaveAttribute('placeholder', '100');
    expect(field).toHaveAccessibleDescription('100 to 50,000 sats.');
    if (amount) await user.type(field, amount);
    await user.click(screen.getByRole('button', { name: 'Create Invoice' }));
    await waitFor(() => expect(toasts()).toContain(`${title}${words}`));
    expect(field).toHaveAccessibleDescription(new RegExp(words));
    await waitFor(() => expect(field).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it.each(['Create Invoice', 'Add Test Sats'])('is taken as the pages write it by %s', async (button) => {
    const invoices = onWrite('post', '/api/deposit/create-invoice', () =>
      HttpResponse.json(makeInvoice(), { status: 201 }),
    );
    const added = onWrite('post', '/api/deposit/test-add', () => HttpResponse.json({ amount: 1000 }));
    const user = await opened();
    await user.click(screen.getByLabelText('Amount in sats'));
    await user.paste('1,000');
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect([...invoices, ...added]).toEqual([{ amount: 1000 }]));
  });

  it.each([
    ['', 'Could not create Lightning invoice'],
    [
      'The Lightning network cannot be reached right now.',
      'The Lightning network cannot be reached right now.',
    ],
  ])('tells that no invoice came (%j)', async (detail, words) => {
    server.use(
      http.post('/api/deposit/create-invoice', () =>
        HttpResponse.json({ title: '', status: 503, code: 'lightning_unavailable', detail }, { status: 503 }),
      ),
    );
    const user = await opened();
    await user.type(screen.getByLabelText('Amount in sats'), '1000');
    await user.click(screen.getByRole('button', { name: 'Create Invoice' }));
    await waitFor(() => expect(toasts()).toContain(`Failed to Create Invoice${words}`));
    expect(screen.getByLabelText('Amount in sats')).toHaveValue('1000');
  });
});

describe('an invoice', () => {
  it('shows what it is, how to pay it, and that it is a test', async () => {
    const { lightningInvoice } = await invoiced();
    await waitFor(() => expect(toasts()).toContain('Test Lightning Invoice Created'));
    expect(screen.getByRole('heading', { name: 'Test Deposit 1,000 sats' })).toBeVisible();
    expect(dialog().getByText(/needs the API key of a payment provider/)).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Lightning invoice' });
    expect(field).toHaveValue(lightningInvoice);
    expect(field).toHaveAttribute('readonly');
    expect(screen.getByRole('link', { name: 'Open Wallet' })).toHaveAttribute(
      'href',
      `lightning:${lightningInvoice}`,
    );
    const code = screen.getByRole('link', { name: /QR code/ });
    expect(code).toHaveAttribute('href', `lightning:${lightningInvoice}`);
    await waitFor(() => expect(code.querySelector('svg')).toHaveAttribute('width', '256'));
    expect(screen.getByRole('timer')).toHaveTextContent(/^Time left (1:00:00|59:5\d)$/);
  });

  it('is copied, and made anew', async () => {
    const { lightningInvoice } = await invoiced({ isTestMode: false });
    await waitFor(() => expect(toasts()).toContain('Real Lightning Invoice Created'));
    expect(screen.getByRole('heading', { name: 'Deposit 1,000 sats' })).toBeVisible();
    expect(dialog().getByText(/updates automatically after payment confirmation/)).toBeVisible();
    const written: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void written.push(text) },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    await waitFor(() => expect(toasts()).toContain('Copied!'));
    expect(written).toEqual([lightningInvoice]);
    fireEvent.click(screen.getByRole('button', { name: 'Create New' }));
    expect(await screen.findByLabelText('Amount in sats')).toHaveValue('');
  });

  it('is asked after every 5 seconds, at most 60 times', async () => {
    const count = onChecks(() => PENDING);
    await invoiced();
    await pass(POLL_MS - 1_000);
    expect(count()).toBe(0);
    await pass(1_100);
    await waitFor(() => expect(count()).toBe(1));
    await pass(58 * POLL_MS);
    await waitFor(() => expect(count()).toBe(59));
    await pass(5 * POLL_MS);
    await waitFor(() => expect(count()).toBe(60));
    expect(screen.getByText(/Not paid so far/)).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Check Now' }));
    await waitFor(() => expect(toasts()).toContain('No payment has arrived yet.'));
    expect(count()).toBe(61);
  });

  it.each([
    [
      'problem',
      'Not CheckedTry again in a moment.',
      () => problem(503, 'unavailable', 'Try again in a moment.'),
    ],
    ['sign-out', 'You are logged out.', () => problem(401, 'not_signed_in', 'x')],
  ])('says why a check by hand failed: a %s', async (_, words, failure) => {
    onChecks(() => PENDING);
    await invoiced();
    for (let polls = 0; polls < 62; polls += 1) await pass(POLL_MS);
    server.use(http.get('/api/deposit/check-status/:id', failure));
    fireEvent.click(await screen.findByRole('button', { name: 'Check Now' }));
    await waitFor(() => expect(toasts()).toContain(words));
    expect(toasts()).not.toContain('No payment has arrived yet.');
  });

  it('closes when it is paid, says so once, and reads the balance again', async () => {
    let paid = false;
    onChecks(() => (paid ? PAID : PENDING));
    await invoiced();
    await pass(POLL_MS);
    let users = 0;
    server.use(
      http.get('/api/auth/user', () => {
        users += 1;
        return HttpResponse.json({ ...me, satsBalance: 1050 });
      }),
    );
    paid = true;
    await pass(POLL_MS + 100);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() =>
      expect(toasts()).toContain('Payment Confirmed!1,000 sats have been added to your balance'),
    );
    await waitFor(() => expect(users).toBeGreaterThan(0));
  });

  it('is blurred once it has expired, without its link, and leads to a new one', async () => {
    let state = PENDING;
    const count = onChecks(() => state);
    await invoiced({ expiresAt: new Date(Date.now() + 63 * POLL_MS).toISOString() });
    await pass(62 * POLL_MS);
    await waitFor(() => expect(count()).toBe(60));
    state = EXPIRED;
    await pass(3 * POLL_MS);
    expect(await screen.findByText('This invoice has expired')).toBeVisible();
    expect(screen.queryByRole('link', { name: /QR code/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Open Wallet' })).not.toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Create New' }));
    expect(await screen.findByLabelText('Amount in sats')).toBeVisible();
  });

  it('can be paid while the server says so, although its time is over by the clock of the device', async () => {
    const count = onChecks(() => PENDING);
    await invoiced({ expiresAt: new Date(Date.now() - HOUR_MS).toISOString() });
    await pass(POLL_MS + 1_000);
    await waitFor(() => expect(count()).toBeGreaterThan(1));
    await pass(1_000);
    expect(screen.queryByText('This invoice has expired')).not.toBeInTheDocument();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open Wallet' })).toBeVisible();
    expect(screen.getByRole('link', { name: /QR code/ })).toBeVisible();
  });

  it('is asked after every minute once its time is over by the clock of the device, until the server says so too', async () => {
    let answer: () => Response = () => HttpResponse.json(PENDING);
    let count = 0;
    server.use(
      http.get('/api/deposit/check-status/d-1', () => {
        count += 1;
        return answer();
      }),
    );
    await invoiced({ expiresAt: new Date(Date.now() - HOUR_MS).toISOString() });
    await pass(62 * POLL_MS);
    expect(await screen.findByText(/Not paid so far/)).toBeVisible();
    const regular = count;
    answer = () => problem(503, 'unavailable', 'Try again in a moment.');
    await pass(60_000);
    await waitFor(() => expect(count).toBe(regular + 1));
    answer = () => HttpResponse.json(EXPIRED);
    await pass(60_000);
    expect(await screen.findByText('This invoice has expired')).toBeVisible();
    await pass(180_000);
    expect(count).toBe(regular + 2);
  });

  it('is looked at once more when the dialog is closed', async () => {
    const count = onChecks(() => PAID);
    await invoiced();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(toasts()).toContain('Payment Confirmed!1,000 sats have been added'));
    expect(count()).toBe(1);
    await pass(3 * POLL_MS);
    await waitFor(() => expect(count()).toBe(1));
  });

  it('is looked at again when the dialog is opened again, however often it was asked after', async () => {
    let state = PENDING;
    const checks = onChecks(() => state);
    await invoiced();
    await vi.advanceTimersByTimeAsync(61 * POLL_MS);
    fireEvent.click(dialog().getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(checks()).toBe(61));
    state = PAID;
    fireEvent.click(screen.getByRole('button', { name: 'Deposit Bitcoin' }));
    await waitFor(() => expect(toasts()).toContain('Payment Confirmed!'));
    expect(checks()).toBe(62);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  /** Holds back the answers to the polls. The test calls a returned function to send an answer. */
  function onLateChecks() {
    const answers: (() => void)[] = [];
    server.use(
      http.get(
        '/api/deposit/check-status/d-1',
        () => new Promise<Response>((resolve) => answers.push(() => resolve(HttpResponse.json(PAID)))),
      ),
    );
    return answers;
  }

  it('closes no other dialog when its payment is heard of late', async () => {
    const answers = onLateChecks();
    await invoiced();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(toasts()).toContain('Payment Confirmed!'));
    expect(dialog().getByLabelText('Lightning invoice or address')).toBeVisible();
    fireEvent.click(dialog().getByRole('button', { name: 'Close' }));
    fireEvent.click(screen.getByRole('button', { name: 'Deposit Bitcoin' }));
    expect(await screen.findByLabelText('Amount in sats')).toBeVisible();
  });

  it('takes no newer invoice off the screen when its payment is heard of late', async () => {
    const answers = onLateChecks();
    await invoiced();
    await pass(POLL_MS + 100);
    await waitFor(() => expect(answers).toHaveLength(1));
    const second = makeInvoice({ invoiceId: 'd-2', lightningInvoice: 'lnbcrt20u1second', amount: 2000 });
    onWrite('post', '/api/deposit/create-invoice', () => HttpResponse.json(second, { status: 201 }));
    fireEvent.click(screen.getByRole('button', { name: 'Create New' }));
    fireEvent.change(await screen.findByLabelText('Amount in sats'), { target: { value: '2000' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create Invoice' }));
    expect(await screen.findByDisplayValue('lnbcrt20u1second')).toBeVisible();
    answers[0]?.();
    await waitFor(() => expect(toasts()).toContain('Payment Confirmed!1,000 sats have been added'));
    expect(screen.getByDisplayValue('lnbcrt20u1second')).toBeVisible();
  });

  it('waits behind a closed dialog without being asked after', async () => {
    const count = onChecks(() => PENDING);
    await invoiced();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await pass(4 * POLL_MS);
    await waitFor(() => expect(count()).toBe(1));
    fireEvent.click(screen.getByRole('button', { name: 'Deposit Bitcoin' }));
    expect(await screen.findByRole('textbox', { name: 'Lightning invoice' })).toBeVisible();
  });
});

describe('test sats', () => {
  it('are added at once', async () => {
    const sent = onWrite('post', '/api/deposit/test-add', () => HttpResponse.json({ amount: 500 }));
    const user = await opened();
    await user.type(screen.getByLabelText('Amount in sats'), '500');
    await user.click(await screen.findByRole('button', { name: 'Add Test Sats' }));
    await waitFor(() => expect(toasts()).toContain('Test Deposit Successful500 test sats'));
    expect(sent).toEqual([{ amount: 500 }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('are not said to be added where an earlier try had added them', async () => {
    onWrite('post', '/api/deposit/test-add', () =>
      HttpResponse.json({ amount: 500 }, { headers: { 'Idempotent-Replayed': 'true' } }),
    );
    const user = await opened();
    await user.type(screen.getByLabelText('Amount in sats'), '500');
    await user.click(await screen.findByRole('button', { name: 'Add Test Sats' }));
    await waitFor(() => expect(toasts()).toMatch(/Already Added.*Nothing new was added\./));
    expect(toasts()).not.toContain('Test Deposit Successful');
  });

  it('tell a failure', async () => {
    server.use(
      http.post('/api/deposit/test-add', () =>
        HttpResponse.json({ title: '', code: 'unavailable', detail: '' }, { status: 503 }),
      ),
    );
    const user = await opened();
    await user.type(screen.getByLabelText('Amount in sats'), '500');
    await user.click(await screen.findByRole('button', { name: 'Add Test Sats' }));
    await waitFor(() => expect(toasts()).toContain('Deposit FailedCould not process deposit'));
  });

  it('are not offered where sats are real', async () => {
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: false });
    await opened();
    expect(await screen.findByText(/updates automatically/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add Test Sats' })).not.toBeInTheDocument();
  });
});
