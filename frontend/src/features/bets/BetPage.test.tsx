import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bet } from '../../api/types';
import SharePage from '../../pages/SharePage';
import { mine, openBetPage, takenByBob } from '../../test/bet-page';
import { holdClock, passTimeUntil } from '../../test/clock';
import { makeBet, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'share');
});

it('is looked at every 30 seconds, with its timeline, also after a look that failed', async () => {
  holdClock();
  openBetPage(makeBet());
  await screen.findByText('Created');
  const reads: string[] = [];
  const both = ['/api/bets/bet-1', '/api/bets/bet-1/timeline'];
  // The page also reads the messages, as soon as it has loaded the code of this part.
  const failing = both.map((path) =>
    http.get(path, () => {
      reads.push(path);
      return problem(503, 'unavailable', 'x');
    }),
  );
  server.use(...failing);
  await vi.advanceTimersByTimeAsync(31_000);
  await waitFor(() => expect(reads.toSorted()).toEqual(both));
  await passTimeUntil(() => expect(reads.slice(2).toSorted()).toEqual(both));
  expect(screen.getByText('Created')).toBeVisible();
});

it('is not looked for again where there is none', async () => {
  holdClock();
  const view = openBetPage(makeBet(), { status: 404 });
  expect(await view.findByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
  let reads = 0;
  server.use(
    http.get('/api/bets/:key', () => {
      reads += 1;
      return problem(404, 'bet_not_found', 'x');
    }),
  );
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reads).toBe(0);
});

describe('an open bet', () => {
  it('can be taken with the share token of its link', async () => {
    const sent = onWrite('post', '/api/bets/accept', () => HttpResponse.json(makeBet()));
    const view = openBetPage(makeBet({ isPrivate: true }), { path: '/bet/sharetoken' });
    await view.user.click(await screen.findByRole('button', { name: 'Take This Bet' }));
    await waitFor(() =>
      expect(screen.getByText('You stake 200 Bolts · You get 400 · profit 200')).toBeVisible(),
    );
    await waitFor(() =>
      expect(sent).toEqual([{ betId: 'bet-1', chosenOption: 'B', shareToken: 'sharetoken' }]),
    );
    expect(await screen.findByText('Bet Accepted!')).toBeVisible();
  });

  it('warns of Manual Verification before it is taken', async () => {
    openBetPage(makeBet({ resolutionMethod: 'Manual Verification' }));
    expect(await screen.findByRole('button', { name: 'Take This Bet' })).toBeVisible();
    expect(
      screen.getByText(
        'The creator alone may end this bet and declare the outcome at any time; you can declare only after it expires. There is no appeal.',
      ),
    ).toBeVisible();
  });

  it('is taken by its open half, which asks first', async () => {
    const sent = onWrite('post', '/api/bets/accept', () => HttpResponse.json(makeBet()));
    const view = openBetPage(makeBet({ isPrivate: true }), { path: '/bet/sharetoken' });
    await view.user.click(await screen.findByRole('button', { name: 'Take this side: It stays dry' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText('You stake 200 Bolts · You get 400 · profit 200')).toBeVisible();
    expect(sent).toEqual([]);
    await view.user.click(dialog.getByRole('button', { name: 'Take This Bet' }));
    await waitFor(() =>
      expect(sent).toEqual([{ betId: 'bet-1', chosenOption: 'B', shareToken: 'sharetoken' }]),
    );
  });

  it('has an open half that leads visitors to the sign-in and offers its creator nothing', async () => {
    const visitor = openBetPage(makeBet(), { signedIn: false });
    expect(await screen.findByRole('link', { name: 'Take this side: It stays dry' })).toHaveAttribute(
      'href',
      '/auth?next=%2Fbet%2Fbet-1',
    );
    visitor.unmount();
    openBetPage(makeBet(mine));
    expect(await screen.findByText('Waiting for a taker')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Take this side/ })).not.toBeInTheDocument();
  });

  it.each<[string, Partial<Bet>, string, [string, string][]]>([
    [
      'Bolts',
      { stakeAmount: 5000 },
      'You need 5,000 Bolts but only have 1,000 Bolts. Missing: 4,000 Bolts.',
      [['Get more Bolts with achievements', '/achievements']],
    ],
    [
      'sats',
      { currencyType: 'sats' },
      'You need 200 Sats but only have 50 Sats. Missing: 150 Sats.',
      [
        ['Deposit sats', '/account?deposit'],
        ['practise with a bet in Bolts', '/create-bet'],
      ],
    ],
  ])('says before the click that %s are missing, and how to get them', async (_, change, words, links) => {
    const view = openBetPage(makeBet(change));
    expect(await screen.findByText(words)).toBeVisible();
    for (const [name, href] of links)
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
    expect(screen.getByRole('button', { name: 'Take This Bet' })).toBeDisabled();
    await view.user.click(screen.getByRole('button', { name: /^Take this side/ }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText(words)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Take This Bet' })).toBeDisabled();
  });

  it('asks the taker for the stake of the taker', async () => {
    openBetPage(makeBet({ stakeAmount: 5000, opponentStake: 900 }));
    expect(await screen.findByText('You stake 900 Bolts · You get 5,900 · profit 5,000')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Take This Bet' })).toBeEnabled();
    expect(screen.getByText('Pays 5,000 Bolts')).toBeVisible();
    expect(screen.getByText('Pays 900 Bolts')).toBeVisible();
  });

  it('misses the difference to the stake of the taker', async () => {
    openBetPage(makeBet({ stakeAmount: 100, opponentStake: 1001 }));
    expect(
      await screen.findByText('You need 1,001 Bolts but only have 1,000 Bolts. Missing: 1 Bolt.'),
    ).toBeVisible();
  });

  it.each<[string, Partial<Bet>, boolean]>([
    ['1,000 Bolts', { stakeAmount: 1000 }, true],
    ['1,001 Bolts', { stakeAmount: 1001 }, false],
    ['100 sats', { stakeAmount: 100, currencyType: 'sats' }, false],
  ])('promises visitors the free Bolts where they pay for it: %s', async (_, change, promised) => {
    openBetPage(makeBet(change), { signedIn: false });
    expect(await screen.findByText(/^Sign in to take this bet/)).toBeVisible();
    expect(screen.queryAllByText(/1,000 free Bolts/)).toHaveLength(promised ? 1 : 0);
  });

  it('asks the signed-out to sign in and comes back', async () => {
    openBetPage(makeBet(), { signedIn: false, path: '/bet/bet-1?token=t' });
    expect(await screen.findByRole('heading', { name: 'Login Required' })).toBeVisible();
    expect(screen.getByText(/^Sign in to take this bet/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In to Bet' })).toHaveAttribute(
      'href',
      '/auth?next=%2Fbet%2Fbet-1%3Ftoken%3Dt',
    );
    expect(screen.queryByRole('button', { name: 'Take This Bet' })).not.toBeInTheDocument();
  });

  it.each<[string, Partial<Bet>]>([
    ['expired', { expiresAt: '2026-01-02T00:00:00Z' }],
    ['live', { ...takenByBob, status: 'accepted' }],
  ])('promises the signed-out no taking of one that is %s', async (_, change) => {
    openBetPage(makeBet(change), { signedIn: false });
    expect(await screen.findByText(/^Sign in to see what you can do here/)).toBeVisible();
    expect(screen.queryByText(/Sign in to take this bet/)).not.toBeInTheDocument();
    expect(screen.queryByText(/free Bolts/)).not.toBeInTheDocument();
  });

  it('tells its creator that it waits, and gives the share link of a private one', async () => {
    openBetPage(
      makeBet({ ...mine, isPrivate: true, isPublic: false, shareToken: 'tok', actions: ['delete'] }),
    );
    expect(await screen.findByRole('heading', { name: 'Your Bet' })).toBeVisible();
    expect(screen.getByText('YOUR PICK')).toBeVisible();
    expect(screen.getByLabelText('Share link')).toHaveValue('http://bolts.test/share/tok');
    expect(screen.queryByRole('button', { name: 'Take This Bet' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Delete Bet' })).toHaveClass('quiet');
    expect(screen.getByRole('button', { name: 'Copy Share Link' })).toHaveClass('primary');
  });

  it('shows by itself that the clock has cancelled it', async () => {
    holdClock();
    const soon = new Date(Date.now() + 3000).toISOString();
    let bet = makeBet({ ...mine, expiresAt: soon, next: { event: 'expire', at: soon } });
    openBetPage(bet);
    server.use(http.get('/api/bets/:key', () => HttpResponse.json(bet)));
    expect(await screen.findByText('AWAITING CHALLENGER')).toBeVisible();
    await vi.advanceTimersByTimeAsync(4500);
    expect(screen.queryByText('CANCELLED')).not.toBeInTheDocument();
    bet = { ...bet, status: 'cancelled', cancelReason: 'expired', next: null };
    await vi.advanceTimersByTimeAsync(4000);
    expect(await screen.findAllByText('CANCELLED')).not.toHaveLength(0);
  });
});

describe('sharing', () => {
  it('comes first on a new public bet, with its address and a QR code', async () => {
    const view = openBetPage(makeBet({ ...mine, actions: ['delete'] }));
    expect(await screen.findByRole('heading', { name: 'Share This Bet' })).toBeVisible();
    expect(screen.getByLabelText('Share link')).toHaveValue('http://bolts.test/bet/bet-1');
    await waitFor(() => expect(view.container.querySelector('svg[height="128"]')).not.toBeNull());
    const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(headings.slice(0, 2)).toEqual(['Your Bet', 'Share This Bet']);
    expect(screen.queryByRole('button', { name: 'Show QR code' })).not.toBeInTheDocument();
  });

  it('offers others the QR code of a public bet on demand', async () => {
    const view = openBetPage(makeBet());
    await view.user.click(await screen.findByRole('button', { name: 'Show QR code' }));
    await waitFor(() => expect(view.container.querySelector('svg[height="128"]')).not.toBeNull());
  });

  it('leaves the link of a private bet to its creator', async () => {
    openBetPage(makeBet({ isPrivate: true, isPublic: false, shareToken: 'tok' }));
    expect(await screen.findByRole('button', { name: 'Take This Bet' })).toBeVisible();
    expect(screen.queryByLabelText('Share link')).not.toBeInTheDocument();
  });

  it.each([
    ['The link could not be shared', new Error('no')],
    [null, new DOMException('closed', 'AbortError')],
  ])("uses the browser's own dialog, and says if it fails: %s", async (words, failure) => {
    const share = vi.fn().mockRejectedValue(failure);
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const view = openBetPage(makeBet({ ...mine, actions: ['delete'] }));
    await screen.findByRole('heading', { name: 'Your Bet' });
    await view.user.click(screen.getByRole('button', { name: 'Share…' }));
    expect(share).toHaveBeenCalledWith({
      title: 'Snow on Christmas Day',
      url: 'http://bolts.test/bet/bet-1',
    });
    if (words) expect(await screen.findByText(words)).toBeVisible();
    else expect(screen.queryByText('The link could not be shared')).not.toBeInTheDocument();
  });
});

describe('a bet that does not show', () => {
  it.each([
    [404, 'Bet Not Found', "The bet you're looking for doesn't exist or has been removed."],
    [500, 'Error Loading Bet', 'It broke.'],
  ])('%i says %s', async (status, title, words) => {
    openBetPage(makeBet(), { status });
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to Marketplace' })).toHaveAttribute('href', '/marketplace');
  });
});

it('may only need a sign-in where there is none for a visitor', async () => {
  const visitor = openBetPage(makeBet(), { status: 404, signedIn: false, path: '/bet/bet-1?token=t' });
  expect(
    await screen.findByText(
      "The bet you're looking for doesn't exist or has been removed. If it is private, sign in to see it.",
    ),
  ).toBeVisible();
  const signIn = screen.getByRole('link', { name: 'Sign In' });
  expect(signIn).toHaveAttribute('href', '/auth?next=%2Fbet%2Fbet-1%3Ftoken%3Dt');
  expect(signIn).toHaveClass('primary');
  expect(screen.getByRole('link', { name: 'Back to Marketplace' })).not.toHaveClass('primary');
  visitor.unmount();
  openBetPage(makeBet(), { status: 404 });
  await waitFor(() => expect(screen.getByText(/has been removed\.$/)).toBeVisible());
  expect(screen.queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
});

it('becomes Bet Not Found when it is deleted while one looks', async () => {
  const view = openBetPage(makeBet());
  const take = await screen.findByRole('button', { name: 'Take This Bet' });
  const gone = () => problem(404, 'bet_not_found', 'There is no such bet.');
  server.use(http.post('/api/bets/accept', gone), http.get('/api/bets/:key', gone));
  await view.user.click(take);
  expect(await screen.findByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Snow on Christmas Day' })).not.toBeInTheDocument();
});

async function openShared(over: Partial<Bet> = {}) {
  onGet('/api/auth/user', user);
  onGet('/api/bets/share/tok', makeBet({ isPrivate: true, ...over }));
  const view = renderApp(
    <Routes>
      <Route path="/share/:token" element={<SharePage />} />
      <Route path="*" element={null} />
    </Routes>,
    '/share/tok',
  );
  return { view, take: await screen.findByRole('button', { name: 'Bet Option B' }) };
}

it('is taken under its share link by that link alone', async () => {
  const sent = onWrite('post', '/api/bets/accept', () => HttpResponse.json(makeBet({ status: 'accepted' })));
  const { view, take } = await openShared();
  await view.user.click(take);
  expect(await screen.findByText('Bet accepted successfully!')).toBeVisible();
  expect(sent).toEqual([{ shareToken: 'tok', option: 'B' }]);
});

it('asks under its share link for a sign-in, if the session has ended', async () => {
  const { view, take } = await openShared();
  server.use(http.post('/api/bets/accept', () => problem(401, 'not_signed_in', 'Please sign in first.')));
  await view.user.click(screen.getByRole('button', { name: 'Take this side: It stays dry' }));
  await view.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('Please log in to accept this bet.')).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fshare%2Ftok'));
  expect(take).not.toBeInTheDocument();
});

it('tells under its share link how it is decided and who rules', async () => {
  const arbiter = { id: 'u-eve', username: 'eve', email: 'e•••@example.com', status: 'invited' } as const;
  await openShared({ resolutionMethod: 'Manual Verification', arbiter });
  expect(screen.getByText('Manual Verification', { selector: 'span' })).toBeVisible();
  const details = screen.getByRole('heading', { name: 'Bet details' }).closest('section');
  expect(details).toHaveTextContent('eve is invited to be the arbiter and has not answered');
});

it('names the outcome of a ruling that has a note, but not in the reason of a dispute', async () => {
  openBetPage(makeBet(takenByBob));
  onGet('/api/bets/:key/timeline', {
    events: [
      { at: '2026-11-01T12:00:00Z', event: 'disputed', by: 'creator', detail: 'A: it is true.' },
      { at: '2026-11-02T12:00:00Z', event: 'ruled', by: 'admin', detail: 'B: No snow\nfell.' },
    ],
    next: null,
  });
  expect(await screen.findByText(/^It stays dry: No snow\s+fell\.$/)).toBeVisible();
  expect(screen.getByText('A: it is true.')).toBeVisible();
});

it.each([499, 500])(
  'says that earlier events are missing if the timeline has 500 events: %d',
  async (count) => {
    openBetPage(makeBet(takenByBob));
    const at = (place: number) => new Date(Date.UTC(2026, 10, 1, 12, place)).toISOString();
    onGet('/api/bets/:key/timeline', {
      events: Array.from({ length: count }, (_, place) => ({
        at: at(place),
        event: 'proposed',
        by: 'creator',
        detail: null,
      })),
      next: null,
    });
    expect(await screen.findAllByText('Outcome proposed')).toHaveLength(count);
    expect(screen.queryAllByText('Only the latest 500 events are shown.')).toHaveLength(
      count === 500 ? 1 : 0,
    );
  },
);

it('becomes Bet Not Found under its share link too', async () => {
  const { view, take } = await openShared();
  const gone = () => problem(404, 'bet_not_found', 'There is no such bet.');
  server.use(http.post('/api/bets/accept', gone), http.get('/api/bets/share/tok', gone));
  await view.user.click(take);
  expect(await screen.findByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Snow on Christmas Day' })).not.toBeInTheDocument();
});

it('shows a status that it does not know in upper case, with the figures too', async () => {
  openBetPage(makeBet({ ...takenByBob, status: 'on_hold' as Bet['status'] }));
  expect(await screen.findByText('ON_HOLD', { selector: 'dd' })).toBeVisible();
  expect(screen.getAllByText('ON_HOLD')).toHaveLength(2);
});

it('tells who won and how', async () => {
  openBetPage(
    makeBet({
      ...takenByBob,
      status: 'resolved',
      winnerId: 'u-bob',
      winningOption: 'B',
      settledBy: 'ruling',
    }),
  );
  expect(await screen.findByText('Outcome: It stays dry')).toBeVisible();
  expect(screen.getByText('An admin ruled.')).toBeVisible();
});

it('shows hostile text as text and refuses hostile links', async () => {
  openBetPage(makeBet({ title: '<img src=x onerror=alert(1)>', sourceUrl: 'javascript:alert(1)' }));
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('<img src=x onerror=alert(1)>');
  expect(screen.getByText('None given')).toBeVisible();
});
