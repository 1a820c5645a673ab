import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Withdrawal } from '../../api/types';
import { holdClock } from '../../test/clock';
import { makeWithdrawal, user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, problem, server } from '../../test/server';
import { WithdrawalsCard } from './components/WithdrawalsCard';

const dialog = () => within(screen.getByRole('dialog'));

beforeEach(() => {
  onGet('/api/auth/user', me);
  onGet('/api/withdrawals', []);
});
afterEach(() => vi.useRealTimers());

describe('a withdrawal', () => {
  /** Opens a withdrawal. Each read returns the next entry of `states`. For null, the read fails. */
  async function shown(states: (Partial<Withdrawal> | null)[]) {
    holdClock();
    const first = makeWithdrawal(states[0] ?? {});
    let reads = 0;
    server.use(
      http.get('/api/withdrawals', () => HttpResponse.json([first])),
      http.get('/api/withdrawals/w-1', () => {
        const state = states[Math.min(reads, states.length - 1)];
        reads += 1;
        return state ? HttpResponse.json(makeWithdrawal(state)) : problem(503, 'unavailable', 'x');
      }),
    );
    renderApp(<WithdrawalsCard />, '/account');
    const details = await screen.findByRole('button', { name: /^Details of the withdrawal of 1,000 Sats/ });
    await act(async () => details.click());
    await screen.findByRole('dialog');

    /** Lets time pass until the page has read this often. It reads again 3 seconds after each answer, and answers take different times. */
    async function passUntilReads(count: number) {
      while (reads < count) await pass(1_000);
    }

    return { reads: () => reads, passUntilReads };
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it('is asked after until it is paid, with its fee, what comes back, and the proof', async () => {
    const paid = {
      status: 'paid',
      fee: 3,
      preimage: 'cd'.repeat(32),
      endedAt: new Date().toISOString(),
    } as const;
    const { reads, passUntilReads } = await shown([{ status: 'held' }, { status: 'sending' }, paid]);
    expect(await dialog().findByText('HELD')).toBeVisible();
    await passUntilReads(2);
    await waitFor(() => expect(dialog().getByText('BEING SENT')).toBeVisible());
    expect(dialog().getByText(/You can close this/)).toBeVisible();
    await passUntilReads(3);
    await waitFor(() => expect(dialog().getByText('PAID')).toBeVisible());
    const facts = dialog().getByText('Payment hash').closest('dl');
    expect(facts).toHaveTextContent('Routing fee3 Sats7 Sats back to your balance');
    expect(dialog().getByLabelText('Proof of payment')).toHaveValue(paid.preimage);
    const before = reads();
    await pass(10_000);
    expect(reads()).toBeLessThanOrEqual(before + 1);
  });

  it('is asked after again where an answer failed, for as long as answers fail', async () => {
    const { passUntilReads } = await shown([{ status: 'sending' }, null, null, { status: 'paid' }]);
    expect(await dialog().findByText('BEING SENT')).toBeVisible();
    await passUntilReads(3);
    expect(dialog().getByText('BEING SENT')).toBeVisible();
    await passUntilReads(4);
    expect(await dialog().findByText('PAID')).toBeVisible();
  });

  it('says that it came back, and why', async () => {
    const { passUntilReads } = await shown([
      { status: 'sending' },
      { status: 'refunded', refundReason: 'No route was found.' },
    ]);
    await passUntilReads(2);
    expect(await dialog().findByText('REFUNDED')).toBeVisible();
    expect(dialog().getByText(/Everything that was held is back in your balance/)).toBeVisible();
    expect(dialog().getByText('Why: No route was found.')).toBeVisible();
    expect(dialog().queryByText('Routing fee')).not.toBeInTheDocument();
  });

  it('says when it waits for the provider, and claims nothing', async () => {
    await shown([{ status: 'sending' }]);
    expect(await dialog().findByText(/stay held until the provider says for certain/)).toBeVisible();
    await pass(20_100);
    await waitFor(() => expect(dialog().getByText(/has not confirmed this payment yet/)).toBeVisible());
  });

  it('says that somebody looks into it where it is in doubt', async () => {
    await shown([{ status: 'sending', isInDoubt: true }]);
    expect(await dialog().findByText(/a person is looking into it/)).toBeVisible();
    expect(dialog().getByText('UNDER REVIEW')).toBeVisible();
  });
});

describe('the list of withdrawals', () => {
  it('says that there are none', async () => {
    renderApp(<WithdrawalsCard />, '/account');
    expect(await screen.findByText('No withdrawals yet.')).toBeVisible();
  });

  it('can be loaded again', async () => {
    server.use(http.get('/api/withdrawals', () => problem(503, 'unavailable', 'x')));
    const { user } = renderApp(<WithdrawalsCard />, '/account');
    expect(await screen.findByText('Your withdrawals could not be loaded.')).toBeVisible();
    onGet('/api/withdrawals', [makeWithdrawal({ status: 'paid' })]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('PAID')).toBeVisible();
  });

  it('goes on to older ones', async () => {
    server.use(
      http.get('/api/withdrawals', ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json([makeWithdrawal({ id: 'w-0', amount: 222, status: 'refunded' })])
          : HttpResponse.json([makeWithdrawal({ lightningAddress: 'ada@wallet.example' })], {
              headers: { Link: '</api/withdrawals?cursor=c>; rel="next"' },
            }),
      ),
    );
    const { user } = renderApp(<WithdrawalsCard />, '/account');
    expect(await screen.findByText('ada@wallet.example')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show older withdrawals' }));
    expect(await screen.findByText('REFUNDED')).toBeVisible();
  });
});
