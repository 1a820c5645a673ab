import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bet } from '../../api/types';
import PortfolioPage from '../../pages/PortfolioPage';
import { makeBet, stats, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

// jsdom has no canvas, so these tests replace the chart. The browser tests draw the real chart.
vi.mock('./components/CurveChart', () => ({
  default: ({ label }: { label: string }) => <div role="img" aria-label={label} />,
}));

const mine = { creatorId: user.id, creator: { username: 'me', email: 'me@example.com' } };
const taken = { acceptorId: 'u-bob', acceptor: { username: 'bob', email: 'b•••@example.com' } };
const active = makeBet({ ...mine, id: 'open', title: 'Still open', actions: ['delete'] });
const history = [
  makeBet({
    ...mine,
    ...taken,
    id: 'w',
    title: 'I won',
    status: 'resolved',
    winnerId: user.id,
    winningOption: 'A',
  }),
  makeBet({
    ...mine,
    ...taken,
    id: 'l',
    title: 'I lost',
    status: 'resolved',
    winnerId: 'u-bob',
    winningOption: 'B',
  }),
  makeBet({
    ...mine,
    ...taken,
    id: 'v',
    title: 'Came to nothing',
    status: 'cancelled',
    cancelReason: 'void',
  }),
];

beforeEach(() => {
  onGet('/api/auth/user', user);
  onGet('/api/users/stats', stats);
});

describe('Your turn', () => {
  const waiting = makeBet({
    ...mine,
    ...taken,
    id: 'turn',
    title: 'Settle me',
    status: 'awaiting_resolution',
    proposalId: 'p-1',
    proposedBy: 'u-bob',
    proposedWinningOption: 'B',
    waitsFor: ['creator'],
    turn: 'answer',
    next: { event: 'stand', at: new Date(Date.now() + 50.5 * 3600 * 1000).toISOString() },
    actions: ['accept_proposal', 'reject_proposal', 'dispute'],
  });

  function answerLists(turns: Bet[]) {
    server.use(
      http.get('/api/bets/my', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.get('turn') === 'mine' ? turns : []),
      ),
    );
  }

  it('begins the page, with what is asked, the time that is left, and the action', async () => {
    onGet('/api/bets/turn-count', { turnCount: 1 });
    answerLists([waiting]);
    renderApp(<PortfolioPage />);
    const list = await screen.findByRole('list', { name: 'Your turn' });
    const card = within(list).getByRole('article');
    expect(card).toHaveTextContent(/2 days \d+ h left/);
    expect(card).toHaveTextContent('accept or reject the outcome “It stays dry”.');
    expect(card).toHaveTextContent('Otherwise the outcome stands and you lose your stake of 200 Bolts.');
    const action = within(card).getByRole('link', { name: 'Answer “Settle me”' });
    expect(action).toHaveAttribute('href', '/bet/turn');
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(titles[0]).toBe('Your turn');
    expect(screen.queryByText(/^and .* more$/)).toBeNull();
  });

  it('gives an invitation to be the arbiter no deadline', async () => {
    onGet('/api/bets/turn-count', { turnCount: 1 });
    answerLists([{ ...waiting, turn: 'answer_invitation' }]);
    renderApp(<PortfolioPage />);
    const card = within(await screen.findByRole('list', { name: 'Your turn' })).getByRole('article');
    expect(card).toHaveTextContent(/Otherwise an admin rules on a dispute\.Answer/);
    expect(card).not.toHaveTextContent('left');
  });

  it('sends an admin to the disputes', async () => {
    onGet('/api/bets/turn-count', { turnCount: 1 });
    const next = { event: 'dispute_lapse', at: '2099-01-01T00:00:00Z' } as const;
    const disputed = { proposedWinningOption: null, disputedAt: '2026-03-01T00:00:00Z' };
    answerLists([{ ...waiting, ...disputed, next, waitsFor: ['admin'], turn: 'rule' }]);
    renderApp(<PortfolioPage />);
    const action = await screen.findByRole('link', { name: 'Rule “Settle me”' });
    expect(action).toHaveAttribute('href', '/admin');
  });

  it('shows up to a hundred bets, and says how many more wait', async () => {
    onGet('/api/bets/turn-count', { turnCount: 1_107 });
    const limits = new Set<string | null>();
    server.use(
      http.get('/api/bets/my', ({ request }) => {
        const query = new URL(request.url).searchParams;
        if (query.get('turn') !== 'mine') return HttpResponse.json([]);
        limits.add(query.get('limit'));
        return HttpResponse.json(Array.from({ length: 100 }, (_, id) => ({ ...waiting, id: `turn-${id}` })));
      }),
    );
    renderApp(<PortfolioPage />);
    expect(await screen.findByText('and 1,007 more')).toBeVisible();
    expect(limits).toEqual(new Set(['100']));
  });

  it('is absent while no bet waits', async () => {
    answerLists([]);
    renderApp(<PortfolioPage />);
    expect(await screen.findByText('No active bets')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Your turn' })).not.toBeInTheDocument();
  });

  it('says so if the bets cannot be loaded', async () => {
    onGet('/api/bets/turn-count', { turnCount: 1 });
    server.use(
      http.get('/api/bets/my', ({ request }) =>
        new URL(request.url).searchParams.has('turn')
          ? problem(503, 'unavailable', 'Try again in a moment.')
          : HttpResponse.json([]),
      ),
    );
    renderApp(<PortfolioPage />);
    expect(await screen.findByText('The bets that wait for you could not be loaded.')).toBeVisible();
  });
});

it('shows performance per currency and overall', async () => {
  onGet('/api/bets/my', []);
  renderApp(<PortfolioPage />);
  const bolts = await screen.findByRole('region', { name: 'Bolts Performance' });
  expect(bolts).toHaveTextContent('Net Bolts+300 Bolts');
  expect(bolts).toHaveTextContent('Wins2Losses1Total bets5Active bets1');
  const sats = screen.getByRole('region', { name: 'Sats Performance' });
  expect(sats).toHaveTextContent('Net Sats0 SatsWins0Losses0Total bets0Active bets0');
  const overall = screen.getByRole('region', { name: 'Overall Stats' });
  expect(overall).toHaveTextContent('Win rate67%Total bets5Active bets1');
  expect(overall).toHaveTextContent('Best win+200 BoltsBiggest loss−100 Bolts');
  expect(await screen.findByText('No active bets')).toBeVisible();
  expect(screen.getByText('No completed bets yet')).toBeVisible();
});

it('parts active bets from history, where void ones move nothing', async () => {
  onGet('/api/bets/my', [active, ...history]);
  renderApp(<PortfolioPage />);
  const grid = await screen.findByRole('list', { name: 'Active Bets' });
  expect(within(grid).getByRole('link', { name: 'Still open' })).toHaveAttribute('href', '/bet/open');
  const rows = within(screen.getByRole('table', { name: 'Bet History' }))
    .getAllByRole('row')
    .slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/I won.*200 Bolts.*Won.*\+200 Bolts/),
    expect.stringMatching(/I lost.*200 Bolts.*Lost.*−200 Bolts/),
    expect.stringMatching(/Came to nothing.*200 Bolts.*Void.*0 Bolts/),
  ]);
});

it('lists the history by the date that it shows, latest first', async () => {
  const [won, lost, gone] = [
    { ...history[0], settledAt: '2026-02-01T00:00:00Z' },
    { ...history[1], settledAt: '2026-02-03T00:00:00Z' },
    { ...history[2], settledAt: null, updatedAt: '2026-02-02T00:00:00Z' },
  ];
  onGet('/api/bets/my', [won, lost, gone] as Bet[]);
  renderApp(<PortfolioPage />);
  const table = await screen.findByRole('table', { name: 'Bet History' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/I lost.*Feb [23], 2026$/),
    expect.stringMatching(/Came to nothing.*Feb [12], 2026$/),
    expect.stringMatching(/I won.*(Feb 1|Jan 31), 2026$/),
  ]);
});

it('deletes an open bet after asking', async () => {
  let list = [active];
  server.use(http.get('/api/bets/my', () => HttpResponse.json(list)));
  const deleted = onWrite('delete', '/api/bets/open', () => {
    list = [];
    return HttpResponse.json({ ok: true });
  });
  const view = renderApp(<PortfolioPage />);
  await view.user.click(await screen.findByRole('button', { name: 'Delete Bet' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent(
    'Are you sure you want to delete this bet? This action cannot be undone and you will be refunded your stake.',
  );
  expect(deleted).toEqual([]);
  await view.user.click(within(dialog).getByRole('button', { name: 'Delete Bet' }));
  expect(
    await screen.findByText('Your bet has been deleted and your stake has been refunded.'),
  ).toBeVisible();
  expect(await screen.findByText('No active bets')).toBeVisible();
});

it('goes on to further pages until every active bet is shown', async () => {
  server.use(
    http.get('/api/bets/my', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([active])
        : HttpResponse.json(history, { headers: { Link: '</api/bets/my?limit=100&cursor=c>; rel="next"' } }),
    ),
  );
  renderApp(<PortfolioPage />);
  expect(await screen.findByRole('link', { name: 'Still open' })).toBeVisible();
});

it('says so and leads to the sign-in when the session has ended', async () => {
  server.use(http.get('/api/bets/my', () => problem(401, 'unauthorized', 'Sign in.')));
  renderApp(<PortfolioPage />, '/portfolio');
  expect(await screen.findByText('You are logged out. Logging in again...')).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fportfolio'));
});

it('tells when the bets cannot be loaded', async () => {
  server.use(http.get('/api/bets/my', () => problem(500, 'internal', 'Something failed.')));
  renderApp(<PortfolioPage />);
  expect(await screen.findByText('Your bets could not be loaded')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

it('draws how the net came about, and has the same figures as a table', async () => {
  const [won, lost] = [
    { ...history[0], settledAt: '2026-02-02T00:00:00Z' },
    { ...history[1], settledAt: '2026-02-01T00:00:00Z' },
  ];
  onGet('/api/bets/my', [active, won, lost, history[2]] as Bet[]);
  const view = renderApp(<PortfolioPage />);
  expect(await screen.findByRole('img', { name: /^Net Bolts over time/ })).toBeVisible();
  expect(screen.queryByRole('img', { name: /Net Sats/ })).not.toBeInTheDocument();
  await view.user.click(screen.getByText('Show the figures as a table'));
  const rows = within(screen.getByRole('table', { name: 'Net Bolts over time' })).getAllByRole('row');
  // The net result of all bets is +300. These two bets add up to 0, so the net before them is also +300.
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/Feb 1, 2026.*I lost.*−200 Bolts\+100 Bolts/),
    expect.stringMatching(/Feb 2, 2026.*I won.*\+200 Bolts\+300 Bolts/),
  ]);
});

it('looks for hidden active bets no further than the page that failed', async () => {
  onGet('/api/users/stats', { ...stats, activeBets: 2 });
  const asked: string[] = [];
  server.use(
    http.get('/api/bets/my', ({ request }) => {
      asked.push(request.url);
      return request.url.includes('cursor')
        ? problem(500, 'internal', 'It broke.')
        : HttpResponse.json([active], { headers: { Link: '</api/bets/my?cursor=c>; rel="next"' } });
    }),
  );
  renderApp(<PortfolioPage />);
  expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked.filter((url) => url.includes('cursor'))).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Show older bets' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
