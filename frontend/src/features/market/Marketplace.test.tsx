import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Bet } from '../../api/types';
import MarketplacePage from '../../pages/MarketplacePage';
import { makeBet, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

let asked: string[];

/** An IntersectionObserver that reports every element as visible, as if the whole page fitted on the screen. */
class AlwaysInView {
  private readonly tell: (entries: { isIntersecting: boolean }[]) => void;
  constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
    this.tell = tell;
  }
  observe() {
    queueMicrotask(() => this.tell([{ isIntersecting: true }]));
  }
  disconnect() {}
}

function listing(answer: (query: URLSearchParams) => Response) {
  server.use(
    http.get('/api/bets/public', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      return answer(searchParams);
    }),
  );
}

beforeEach(() => {
  asked = [];
  onGet('/api/auth/user', user);
  onGet('/api/bets/stats', { activeBets: 3, boltsVolume: 1600, satsVolume: 450, totalBetsCount: 1234 });
});

afterEach(() => vi.unstubAllGlobals());

it('lists active bets, newest first, with titles that link to them', async () => {
  listing(() => HttpResponse.json([makeBet()]));
  renderApp(<MarketplacePage />);
  expect(await screen.findByRole('link', { name: 'Snow on Christmas Day' })).toHaveAttribute(
    'href',
    '/bet/bet-1',
  );
  expect(asked).toEqual(['status=active']);
  expect(screen.getByText('1,234')).toBeVisible();
  expect(screen.getByText('2K')).toBeVisible();
  expect(screen.getByText('450')).toBeVisible();
});

it('keeps its filters in the address and reads them from there', async () => {
  listing(() => HttpResponse.json([]));
  const view = renderApp(<MarketplacePage />, '/marketplace?category=Weather&sort=nonsense');
  await screen.findByText('No bets found');
  expect(asked).toEqual(['category=Weather&status=active']);
  await view.user.selectOptions(screen.getByLabelText('Status'), 'All Statuses');
  await view.user.selectOptions(screen.getByLabelText('Sort by'), 'Stake (Highest)');
  await view.user.type(screen.getByLabelText('Search bets'), 'snow');
  await waitFor(() =>
    expect(screen.getByTestId('address')).toHaveTextContent(
      '/marketplace?q=snow&category=Weather&status=all&sort=stake_desc',
    ),
  );
  await waitFor(() => expect(asked.at(-1)).toBe('category=Weather&q=snow&sort=stake_desc'));
});

it('lists bets in one currency, and those that end soon', async () => {
  listing(() => HttpResponse.json([]));
  const view = renderApp(<MarketplacePage />, '/marketplace?currency=dollars');
  await screen.findByText('No bets found');
  await view.user.selectOptions(screen.getByLabelText('Currency'), 'Sats');
  await view.user.selectOptions(screen.getByLabelText('Sort by'), 'Ending soon');
  await waitFor(() =>
    expect(screen.getByTestId('address')).toHaveTextContent('/marketplace?currency=sats&sort=ending_soon'),
  );
  await waitFor(() => expect(asked.at(-1)).toBe('currency=sats&sort=ending_soon&status=active'));
  expect(asked[0]).toBe('status=active');
});

it('folds the filters behind a button that counts those that are set', async () => {
  listing(() => HttpResponse.json([makeBet()]));
  const view = renderApp(<MarketplacePage />, '/marketplace?category=Weather&sort=oldest&q=snow');
  const toggle = screen.getByRole('button', { name: 'Filters, 2 set' });
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await view.user.click(toggle);
  expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await view.user.selectOptions(screen.getByLabelText('Category'), 'All Categories');
  await view.user.selectOptions(screen.getByLabelText('Sort by'), 'Date Posted (Newest)');
  expect(await screen.findByRole('button', { name: 'Filters' })).toBeVisible();
});

it('shows on a card the time left, the category and a dispute', async () => {
  const soon = new Date(Date.now() + 3 * 3_600_000 + 30 * 60_000).toISOString();
  listing(() =>
    HttpResponse.json([
      makeBet({ expiresAt: soon }),
      makeBet({ id: 'bet-2', status: 'awaiting_resolution', disputedAt: '2026-01-03T00:00:00Z' }),
    ]),
  );
  renderApp(<MarketplacePage />, '/marketplace?status=all');
  const [open, disputed] = await screen.findAllByRole('article');
  expect(open).toHaveTextContent('Ends in 3 h');
  expect(open).toHaveTextContent('Weather · by ada');
  expect(open).not.toHaveTextContent('DISPUTED');
  expect(disputed).toHaveTextContent('DISPUTED');
  expect(disputed).not.toHaveTextContent('Ends in');
});

it('keeps what was found, and the focus in it, while it searches', async () => {
  let answer: (response: Response) => void = () => undefined;
  server.use(
    http.get('/api/bets/public', ({ request }) =>
      new URL(request.url).searchParams.has('q')
        ? new Promise<Response>((resolve) => {
            answer = resolve;
          })
        : HttpResponse.json([makeBet(), makeBet({ id: 'bet-2', title: 'Rain on Monday' })]),
    ),
  );
  const view = renderApp(<MarketplacePage />);
  const link = await screen.findByRole('link', { name: 'Snow on Christmas Day' });
  await view.user.type(screen.getByLabelText('Search bets'), 'snow');
  link.focus();
  await waitFor(() =>
    expect(screen.getByRole('list', { name: 'Bets' })).toHaveAttribute('aria-busy', 'true'),
  );
  answer(HttpResponse.json([makeBet()]));
  await waitFor(() => expect(screen.queryByText('Rain on Monday')).not.toBeInTheDocument());
  expect(link).toHaveFocus();
  expect(screen.getByRole('list', { name: 'Bets' })).toHaveAttribute('aria-busy', 'false');
});

it('searches as the field is left, before a link that was followed changes the address', async () => {
  listing(() => HttpResponse.json([makeBet()]));
  const view = renderApp(<MarketplacePage />, '/marketplace');
  await screen.findByRole('link', { name: 'Snow on Christmas Day' });
  await view.user.type(screen.getByLabelText('Search bets'), 'snow');
  await view.user.tab();
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/marketplace?q=snow'));
});

it('shows why a search failed instead of what was found before', async () => {
  listing((query) =>
    query.has('q') ? problem(500, 'internal', 'Something went wrong.') : HttpResponse.json([makeBet()]),
  );
  const view = renderApp(<MarketplacePage />);
  await screen.findByRole('link', { name: 'Snow on Christmas Day' });
  await view.user.type(screen.getByLabelText('Search bets'), 'snow');
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Snow on Christmas Day' })).not.toBeInTheDocument();
});

it('claims no first bet where there were others that are not active any more', async () => {
  listing(() => HttpResponse.json([]));
  renderApp(<MarketplacePage />, '/marketplace');
  expect(await screen.findByText('Try adjusting your filters to see more bets.')).toBeVisible();
  expect(screen.queryByText('Be the first to create a public bet!')).not.toBeInTheDocument();
});

it('claims no first bet while it is not known whether there were others', async () => {
  listing(() => HttpResponse.json([]));
  server.use(http.get('/api/bets/stats', () => problem(503, 'unavailable', 'x')));
  renderApp(<MarketplacePage />, '/marketplace');
  expect(await screen.findByText('Try adjusting your filters to see more bets.')).toBeVisible();
  expect(screen.queryByText('Be the first to create a public bet!')).not.toBeInTheDocument();
});

it('tells an empty market from filters that match nothing', async () => {
  onGet('/api/bets/stats', { activeBets: 0, boltsVolume: 0, satsVolume: 0, totalBetsCount: 0 });
  listing(() => HttpResponse.json([]));
  const view = renderApp(<MarketplacePage />, '/marketplace?q=nothing');
  await view.user.click(await screen.findByRole('button', { name: 'Clear Filters' }));
  expect(await screen.findByText('Be the first to create a public bet!')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Create First Bet' })).toHaveAttribute('href', '/create');
});

it('follows the Link header to the next page', async () => {
  listing((query) =>
    query.has('cursor')
      ? HttpResponse.json([makeBet({ id: 'bet-2', title: 'On page two' })])
      : HttpResponse.json([makeBet()], {
          headers: { Link: '</api/bets/public?status=active&cursor=c>; rel="next"' },
        }),
  );
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: 'Show more bets' }));
  expect(await screen.findByRole('link', { name: 'On page two' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more bets' })).not.toBeInTheDocument();
});

it('says that a further page failed and asks for it again by hand alone', async () => {
  let works = false;
  listing((query) => {
    if (!query.has('cursor')) {
      return HttpResponse.json([makeBet()], {
        headers: { Link: '</api/bets/public?status=active&cursor=c>; rel="next"' },
      });
    }
    return works
      ? HttpResponse.json([makeBet({ id: 'bet-2', title: 'On page two' })])
      : problem(500, 'internal', 'It broke.');
  });
  vi.stubGlobal('IntersectionObserver', AlwaysInView);
  const view = renderApp(<MarketplacePage />);
  expect(await screen.findByRole('alert')).toHaveTextContent('The next ones could not be loaded. It broke.');
  expect(screen.getByRole('link', { name: 'Snow on Christmas Day' })).toBeVisible();
  const further = () => asked.filter((query) => query.includes('cursor'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(further()).toHaveLength(1);
  await view.user.click(screen.getByRole('button', { name: 'Show more bets' }));
  await waitFor(() => expect(further()).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole('alert')).toBeVisible());
  works = true;
  await view.user.click(await screen.findByRole('button', { name: 'Show more bets' }));
  expect(await screen.findByRole('link', { name: 'On page two' })).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('says what is at stake before a bet is taken, and takes the other side', async () => {
  listing(() => HttpResponse.json([makeBet({ resolutionMethod: 'Manual Verification' })]));
  const sent = onWrite('post', '/api/bets/accept', () => HttpResponse.json(makeBet({ status: 'accepted' })));
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: /^Take this side/ }));
  const dialog = screen.getByRole('dialog');
  expect(dialog).toHaveTextContent('You stake 200 Bolts · You get 400 · profit 200');
  expect(dialog).toHaveTextContent('There is no appeal.');
  expect(sent).toEqual([]);
  await view.user.click(within(dialog).getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('Bet accepted successfully!')).toBeVisible();
  expect(sent).toEqual([{ betId: 'bet-1', chosenOption: 'B' }]);
});

it('shows why a bet could not be taken', async () => {
  listing(() => HttpResponse.json([makeBet()]));
  onWrite('post', '/api/bets/accept', () => problem(409, 'bet_expired', 'This bet has expired.'));
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: /^Take this side/ }));
  await view.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('This bet has expired.')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('offers a bet no longer that someone else took, and reads its list once for that', async () => {
  let status: Bet['status'] = 'pending';
  listing(() => HttpResponse.json([makeBet({ status, actions: status === 'pending' ? ['accept'] : [] })]));
  onWrite('post', '/api/bets/accept', () => {
    status = 'accepted';
    return problem(409, 'bet_not_pending', 'This bet is no longer open.');
  });
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: /^Take this side/ }));
  await view.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('LIVE')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(await screen.findByText('This bet is no longer open.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Take this side/ })).not.toBeInTheDocument();
  expect(asked).toHaveLength(2);
});

it('keeps the dialog where the same press may succeed later', async () => {
  listing(() => HttpResponse.json([makeBet()]));
  onWrite('post', '/api/bets/accept', () => problem(503, 'unavailable', 'Try again in a moment.'));
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: /^Take this side/ }));
  const dialog = within(screen.getByRole('dialog'));
  await view.user.click(dialog.getByRole('button', { name: 'Take This Bet' }));
  expect(await dialog.findByText('Try again in a moment.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Take This Bet' })).toBeVisible();
});

it('closes no other bet’s dialog when a bet is taken whose dialog was closed meanwhile', async () => {
  listing(() => HttpResponse.json([makeBet(), makeBet({ id: 'bet-2', title: 'Rain on Monday' })]));
  const answers: ((response: Response) => void)[] = [];
  server.use(http.post('/api/bets/accept', () => new Promise<Response>((resolve) => answers.push(resolve))));
  const view = renderApp(<MarketplacePage />);
  const [first, second] = await screen.findAllByRole('button', { name: /^Take this side/ });
  const dialog = () => within(screen.getByRole('dialog'));
  await view.user.click(first as HTMLElement);
  await view.user.click(dialog().getByRole('button', { name: 'Take This Bet' }));
  await view.user.click(dialog().getByRole('button', { name: 'Cancel' }));
  await view.user.click(second as HTMLElement);
  await waitFor(() => expect(dialog().getByText('Rain on Monday')).toBeVisible());
  expect(dialog().getByRole('button', { name: 'Take This Bet' })).toBeVisible();
  answers[0]?.(HttpResponse.json(makeBet({ status: 'accepted' })));
  expect(await screen.findByText('Bet accepted successfully!')).toBeVisible();
  expect(dialog().getByText('Rain on Monday')).toBeVisible();
  await view.user.click(dialog().getByRole('button', { name: 'Take This Bet' }));
  await waitFor(() => expect(answers).toHaveLength(2));
});

it('reads its list once after a bet was taken', async () => {
  let status: Bet['status'] = 'pending';
  listing(() => HttpResponse.json([makeBet({ status, actions: status === 'pending' ? ['accept'] : [] })]));
  onWrite('post', '/api/bets/accept', () => {
    status = 'accepted';
    return HttpResponse.json(makeBet({ status, actions: [] }));
  });
  const view = renderApp(<MarketplacePage />);
  await view.user.click(await screen.findByRole('button', { name: /^Take this side/ }));
  await view.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('LIVE')).toBeVisible();
  expect(asked).toHaveLength(2);
});

it('offers no taking of own bets', async () => {
  listing(() => HttpResponse.json([makeBet({ creatorId: user.id, actions: ['delete'] })]));
  renderApp(<MarketplacePage />);
  await screen.findByRole('link', { name: 'Snow on Christmas Day' });
  expect(screen.queryByRole('button', { name: /^Take this side/ })).not.toBeInTheDocument();
});

it('warns of Manual Verification on the card', async () => {
  onGet('/api/bets/public', [makeBet({ resolutionMethod: 'Manual Verification' })]);
  renderApp(<MarketplacePage />, '/marketplace');
  const card = await screen.findByRole('article');
  expect(card).toHaveTextContent('Manual Verification');
  expect(card).toHaveTextContent(
    'The creator alone may end this bet and declare the outcome at any time; you can declare only after it expires. There is no appeal.',
  );
});
