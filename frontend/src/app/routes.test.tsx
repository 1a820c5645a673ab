import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeAuthenticator } from '../test/authenticator';
import { holdClock } from '../test/clock';
import { makeBet, stats, user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, onWrite, problem, server } from '../test/server';
import { AppRoutes } from './routes';

const SLOW = { timeout: 30_000 };

function signedIn(change: Partial<typeof user> = {}) {
  onGet('/api/auth/user', { ...user, ...change });
  onGet('/api/notifications', []);
  onGet('/api/users/stats', stats);
  onGet('/api/bets/my', []);
  onGet('/api/achievements', []);
  onGet('/api/bets/public', []);
  onGet('/api/bets/stats', { activeBets: 0, boltsVolume: 0, satsVolume: 0, totalBetsCount: 0 });
}

const signedOut = () => server.use(http.get('/api/auth/user', () => problem(401, 'unauthorized', 'x')));
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, SLOW);
const address = () => screen.getByTestId('address').textContent;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('signed in', () => {
  it.each([
    ['/', 'My Portfolio', '/'],
    ['/dashboard', 'My Portfolio', '/portfolio'],
    ['/no/such/page', 'My Portfolio', '/portfolio'],
    ['/create?x=1', 'Create a Bet', '/create-bet?x=1'],
    ['/marketplace', 'Bet Marketplace', '/marketplace'],
    ['/achievements', 'Achievements', '/achievements'],
    ['/account', 'Account Settings', '/account'],
    ['/landing', 'Bet on Anything with Anyone', '/landing'],
    ['/auth?next=/marketplace', 'Bet Marketplace', '/marketplace'],
  ])('%s shows %s', async (path, name, where) => {
    signedIn();
    renderApp(<AppRoutes />, path);
    expect(await heading(name)).toBeVisible();
    expect(address()).toBe(where);
  });

  it('shows balances with thousands separators and the disclaimer', async () => {
    signedIn({ boltsBalance: 1234567 });
    renderApp(<AppRoutes />);
    expect(await screen.findByTestId('bolts-balance')).toHaveTextContent('1,234,567');
    expect(screen.getByTestId('sats-balance')).toHaveTextContent('50');
    expect(screen.getByRole('contentinfo')).toHaveTextContent(
      'This platform is for entertainment purposes only. Please bet responsibly and only with amounts you can afford to lose.',
    );
  });

  it('counts beside the portfolio the bets that wait for the user', async () => {
    signedIn();
    onGet('/api/bets/turn-count', { turnCount: 2 });
    renderApp(<AppRoutes />, '/marketplace');
    await heading('Bet Marketplace');
    const links = await screen.findAllByRole('link', { name: 'Portfolio (2 waiting for you)' });
    for (const link of links) expect(link).toHaveTextContent('2');
    expect(links.length).toBeGreaterThan(1);
  });

  it('shows no count while no bet waits', async () => {
    signedIn();
    renderApp(<AppRoutes />, '/marketplace');
    await heading('Bet Marketplace');
    for (const link of screen.getAllByRole('link', { name: /^Portfolio/ }))
      expect(link).toHaveTextContent(/^Portfolio$/);
  });

  it('keeps the admin panel to admins', async () => {
    signedIn();
    renderApp(<AppRoutes />, '/admin');
    expect(await heading('Access Denied')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Admin' })).not.toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('links every place, the current one marked', async () => {
    signedIn({ isAdmin: true });
    renderApp(<AppRoutes />, '/account');
    await heading('Account Settings');
    const main = screen.getByRole('navigation', { name: 'Main' });
    const links = within(main).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/portfolio',
      '/marketplace',
      '/create-bet',
      '/achievements',
      '/account',
      '/admin',
    ]);
    expect(within(main).getByRole('link', { current: 'page' })).toHaveTextContent('Account');
  });

  it.each(['/', '/marketplace', '/account', '/bet/x', '/auth'])(
    'shows nothing but the change of a one-time password on %s',
    async (path) => {
      onGet('/api/auth/user', { ...user, mustChangePassword: true });
      renderApp(<AppRoutes />, path);
      expect(await heading('Choose a New Password')).toBeVisible();
      expect(screen.getByLabelText('One-Time Password')).toBeVisible();
      expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
      expect(screen.getByRole('button', { name: 'Logout' })).toBeVisible();
    },
  );

  it('goes on to the page that was asked for once the one-time password is changed', async () => {
    signedIn();
    onGet('/api/auth/user', { ...user, mustChangePassword: true });
    const sent = onWrite('patch', '/api/auth/password', () => {
      onGet('/api/auth/user', user);
      return HttpResponse.json({ ok: true });
    });
    const view = renderApp(<AppRoutes />, '/marketplace');
    await heading('Choose a New Password');
    await view.user.type(screen.getByLabelText('One-Time Password'), 'one-time');
    await view.user.type(screen.getByLabelText('New Password'), 'my own one');
    await view.user.type(screen.getByLabelText('Confirm New Password'), 'my own one');
    await view.user.click(screen.getByRole('button', { name: 'Update Password' }));
    expect(await heading('Bet Marketplace')).toBeVisible();
    expect(sent).toEqual([{ currentPassword: 'one-time', newPassword: 'my own one' }]);
  });

  it('asks a user with a second factor for it before the one-time password is changed', async () => {
    fakeAuthenticator();
    onGet('/api/auth/user', { ...user, mustChangePassword: true });
    const factors = vi.fn(() => problem(403, 'password_change_required', 'x'));
    server.use(http.get('/api/auth/factors', factors));
    let isProved = false;
    const sent = onWrite('patch', '/api/auth/password', () =>
      isProved ? HttpResponse.json({ ok: true }) : problem(403, 'step_up_required', 'Please confirm this.'),
    );
    const proofs = onWrite('post', '/api/auth/step-up', () => {
      isProved = true;
      return HttpResponse.json({ ok: true, until: '2099-01-01T00:00:00Z' });
    });
    const { fetch } = window;
    const view = renderApp(<AppRoutes />, '/');
    await heading('Choose a New Password');
    await waitFor(() => expect(window.fetch).not.toBe(fetch), SLOW);
    await view.user.type(screen.getByLabelText('One-Time Password'), 'one-time');
    await view.user.type(screen.getByLabelText('New Password'), 'my own one');
    await view.user.type(screen.getByLabelText('Confirm New Password'), 'my own one');
    await view.user.click(screen.getByRole('button', { name: 'Update Password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It Is You' }, SLOW));
    expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
    await view.user.type(dialog.getByLabelText('Code'), '123456');
    await view.user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Password Updated')).toBeVisible();
    expect(proofs).toEqual([{ code: '123456' }]);
    expect(sent).toHaveLength(2);
    expect(factors).not.toHaveBeenCalled();
  });

  it('moves the focus to the heading of the page one goes to', async () => {
    signedIn();
    const view = renderApp(<AppRoutes />);
    await heading('My Portfolio');
    await view.user.click(screen.getAllByRole('link', { name: 'Marketplace' })[0] as HTMLElement);
    const title = await heading('Bet Marketplace');
    await waitFor(() => expect(title).toHaveFocus());
    expect(document.title).toBe('Bet Marketplace · Bolts');
  });
});

describe('signed out', () => {
  it.each(['/', '/marketplace', '/no/such/page'])('%s shows the landing page', async (path) => {
    signedOut();
    renderApp(<AppRoutes />, path);
    expect(await heading('Bet on Anything with Anyone')).toBeVisible();
  });

  it('offers beside the link of a mail a sign-in that does not return to it', async () => {
    signedOut();
    renderApp(<AppRoutes />, '/mail/reset#token');
    expect(await heading('Set a New Password')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
  });

  it('asks for a sign-in on a share link and comes back to it', async () => {
    signedOut();
    server.use(http.get('/api/bets/tok', () => problem(404, 'bet_not_found', 'x')));
    renderApp(<AppRoutes />, '/share/tok');
    expect(await heading('Authentication Required')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/auth?next=%2Fshare%2Ftok');
  });
});

it.each([
  ['signed in', true],
  ['signed out', false],
])('keeps the page when somebody %s is asked about again in vain', async (_, isSignedIn) => {
  holdClock();
  onGet('/api/auth/user', isSignedIn ? user : null);
  onGet('/api/notifications', []);
  onGet('/api/achievements', []);
  const gone = () => problem(404, 'bet_not_found', 'x');
  server.use(http.get('/api/bets/share/tok', gone), http.get('/api/bets/tok', gone));
  renderApp(<AppRoutes />, '/share/tok');
  const title = await heading(isSignedIn ? 'Bet Not Found' : 'Authentication Required');
  let asked = 0;
  server.use(
    http.get('/api/auth/user', () => {
      asked += 1;
      return HttpResponse.error();
    }),
  );
  const cameOnline = () => act(() => void window.dispatchEvent(new Event('online')));
  // The user's data counts as fresh for two minutes, so the page sends no request.
  await vi.advanceTimersByTimeAsync(60_000);
  cameOnline();
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  cameOnline();
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  // If the failure replaced the page, this would happen in one of the next renderings.
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  await waitFor(() => expect(title).toBeInTheDocument());
});

it('waits with a spinner, and after 8 seconds shows the landing page', async () => {
  holdClock();
  server.use(
    http.get('/api/auth/user', async () => {
      await delay('infinite');
      return HttpResponse.json(user);
    }),
  );
  renderApp(<AppRoutes />, '/portfolio');
  expect(screen.getByText('Loading...')).toBeVisible();
  await vi.advanceTimersByTimeAsync(7900);
  expect(screen.queryByRole('heading', { level: 1 })).not.toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(200);
  expect(await heading('Bet on Anything with Anyone')).toBeVisible();
});

it('shows the landing page when the session cannot be read', async () => {
  server.use(http.get('/api/auth/user', () => problem(500, 'internal', 'x')));
  renderApp(<AppRoutes />, '/portfolio');
  expect(await heading('Bet on Anything with Anyone')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

it('keeps the page where both users and visitors may stay when the session ends', async () => {
  holdClock();
  signedIn();
  onGet('/api/bets/bet-1', makeBet());
  onGet('/api/bets/bet-1/timeline', { events: [] });
  renderApp(<AppRoutes />, '/bet/bet-1');
  const title = await heading(makeBet().title);
  signedOut();
  await vi.advanceTimersByTimeAsync(130_000);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('link', { name: 'Sign In' }, SLOW)).toBeVisible();
  // React renders the page for the visitor after the navigation.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(title).toBeInTheDocument();
});
