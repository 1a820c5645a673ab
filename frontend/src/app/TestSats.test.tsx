import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { BigSlip } from '../features/bets/components/BigSlip';
import { makeBet, user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, problem, server } from '../test/server';
import { Shell } from './Shell';

const NOTE = 'Sats here are test sats: not real Bitcoin, no value.';
const inSats = makeBet({ currencyType: 'sats' });

function site(isTestMode: boolean, signedIn: boolean) {
  onGet('/api/config', { isTestMode, withdrawalsPaused: false });
  server.use(
    http.get('/api/auth/user', () =>
      signedIn ? HttpResponse.json(user) : problem(401, 'unauthorized', 'Please sign in.'),
    ),
  );
  onGet('/api/notifications', []);
}

it('a page of a member says once that its sats are test sats', async () => {
  site(true, true);
  renderApp(
    <Shell>
      <BigSlip bet={inSats} user={user} />
    </Shell>,
  );
  expect(await screen.findAllByText(NOTE)).toHaveLength(1);
  expect(screen.getAllByText('Sats').length).toBeGreaterThan(1);
});

it('a visitor reads it at a bet in sats, and only there', async () => {
  site(true, false);
  const view = renderApp(<BigSlip bet={inSats} user={null} />);
  expect(await screen.findByText(NOTE)).toBeVisible();
  view.unmount();
  renderApp(<BigSlip bet={makeBet()} user={null} />);
  expect(screen.getAllByText(/Bolts/).length).toBeGreaterThan(0);
  expect(screen.queryByText(NOTE)).toBeNull();
});

it('real sats are called neither', async () => {
  site(false, true);
  renderApp(<Shell>The page</Shell>);
  expect(await screen.findByTestId('sats-balance')).toBeVisible();
  expect(screen.queryByText(NOTE)).toBeNull();
});
