import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Bet } from '../api/types';
import { makeBet, user as me, stats } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, onWrite, problem, server } from '../test/server';
import { AppRoutes } from './routes';

const SLOW = { timeout: 30_000 };
const mine = { creatorId: me.id, creator: { username: 'me', email: 'me@example.com' } };
const taken = { acceptorId: 'u-bob', acceptor: { username: 'bob', email: 'b•••@example.com' } };
const takenByMe = { acceptorId: me.id, acceptor: { username: 'me', email: 'me@example.com' } };
const proposed = { proposalId: 'p-1', proposedBy: 'u-ada', proposedWinningOption: 'A' } as const;
const nothing = () => HttpResponse.json({}, { status: 500 });

beforeEach(() => {
  onGet('/api/auth/user', { ...me, username: 'memo' });
  onGet('/api/notifications', []);
  onGet('/api/achievements', []);
  onGet('/api/users/stats', stats);
  onGet('/api/bets/my', []);
  onGet('/api/bets/public', []);
  onGet('/api/bets/stats', { activeBets: 0, boltsVolume: 0, satsVolume: 0, totalBetsCount: 0 });
  onGet('/api/withdrawals', []);
  onGet('/api/wallet/history', []);
  onGet('/api/bets/:id/timeline', { events: [], next: null });
});

const signedOut = () => server.use(http.get('/api/auth/user', () => problem(401, 'unauthorized', 'x')));

async function opened(path: string) {
  const view = renderApp(<AppRoutes />, path);
  await screen.findByRole('heading', { level: 1 }, SLOW);
  return view;
}

function expectWords(words: readonly string[]) {
  const { textContent } = document.body;
  for (const text of words) expect(textContent).toContain(text);
}

it('the landing page says what it is about, and claims no more', async () => {
  signedOut();
  await opened('/');
  expectWords(['Practice with Bolts', 'Win Real Sats', 'Bet on Everything', 'Challenge Friends']);
  expectWords(['Fair and Transparent', 'Global Community', 'Dream up a bet', 'Pick a currency']);
  expectWords(['Win and get paid', 'Get Started', '© 2025', 'Start with 1,000 free Bolts']);
  expectWords([
    'No house edge, no hidden fees, winner takes all',
    'Sign up with email only',
    'from 100 sats',
    'AI-generated bet ideas',
  ]);
  expect(document.body.textContent).toMatch(/custom odds/i);
  expectWords(['Nobody else sees it, except its arbiter and the admins.']);
  for (const [name, href] of [
    ['Get Started', '/auth?new'],
    ['Sign In', '/auth'],
  ] as const)
    for (const link of screen.getAllByRole('link', { name })) expect(link).toHaveAttribute('href', href);
});

it('the sign-in screen has its texts in both modes', async () => {
  signedOut();
  const { user } = await opened('/auth');
  expectWords(["Don't have an account? Create one here", 'Secure Authentication']);
  expectWords(['Start with 1,000 free Bolts', 'Lightning Fast', 'No House Edge', 'Fully Transparent']);
  await user.click(screen.getByRole('button', { name: 'Create one here' }));
  expectWords(['Already have an account? Sign in here']);
  expect(screen.getByPlaceholderText('Create a password (min 6 chars)')).toBeVisible();
});

it('the create form has its cards, hint, currencies and categories', async () => {
  const { user } = await opened('/create-bet');
  for (const name of [/^Description and category/, /^Who decides/])
    await user.click(screen.getByRole('button', { name }));
  expectWords(['Basic Information', 'Betting Terms', 'Bet Resolution', 'Bet Settings']);
  expectWords(['Minimum stake: 100 sats or 1 bolt.', 'Bolts', 'Bitcoin Sats', 'no financial value']);
  expectWords(['Real Bitcoin via Lightning', 'Mutual Agreement', 'Manual Verification']);
  expectWords(['Only people with the share link, the arbiter and the admins can see it.']);
  const options = within(screen.getByLabelText(/Category/)).getAllByRole('option');
  expect(options.slice(1).map((option) => option.textContent)).toEqual([
    'Cryptocurrency',
    'Sports',
    'Politics',
    'Weather',
    'Entertainment',
    'Technology',
    'Finance',
    'Other',
  ]);
});

it('the marketplace has its tiles, filters and orders', async () => {
  await opened('/marketplace');
  expectWords(['Active Bets', 'Bolts Volume', 'Sats Volume', 'Bets Created']);
  // Active bets, both volumes, and bets created.
  await waitFor(() => expect(screen.getAllByText('0')).toHaveLength(4));
  const options = (label: string) =>
    within(screen.getByLabelText(label))
      .getAllByRole('option')
      .map((option) => option.textContent);
  expect(options('Status')).toEqual([
    'Active Only',
    'Awaiting Challenger',
    'Live',
    'Settled',
    'All Statuses',
  ]);
  expect(options('Sort by')).toEqual([
    'Date Posted (Newest)',
    'Date Posted (Oldest)',
    'Stake (Highest)',
    'Stake (Lowest)',
    'Ending soon',
    'Biggest pot',
  ]);
  expect(options('Currency')).toEqual(['All Currencies', 'Bolts', 'Sats']);
});

it('the share page asks for a sign-in, and knows links that have expired', async () => {
  signedOut();
  server.use(http.get('/api/bets/tok', () => problem(404, 'bet_not_found', 'x')));
  const view = await opened('/share/tok');
  expectWords(['Authentication Required', 'You need to be logged in to view this private bet.', 'Log In']);
  view.unmount();
  onGet('/api/auth/user', me);
  server.use(http.get('/api/bets/share/tok', () => problem(404, 'bet_not_found', 'x')));
  await opened('/share/tok');
  expectWords(["This bet doesn't exist or the link has expired.", 'Browse Public Bets']);
});

it('a private bet shows its creator the link, and others the pick', async () => {
  onGet('/api/bets/bet-1', makeBet({ ...mine, isPrivate: true, isPublic: false, shareToken: 'tok' }));
  const { user, unmount } = await opened('/bet/bet-1');
  expectWords(['PRIVATE', 'Share Private Bet', 'YOUR PICK', '2x', 'Win: +400 Bolts', 'PENDING', 'Your Bet']);
  expectWords(['Anyone with this link can see the bet.']);
  expect(screen.getByLabelText('Share link')).toHaveValue('http://bolts.test/share/tok');
  await user.click(screen.getByRole('button', { name: 'Copy Share Link' }));
  expect(await screen.findByText('Share Link Copied')).toBeVisible();
  unmount();
  onGet('/api/bets/bet-1', makeBet({ category: '' }));
  await opened('/bet/bet-1');
  expectWords(["Creator's Pick", 'General']);
});

describe('an action that fails without words of the server', () => {
  const awaiting = { status: 'awaiting_resolution' } as const;
  const expired = { expiresAt: '2026-01-02T00:00:00Z' };
  const cases: [string, Partial<Bet>, string, string[], string][] = [
    ['accept', {}, '/api/bets/accept', ['Take This Bet'], 'Failed to Accept Bet'],
    [
      'delete',
      { ...mine, actions: ['delete'] },
      '/api/bets/bet-1',
      ['Delete Bet', 'Delete Bet'],
      'Failed to Delete Bet',
    ],
    [
      'end early',
      { ...mine, ...taken, status: 'accepted', actions: ['end_early'] },
      '/api/bets/bet-1/early-resolution',
      ['End Bet Early', 'End Bet Early'],
      'Failed to End Bet Early',
    ],
    [
      'resolve an expired one',
      { ...takenByMe, ...expired, status: 'accepted', actions: ['end_early'] },
      '/api/bets/bet-1/early-resolution',
      ['Resolve Expired Bet'],
      'Failed to End Bet Early',
    ],
    [
      'propose',
      { ...mine, ...taken, ...awaiting, actions: ['propose'] },
      '/api/bets/bet-1/propose-resolution',
      ['radio:It snows', 'Propose Outcome'],
      'Failed to Propose Resolution',
    ],
    [
      'answer',
      { ...takenByMe, ...awaiting, ...proposed, actions: ['reject_proposal'] },
      '/api/bets/bet-1/respond-resolution',
      ['Reject Outcome'],
      'Failed to Submit Response',
    ],
  ];
  it.each(cases)('%s', async (_name, change, path, presses, title) => {
    onGet('/api/bets/bet-1', makeBet(change));
    onWrite(path === '/api/bets/bet-1' ? 'delete' : 'post', path, nothing);
    const { user } = await opened('/bet/bet-1');
    for (const press of presses) {
      const [role, name] = press.startsWith('radio:')
        ? (['radio', press.slice('radio:'.length)] as const)
        : (['button', press] as const);
      await user.click(screen.getAllByRole(role, { name }).at(-1) as HTMLElement);
    }
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText('Something went wrong. Please try again.')).toBeVisible();
  });

  it('take from the marketplace', async () => {
    onGet('/api/bets/public', [makeBet()]);
    onWrite('post', '/api/bets/accept', nothing);
    const { user } = await opened('/marketplace');
    await user.click(await screen.findByRole('button', { name: /^Take this side/ }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Take This Bet' }),
    );
    expect(await screen.findByText('Failed to accept bet')).toBeVisible();
  });

  it('profile and password', async () => {
    onWrite('patch', '/api/auth/profile', nothing);
    onWrite('patch', '/api/auth/password', nothing);
    const { user } = await opened('/account');
    expectWords(['Profile Information', 'Account Balances', 'Security Settings']);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Failed to update profile')).toBeVisible();
    await user.type(screen.getByLabelText('Current Password'), 'old-one');
    await user.type(screen.getByLabelText('New Password'), 'new-one');
    await user.type(screen.getByLabelText('Confirm New Password'), 'new-one');
    await user.click(screen.getByRole('button', { name: 'Update Password' }));
    expect(await screen.findByText('Failed to update password')).toBeVisible();
  });

  it('registration', async () => {
    signedOut();
    onWrite('post', '/api/auth/register', nothing);
    const { user } = await opened('/auth');
    await user.click(screen.getByRole('button', { name: 'Create one here' }));
    await user.type(screen.getByLabelText('Email Address'), 'a@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret1');
    await user.type(screen.getByLabelText('Confirm Password'), 'secret1');
    await user.click(screen.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByText('Registration Failed')).toBeVisible();
    expect(screen.getByText('Failed to create account')).toBeVisible();
  });
});
