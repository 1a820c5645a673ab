import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import SharePage from '../../pages/SharePage';
import { makeBet } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, problem, server } from '../../test/server';

const bet = makeBet({
  isPrivate: true,
  isPublic: false,
  shareToken: 'tok',
  description: 'The airport’s station decides.',
  resolutionMethod: 'Manual Verification',
});

beforeEach(() => {
  server.use(http.get('/api/auth/user', () => problem(401, 'not_signed_in', 'Please sign in first.')));
});

function opened() {
  return renderApp(
    <Routes>
      <Route path="/share/:token" element={<SharePage />} />
    </Routes>,
    '/share/tok',
  );
}

it('shows a visitor the login notice, and below it the terms of the bet', async () => {
  onGet('/api/bets/tok', bet);
  opened();
  const terms = await screen.findByRole('region', { name: 'Snow on Christmas Day' });
  const notice = screen.getByRole('heading', { level: 1, name: 'Authentication Required' });
  expect(screen.getByText('You need to be logged in to view this private bet.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/auth?next=%2Fshare%2Ftok');
  expect(notice.compareDocumentPosition(terms)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  for (const words of [
    'PRIVATE BET',
    'The airport’s station decides.',
    'It snows',
    'It stays dry',
    'Weather',
  ]) {
    expect(within(terms).getAllByText(words)[0]).toBeVisible();
  }
  expect(terms).toHaveTextContent('Stake200 Bolts');
  expect(terms).toHaveTextContent(/ExpiryDec 31, 2098, \d+:00 PM|ExpiryJan 1, 2099, \d+:00 AM/);
  expect(terms).toHaveTextContent('The creator alone may end this bet');
  expect(within(terms).queryByRole('button', { name: /^Bet Option/ })).not.toBeInTheDocument();
});

it('says below the notice that a link leads to no bet', async () => {
  server.use(http.get('/api/bets/tok', () => problem(404, 'bet_not_found', 'x')));
  opened();
  expect(await screen.findByText("This bet doesn't exist or the link has expired.")).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log In' })).toBeVisible();
});

it('can ask again for terms that did not come', async () => {
  server.use(http.get('/api/bets/tok', () => problem(503, 'unavailable', 'Please try again.')));
  const { user } = opened();
  expect(await screen.findByText('Please try again.')).toBeVisible();
  server.use(http.get('/api/bets/tok', () => HttpResponse.json(bet)));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Snow on Christmas Day' })).toBeVisible());
});
