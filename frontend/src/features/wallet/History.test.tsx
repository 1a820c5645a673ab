import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { Movement } from '../../api/types';
import { user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, problem, server } from '../../test/server';
import { BalancesCard } from '../account/components/OverviewCards';
import { HistoryCard } from './components/HistoryCard';

function makeMovement(change: Partial<Movement>): Movement {
  return {
    id: '1',
    at: '2026-03-01T12:00:00Z',
    kind: 'deposit',
    currency: 'sats',
    amount: 1000,
    betId: null,
    betTitle: null,
    depositId: 'd-1',
    withdrawalId: null,
    ...change,
  };
}

const rows = async () => (await screen.findAllByRole('listitem')).map((row) => row.textContent);

it('shows every movement with its sign, its words and its bet', async () => {
  onGet('/api/wallet/history', [
    makeMovement({ id: '5', kind: 'hold', amount: -1010 }),
    makeMovement({ id: '4' }),
    makeMovement({ id: '3', kind: 'payout', currency: 'bolts', amount: 400, betId: 'b-1', betTitle: 'Snow' }),
    makeMovement({ id: '2', kind: 'stake', currency: 'bolts', amount: -200, betTitle: 'Deleted one' }),
    makeMovement({ id: '1', kind: 'sign_up_grant', currency: 'bolts', amount: 1000 }),
  ]);
  renderApp(<HistoryCard />);
  expect(await rows()).toEqual([
    expect.stringMatching(/^OutHeld for a withdrawalMar 1, 2026.*−1,010 Sats$/),
    expect.stringMatching(/^InLightning deposit.*\+1,000 Sats$/),
    expect.stringMatching(/^InBet won.*Snow\+400 Bolts$/),
    expect.stringMatching(/^OutStake.*Deleted one−200 Bolts$/),
    expect.stringMatching(/^InWelcome gift.*\+1,000 Bolts$/),
  ]);
  expect(screen.getByRole('link', { name: 'Snow' })).toHaveAttribute('href', '/bet/b-1');
  expect(screen.queryByRole('link', { name: 'Deleted one' })).not.toBeInTheDocument();
  const csv = screen.getByRole('link', { name: 'Download CSV' });
  expect(csv).toHaveAttribute('href', '/api/wallet/history.csv');
  expect(csv).toHaveAttribute('download');
});

it('goes on to older movements', async () => {
  server.use(
    http.get('/api/wallet/history', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([makeMovement({ id: '1', kind: 'reward', currency: 'bolts', amount: 100 })])
        : HttpResponse.json([makeMovement({ id: '2' })], {
            headers: { Link: '</api/wallet/history?cursor=c>; rel="next"' },
          }),
    ),
  );
  const { user } = renderApp(<HistoryCard />);
  await user.click(await screen.findByRole('button', { name: 'Show older movements' }));
  expect(await screen.findByText('Achievement reward')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show older movements' })).not.toBeInTheDocument();
});

it('says that nothing has moved', async () => {
  onGet('/api/wallet/history', []);
  renderApp(<HistoryCard />);
  expect(await screen.findByText('Nothing here yet')).toBeVisible();
});

it('can be loaded again', async () => {
  server.use(http.get('/api/wallet/history', () => problem(503, 'unavailable', 'In a moment.')));
  const { user } = renderApp(<HistoryCard />);
  expect(await screen.findByText('Your history could not be loaded')).toBeVisible();
  onGet('/api/wallet/history', [makeMovement({})]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Lightning deposit')).toBeVisible();
});

it.each([true, false])('says of sats whether they are a test: %s', async (isTestMode) => {
  onGet('/api/config', { isTestMode, withdrawalsPaused: false });
  onGet('/api/auth/user', me);
  onGet('/api/wallet/history', [makeMovement({}), makeMovement({ id: '0', currency: 'bolts' })]);
  renderApp(
    <>
      <BalancesCard user={me} />
      <HistoryCard />
    </>,
  );
  const [sats, bolts] = await screen.findAllByRole('listitem');
  const card = within(screen.getByRole('region', { name: 'Sats Balance' }));
  if (isTestMode) {
    expect(await card.findByText('Value if these were real sats.')).toBeVisible();
  } else {
    expect(await card.findByText('Real Bitcoin • Lightning Network ready')).toBeVisible();
  }
  expect(sats).toHaveTextContent('+1,000 Sats');
  expect(bolts).toHaveTextContent('+1,000 Bolts');
});
