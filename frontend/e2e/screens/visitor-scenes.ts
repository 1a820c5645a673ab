import {
  betPath,
  change,
  changeBet,
  click,
  hold,
  inSequence,
  privatePath,
  refuse,
  type Scene,
  sharePath,
} from './scene';

const wrongLogin = async (page: import('@playwright/test').Page) => {
  await page.getByLabel('Email Address').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await click('Sign In')(page);
};

export const visitorScenes: Scene[] = [
  { name: 'landing', as: 'visitor', path: '/', shows: 'Bet on Anything with Anyone' },
  { name: 'landing elsewhere', as: 'visitor', path: '/no/such/page', shows: 'Bet on Anything with Anyone' },
  { name: 'auth', as: 'visitor', path: '/auth', shows: 'Sign in to Bolts' },
  {
    name: 'auth with errors',
    as: 'visitor',
    path: '/auth',
    when: click('Sign In'),
    shows: 'Please enter a valid email address',
  },
  {
    name: 'auth refused',
    as: 'visitor',
    path: '/auth',
    when: wrongLogin,
    shows: 'Login Failed',
    refused: [401],
    window: true,
  },
  {
    name: 'auth pending',
    as: 'visitor',
    path: '/auth',
    given: (page) => hold(page, '**/api/auth/login'),
    when: wrongLogin,
    shows: 'Signing In...',
  },
  {
    name: 'create account',
    as: 'visitor',
    path: '/auth',
    when: click('Create one here'),
    shows: 'Create your account',
  },
  {
    name: 'create account with errors',
    as: 'visitor',
    path: '/auth',
    when: (page) =>
      inSequence(
        page,
        click('Create one here'),
        () => page.getByLabel('Email Address').fill('me@example.com'),
        () => page.getByLabel('Password', { exact: true }).fill('secret'),
        () => page.getByLabel('Confirm Password', { exact: true }).fill('other'),
        click('Create Account'),
      ),
    shows: 'Validation Error',
  },
  { name: 'bet pending', as: 'visitor', path: betPath('pending'), shows: 'Login Required' },
  { name: 'bet manual', as: 'visitor', path: betPath('pendingManual'), shows: 'Before you take this bet' },
  { name: 'bet long', as: 'visitor', path: betPath('pendingLong'), shows: 'Login Required' },
  { name: 'bet live', as: 'visitor', path: betPath('live'), shows: 'LIVE' },
  { name: 'bet settled', as: 'visitor', path: betPath('settledA'), shows: 'Both sides agreed.' },
  { name: 'bet void', as: 'visitor', path: betPath('voided'), shows: 'This bet is void.' },
  {
    name: 'bet untaken',
    as: 'visitor',
    path: betPath('untaken'),
    shows: 'Nobody took this bet in time.',
  },
  { name: 'bet private by link', as: 'visitor', path: privatePath, shows: 'PRIVATE' },
  {
    name: 'bet in sats',
    as: 'visitor',
    path: betPath('pending'),
    given: (page, stage) =>
      changeBet(page, stage, 'pending', {
        currencyType: 'sats',
        stakeA: 987_654,
        stakeB: 987_654,
        pot: 1_975_308,
      }),
    shows: 'Win: +1,975,308 Sats',
  },
  {
    name: 'bet of an unknown status',
    as: 'visitor',
    path: betPath('live'),
    given: (page, stage) => changeBet(page, stage, 'live', { status: 'under_review' as 'pending' }),
    shows: 'UNDER_REVIEW',
  },
  { name: 'bet not found', as: 'visitor', path: '/bet/unknown', shows: 'Bet Not Found', refused: [404] },
  {
    name: 'bet failed',
    as: 'visitor',
    path: '/bet/broken',
    given: (page) => refuse(page, '**/api/bets/broken'),
    shows: 'Error Loading Bet',
    refused: [500],
  },
  {
    name: 'bet loading',
    as: 'visitor',
    path: '/bet/slow',
    given: (page) => hold(page, '**/api/bets/slow'),
    shows: 'Loading bet details...',
    loading: true,
  },
  {
    name: 'timeline failed',
    as: 'visitor',
    path: betPath('pending'),
    given: (page) => refuse(page, '**/timeline'),
    shows: 'The timeline could not be loaded.',
    refused: [500],
  },
  { name: 'share', as: 'visitor', path: sharePath('pendingPrivate'), shows: 'PRIVATE BET' },
  {
    name: 'share of no bet',
    as: 'visitor',
    path: '/share/unknown',
    shows: "This bet doesn't exist or the link has expired.",
    refused: [404],
  },
  { name: 'account', as: 'visitor', path: '/account', shows: 'Access Denied' },
  {
    name: 'code failed',
    as: 'visitor',
    path: '/auth',
    given: async (page) => {
      await page.addInitScript(() => sessionStorage.setItem('bolts.reloaded-for-chunk', `${Date.now()}`));
      await page.route('**/assets/auth.*.js', (route) => route.abort());
    },
    shows: 'This page could not be loaded',
    refused: [0],
  },
];

export const sessionScenes: Scene[] = [
  {
    name: 'loading',
    as: 'ada',
    path: '/portfolio',
    given: (page) => hold(page, '**/api/auth/user'),
    shows: 'Loading...',
    loading: true,
  },
  {
    name: 'failed',
    as: 'ada',
    path: '/portfolio',
    given: (page) => refuse(page, '**/api/auth/user'),
    shows: 'Bet on Anything with Anyone',
    refused: [500],
  },
  {
    name: 'one-time password',
    as: 'reset',
    path: '/marketplace',
    shows: 'Choose a New Password',
    refused: [403],
  },
  {
    name: 'one-time password with errors',
    as: 'reset',
    path: '/',
    when: click('Update Password'),
    shows: 'Current password is required',
    refused: [403],
  },
  { name: 'landing signed in', as: 'ada', path: '/landing', shows: 'Bet on Anything with Anyone' },
  {
    name: 'balances of nine digits',
    as: 'ada',
    path: '/landing',
    given: (page) =>
      change<Record<string, unknown>>(page, '**/api/auth/user', (user) => ({
        ...user,
        boltsBalance: 987_654_321,
        satsBalance: 123_456_789,
      })),
    shows: '123,456,789',
    window: true,
  },
  {
    name: 'offline',
    as: 'ada',
    path: '/marketplace',
    when: (page) => page.context().setOffline(true),
    shows: 'You are offline.',
    refused: [0],
    window: true,
  },
];
