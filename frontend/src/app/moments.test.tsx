import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { atSignOut } from '../lib/sign-out';
import { makeBet, makeNotification, user as me, stats } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, onWrite, problem, server } from '../test/server';
import { AppRoutes } from './routes';

const { fullLoad } = vi.hoisted(() => ({ fullLoad: vi.fn() }));
vi.mock('../lib/paths', async (original) => ({ ...(await original<object>()), fullLoad }));
vi.mock('../features/portfolio/components/CurveChart', () => ({ default: () => null }));

const SLOW = { timeout: 30_000 };
const never = async () => {
  await delay('infinite');
  return HttpResponse.json({});
};
const signedOut = () => server.use(http.get('/api/auth/user', () => problem(401, 'unauthorized', 'x')));

beforeEach(() => {
  fullLoad.mockReset();
  onGet('/api/auth/user', me);
  onGet('/api/notifications', []);
  onGet('/api/achievements', []);
  onGet('/api/users/stats', stats);
  onGet('/api/bets/my', []);
  onGet('/api/bets/public', []);
  onGet('/api/bets/stats', { activeBets: 0, boltsVolume: 0, satsVolume: 0, totalBetsCount: 0 });
  onGet('/api/bets/:id/timeline', { events: [], next: null });
});

async function opened(path: string, heading?: string) {
  const view = renderApp(<AppRoutes />, path);
  await screen.findByRole('heading', heading ? { level: 1, name: heading } : { level: 1 }, SLOW);
  return view;
}

describe('the mobile menu', () => {
  const menu = () => screen.getByRole('button', { name: 'Menu' });

  it('closes when a link is chosen', async () => {
    const { user } = await opened('/achievements', 'Achievements');
    await user.click(menu());
    await waitFor(() => expect(menu()).toHaveAttribute('aria-expanded', 'true'));
    const links = within(screen.getByRole('navigation', { name: 'Menu' }));
    await user.click(links.getByRole('link', { name: 'Marketplace' }));
    expect(menu()).toHaveAttribute('aria-expanded', 'false');
    expect(await screen.findByRole('heading', { name: 'Bet Marketplace' }, SLOW)).toBeVisible();
  });

  it('closes when the page changes in another way', async () => {
    const { user } = await opened('/achievements', 'Achievements');
    await user.click(menu());
    await waitFor(() => expect(menu()).toHaveAttribute('aria-expanded', 'true'));
    const bar = within(screen.getByRole('navigation', { name: 'Quick navigation' }));
    await user.click(bar.getByRole('link', { name: 'Marketplace' }));
    expect(await screen.findByRole('heading', { name: 'Bet Marketplace' }, SLOW)).toBeVisible();
    expect(menu()).toHaveAttribute('aria-expanded', 'false');
  });

  it('closes when logout is pressed, which says that it runs', async () => {
    server.use(http.post('/api/auth/logout', never));
    const { user } = await opened('/achievements', 'Achievements');
    await user.click(menu());
    await user.click(screen.getAllByRole('button', { name: 'Logout' }).at(-1) as HTMLElement);
    expect(menu()).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByText('Logging out...')).toBeInTheDocument();
  });
});

it('the focus is kept on a page whose button has done its work', async () => {
  const { user } = await opened('/marketplace?q=nothing', 'Bet Marketplace');
  await user.click(await screen.findByRole('button', { name: 'Clear Filters' }, SLOW));
  expect(await screen.findByText('Be the first to create a public bet!')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});

it('a logout leaves nothing of what was written and ordered in the tab', async () => {
  onWrite('post', '/api/auth/logout', () => HttpResponse.json({ ok: true }));
  const { user } = await opened('/achievements', 'Achievements');
  sessionStorage.setItem(`bolts.bet-draft.${me.id}`, '{"title":"Snow"}');
  sessionStorage.setItem(`bolts.message.${me.id}.bet-1`, '{"text":"I won."}');
  sessionStorage.setItem('bolts.unanswered', '{"/api/bets {}":"key"}');
  await user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement);
  await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/'));
  expect({ ...sessionStorage }).toEqual({});
});

it.each([
  ['at once', false],
  ['after a sign-out', true],
])(
  'the sign-in of another user in another tab loads the page again, without what the first user typed: %s',
  async (_, isSignedOutBefore) => {
    let isAccompanied = false;
    server.use(
      http.get('/api/achievements', () => {
        isAccompanied = true;
        return HttpResponse.json([]);
      }),
    );
    const { user } = await opened('/create-bet?x=1', 'Create a Bet');
    await user.type(screen.getByLabelText('Title'), 'Snow');
    expect(sessionStorage.getItem(`bolts.bet-draft.${me.id}`)).toContain('Snow');
    // The code that notices the change of the user loads after the page. It also reads the achievements.
    await waitFor(() => expect(isAccompanied).toBe(true), SLOW);
    if (isSignedOutBefore) {
      signedOut();
      act(() => void window.dispatchEvent(new Event('online')));
      expect(await screen.findByRole('link', { name: 'Sign In' }, SLOW)).toBeVisible();
      expect(fullLoad).not.toHaveBeenCalled();
    }
    onGet('/api/auth/user', { ...me, id: 'u-other', username: 'other' });
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/create-bet?x=1'), SLOW);
    expect({ ...sessionStorage }).toEqual({});
    history.replaceState(null, '', '/');
  },
);

it('a logout that fails says that the user is still signed in, and changes nothing', async () => {
  const task = vi.fn(async () => {});
  const takeBack = atSignOut(task);
  onWrite('post', '/api/auth/logout', () => problem(503, 'unavailable', 'The database is away.'));
  const { user } = await opened('/achievements', 'Achievements');
  sessionStorage.setItem(`bolts.bet-draft.${me.id}`, '{"title":"Snow"}');
  const logout = screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement;
  await user.click(logout);
  expect(await screen.findByText('You are still signed in. Try again.')).toBeVisible();
  expect(screen.getByText('The database is away.')).toBeVisible();
  expect(logout).toHaveTextContent('Logout');
  expect(fullLoad).not.toHaveBeenCalled();
  expect(task).not.toHaveBeenCalled();
  expect(sessionStorage.getItem(`bolts.bet-draft.${me.id}`)).toContain('Snow');
  onWrite('post', '/api/auth/logout', () => HttpResponse.json({ ok: true }));
  await user.click(logout);
  await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/'));
  expect(task).toHaveBeenCalledTimes(1);
  takeBack();
});

it('a logout after the session has ended is a success', async () => {
  onWrite('post', '/api/auth/logout', () => problem(401, 'not_signed_in', 'x'));
  const { user } = await opened('/achievements', 'Achievements');
  sessionStorage.setItem(`bolts.bet-draft.${me.id}`, '{"title":"Snow"}');
  await user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement);
  await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/'));
  expect({ ...sessionStorage }).toEqual({});
});

it('signing in and registering say that they run', async () => {
  signedOut();
  server.use(http.post('/api/auth/login', never), http.post('/api/auth/register', never));
  const { user } = await opened('/auth');
  await user.type(screen.getByLabelText('Email Address'), 'a@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret1');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByRole('button', { name: 'Signing In...' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create one here' }));
  await user.type(screen.getByLabelText('Password'), 'secret1');
  await user.type(screen.getByLabelText('Confirm Password'), 'secret1');
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
  expect(await screen.findByRole('button', { name: 'Creating Account...' })).toBeVisible();
});

it('clearing the notifications says that it runs', async () => {
  onGet('/api/notifications', [makeNotification()]);
  server.use(http.delete('/api/notifications/clear-all', never));
  const { user } = await opened('/achievements', 'Achievements');
  await user.click(await screen.findByText('Clear All'));
  expect(await screen.findByText('Clearing...')).toBeInTheDocument();
});

describe('while it loads', () => {
  const skeletons = () => document.querySelectorAll('main .skeleton.slip');

  it('the marketplace shows 6 skeletons', async () => {
    server.use(http.get('/api/bets/public', never));
    await opened('/marketplace', 'Bet Marketplace');
    expect(skeletons()).toHaveLength(6);
  });

  it('the portfolio shows 3 skeletons', async () => {
    server.use(http.get('/api/bets/my', never));
    await opened('/portfolio', 'My Portfolio');
    await waitFor(() => expect(skeletons()).toHaveLength(3));
  });

  it('the bet page says so', async () => {
    server.use(http.get('/api/bets/slow', never));
    renderApp(<AppRoutes />, '/bet/slow');
    expect(await screen.findByText('Loading bet details...', {}, SLOW)).toBeVisible();
  });
});

it('the portfolio has a card for sats and the columns of its history', async () => {
  onGet('/api/bets/my', [
    makeBet({
      status: 'resolved',
      winnerId: me.id,
      winningOption: 'B',
      acceptorId: me.id,
      settledBy: 'ruling',
    }),
  ]);
  await opened('/portfolio', 'My Portfolio');
  expect(await screen.findByRole('region', { name: 'Sats Performance' })).toBeVisible();
  const history = within(await screen.findByRole('region', { name: 'Bet History' }));
  const columns = history.getAllByRole('columnheader').map((column) => column.textContent);
  expect(columns).toEqual(['Bet', 'Stake', 'Result', 'P&L', 'Date']);
});

it('the achievements have their four tabs', async () => {
  await opened('/achievements', 'Achievements');
  const tabs = (await screen.findAllByRole('tab')).map((tab) => tab.textContent);
  expect(tabs).toEqual(['All', 'Betting', 'Streaks', 'Milestones']);
});

it('the admin panel manages all bets, and sends others home', async () => {
  onGet('/api/auth/user', { ...me, isAdmin: true });
  for (const list of ['bets', 'disputes', 'actions', 'withdrawals']) onGet(`/api/admin/${list}`, []);
  server.use(http.get('/api/admin/wallet', never));
  const { unmount } = await opened('/admin', 'Super Admin Panel');
  expect(screen.getByRole('heading', { name: 'Manage All Bets' })).toBeVisible();
  unmount();
  onGet('/api/auth/user', me);
  await opened('/admin', 'Access Denied');
  expect(screen.getByText('Redirecting to home page...')).toBeVisible();
});

describe('the words of an answer', () => {
  it('Success! for a bet that was taken from the list', async () => {
    onGet('/api/bets/public', [makeBet()]);
    onWrite('post', '/api/bets/accept', () => HttpResponse.json(makeBet()));
    const { user } = await opened('/marketplace', 'Bet Marketplace');
    await user.click(await screen.findByRole('button', { name: /^Take this side/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Take This Bet' }));
    expect(await screen.findByText('Success!')).toBeVisible();
    expect(screen.getByText('Bet accepted successfully!')).toBeVisible();
  });

  it('Bet Deleted for a bet that its creator took back', async () => {
    onGet('/api/bets/bet-1', makeBet({ creatorId: me.id, actions: ['delete'] }));
    onWrite('delete', '/api/bets/bet-1', () => HttpResponse.json({ ok: true }));
    const { user } = await opened('/bet/bet-1');
    await user.click(screen.getByRole('button', { name: 'Delete Bet' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete Bet' }));
    expect(await screen.findByText('Bet Deleted')).toBeVisible();
  });

  it('asks to log in where a shared bet is taken after the session has ended', async () => {
    onGet('/api/bets/share/tok', makeBet({ isPrivate: true, shareToken: 'tok' }));
    onWrite('post', '/api/bets/accept', () => problem(401, 'unauthorized', 'You are not signed in.'));
    const { user } = await opened('/share/tok');
    await user.click(await screen.findByRole('button', { name: 'Bet Option B' }));
    expect(await screen.findByText('Please log in to accept this bet.')).toBeVisible();
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fshare%2Ftok'));
  });
});

it('a session that ended elsewhere leads to the sign-in screen, which stays', async () => {
  onGet('/api/bets/bet-1', makeBet());
  onWrite('post', '/api/bets/accept', () => problem(401, 'unauthorized', 'You are not signed in.'));
  const { user } = await opened('/bet/bet-1', 'Snow on Christmas Day');
  await user.click(screen.getByRole('button', { name: 'Take This Bet' }));
  expect(await screen.findByText('You are logged out. Logging in again...')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Sign in to Bolts' }, SLOW)).toBeVisible();
  expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fbet%2Fbet-1');
});
