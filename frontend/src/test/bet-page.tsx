import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import type { Bet, BetAction } from '../api/types';
import BetPage from '../pages/BetPage';
import { user } from './fixtures';
import { renderApp } from './render';
import { onGet, problem, server } from './server';

export const mine = {
  creatorId: user.id,
  creator: { username: 'me', email: 'me@example.com' },
  actions: [] as BetAction[],
};
export const takenByMe = { acceptorId: user.id, acceptor: { username: 'me', email: 'me@example.com' } };
export const takenByBob = { acceptorId: 'u-bob', acceptor: { username: 'bob', email: 'b•••@example.com' } };

/** Opens the page of a bet. */
export function openBetPage(bet: Bet, options: { signedIn?: boolean; path?: string; status?: number } = {}) {
  const { signedIn = true, path = `/bet/${bet.id}`, status = 200 } = options;
  server.use(
    http.get('/api/auth/user', () =>
      signedIn ? HttpResponse.json(user) : problem(401, 'unauthorized', 'x'),
    ),
  );
  server.use(
    http.get('/api/bets/:key', () =>
      status === 200 ? HttpResponse.json(bet) : problem(status, 'x', 'It broke.'),
    ),
  );
  onGet('/api/bets/:key/timeline', {
    events: [{ at: bet.createdAt, event: 'created', by: 'creator', detail: null }],
    next: bet.next,
  });
  return renderApp(
    <Routes>
      <Route path="/bet/:id" element={<BetPage />} />
      <Route path="*" element={null} />
    </Routes>,
    path,
  );
}
