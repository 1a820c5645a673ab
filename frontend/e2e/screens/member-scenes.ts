import type { Page } from '@playwright/test';
import type { Achievement, Bet, Notification, Stats, User } from '../../src/api/types';
import { pickExpiry } from '../people';
import { accountScenes } from './account-scenes';
import {
  answer,
  change,
  click,
  hold,
  inSequence,
  openDialog,
  openMenu,
  openNotifications,
  refuse,
  type Scene,
  sharePath,
} from './scene';

const BIG = {
  wins: 4321,
  losses: 1234,
  net: -987_654_321,
  bestWin: 100_000_000,
  biggestLoss: 99_999_999,
  totalBets: 6000,
  activeBets: 445,
};

const bigStats = (page: Page) =>
  change<Stats>(page, '**/api/users/stats', (stats) => ({
    ...stats,
    totalBets: 12_000,
    activeBets: 890,
    winRate: 77.78,
    bolts: BIG,
    sats: { ...BIG, net: 123_456_789 },
  }));

/** The bet with large stakes in sats. */
function inManySats(bet: Bet): Bet {
  const { stakeAmount, opponentStake, stakeA, stakeB, pot } = bet;
  const amounts = Object.entries({ stakeAmount, opponentStake, stakeA, stakeB, pot });
  const many = Object.fromEntries(amounts.map(([name, amount]) => [name, amount * 1_234_567]));
  return { ...bet, currencyType: 'sats', ...many };
}

const inSats = (page: Page, url: string) => change<Bet[]>(page, url, (bets) => bets.map(inManySats));

const fillBet = (page: Page) =>
  inSequence(
    page,
    () => page.getByRole('textbox', { name: /^Title/ }).fill('Will it snow in Boston on Christmas Day?'),
    () => page.getByRole('button', { name: /^Description and category/ }).click(),
    () =>
      page
        .getByRole('textbox', { name: /^Description/ })
        .fill('Snow on the ground at noon, by the airport’s report.'),
    () => page.getByRole('textbox', { name: 'Option A' }).fill('Yes, it snows'),
    () => page.getByRole('textbox', { name: 'Option B' }).fill('No, it stays dry'),
    () => page.getByLabel('Stake').fill('250'),
  );

const portfolio: Scene[] = [
  { name: 'portfolio', as: 'ada', path: '/portfolio', shows: 'Bet History' },
  { name: 'portfolio of an acceptor', as: 'ben', path: '/portfolio', shows: 'Your turn' },
  {
    name: 'portfolio with the curve as a table',
    as: 'ada',
    path: '/portfolio',
    when: (page) => page.getByText('Show the figures as a table').first().click(),
    shows: 'Net Bolts over time',
  },
  {
    name: 'portfolio in big figures',
    as: 'rich',
    path: '/portfolio',
    given: bigStats,
    shows: 'Bolts Performance',
  },
  {
    name: 'portfolio in sats',
    as: 'ada',
    path: '/portfolio',
    given: (page) => inSats(page, '**/api/bets/my**'),
    shows: 'Net Sats over time',
  },
  { name: 'portfolio empty', as: 'newbie', path: '/portfolio', shows: 'No completed bets yet' },
  {
    name: 'portfolio loading',
    as: 'ada',
    path: '/portfolio',
    given: async (page) => {
      await hold(page, '**/api/bets/my**');
      await hold(page, '**/api/users/stats');
    },
    shows: 'My Portfolio',
    loading: true,
  },
  {
    name: 'portfolio failed',
    as: 'ada',
    path: '/portfolio',
    given: async (page) => {
      await refuse(page, '**/api/bets/my**');
      await refuse(page, '**/api/users/stats');
    },
    shows: 'Your bets could not be loaded',
    refused: [500],
  },
  {
    name: 'portfolio deleting',
    as: 'ada',
    path: '/portfolio',
    when: (page) => openDialog(page, 'Delete Bet'),
    shows: 'Are you sure you want to delete this bet?',
    window: true,
  },
];

const market: Scene[] = [
  { name: 'marketplace', as: 'ben', path: '/marketplace', shows: 'Take this side' },
  { name: 'marketplace all statuses', as: 'ben', path: '/marketplace?status=all', shows: 'SETTLED' },
  {
    name: 'marketplace in sats',
    as: 'ben',
    path: '/marketplace',
    given: (page) => inSats(page, '**/api/bets/public**'),
    shows: 'Take this side',
  },
  {
    name: 'marketplace by stake',
    as: 'newbie',
    path: '/marketplace?sort=stake_desc',
    shows: 'Take this side',
  },
  {
    name: 'marketplace without results',
    as: 'ben',
    path: '/marketplace?q=nothing+like+it',
    shows: 'Clear Filters',
  },
  {
    name: 'marketplace empty',
    as: 'newbie',
    path: '/marketplace',
    given: async (page) => {
      await answer(page, '**/api/bets/public**', []);
      await answer(page, '**/api/bets/stats', {
        activeBets: 0,
        boltsVolume: 0,
        satsVolume: 0,
        totalBetsCount: 0,
      });
    },
    shows: 'Be the first to create a public bet!',
  },
  {
    name: 'marketplace loading',
    as: 'ben',
    path: '/marketplace',
    given: async (page) => {
      await hold(page, '**/api/bets/public**');
      await hold(page, '**/api/bets/stats');
    },
    shows: 'Bet Marketplace',
    loading: true,
  },
  {
    name: 'marketplace failed',
    as: 'ben',
    path: '/marketplace',
    given: (page) => refuse(page, '**/api/bets/public**'),
    shows: 'The bets could not be loaded',
    refused: [500],
  },
  {
    name: 'marketplace taking',
    as: 'cleo',
    path: '/marketplace?q=lighthouse',
    when: (page) => openDialog(page, /^Take this side/),
    shows: 'Take this bet?',
    window: true,
  },
  {
    name: 'marketplace taking with a warning',
    as: 'cleo',
    path: '/marketplace?q=sourdough',
    when: (page) => openDialog(page, /^Take this side/),
    shows: 'There is no appeal.',
    window: true,
  },
  {
    name: 'marketplace taking with too little',
    as: 'cleo',
    path: '/marketplace?q=winding',
    when: (page) => openDialog(page, /^Take this side/),
    shows: /You need 100,000,000 Bolts but only have .* Missing: /,
    window: true,
  },
  {
    name: 'marketplace taking fails',
    as: 'cleo',
    path: '/marketplace?q=lighthouse',
    given: (page) => refuse(page, '**/api/bets/accept', 503, 'Try again in a moment.'),
    when: async (page) => {
      await openDialog(page, /^Take this side/);
      await page.getByRole('dialog').getByRole('button', { name: 'Take This Bet' }).click();
    },
    shows: 'Try again in a moment.',
    refused: [503],
    window: true,
  },
];

const create: Scene[] = [
  { name: 'create', as: 'ada', path: '/create-bet', shows: 'Basic Information' },
  {
    name: 'create with errors',
    as: 'ada',
    path: '/create-bet',
    when: click('Create Bet'),
    shows: 'Title must be at least 5 characters',
  },
  {
    name: 'create filled',
    as: 'ada',
    path: '/create-bet',
    when: (page) => inSequence(page, fillBet, pickExpiry),
    shows: 'You stake 250 Bolts · You get 500 · profit 250',
  },
  {
    name: 'create in sats, private',
    as: 'ada',
    path: '/create-bet',
    when: (page) =>
      inSequence(
        page,
        fillBet,
        () => page.getByRole('radio', { name: /Bitcoin Sats/ }).check(),
        () => page.getByRole('switch', { name: 'Private bet' }).check(),
      ),
    shows: 'You stake 250 Sats · You get 500 · profit 250',
  },
  {
    name: 'create, an unfinished bet set aside',
    as: 'ada',
    path: '/create-bet',
    given: async (page) => {
      const { id } = (await (await page.request.get('/api/auth/user')).json()) as User;
      await page.addInitScript((userId) => {
        const draft = { title: 'Will the lighthouse open to visitors in spring?' };
        sessionStorage.setItem(`bolts.bet-draft-aside.${userId}`, JSON.stringify({ by: {}, draft }));
      }, id);
    },
    shows: 'Go back to it',
  },
  {
    name: 'create without expiry',
    as: 'ada',
    path: '/create-bet',
    when: (page) => inSequence(page, fillBet, click('Create Bet')),
    shows: 'Expiry Date & Time Required',
  },
  {
    name: 'create beyond the balance',
    as: 'newbie',
    path: '/create-bet',
    when: (page) =>
      inSequence(
        page,
        fillBet,
        pickExpiry,
        () => page.getByLabel('Stake').fill('100000000'),
        click('Create Bet'),
      ),
    shows: 'You need 100,000,000 Bolts but only have',
  },
  {
    name: 'create refused',
    as: 'ada',
    path: '/create-bet',
    given: (page) => refuse(page, '**/api/bets', 503, 'The server is busy. Try again in a moment.'),
    when: (page) => inSequence(page, fillBet, pickExpiry, click('Create Bet')),
    shows: 'The server is busy.',
    refused: [503],
  },
  {
    name: 'create pending',
    as: 'ada',
    path: '/create-bet',
    given: (page) => hold(page, '**/api/bets'),
    when: (page) => inSequence(page, fillBet, pickExpiry, click('Create Bet')),
    shows: 'Creating...',
  },
  {
    name: 'create, idea on its way',
    as: 'ada',
    path: '/create-bet',
    given: (page) => hold(page, '**/api/generate-bet-idea'),
    when: click(/Generate/),
    shows: 'Generating...',
  },
  {
    name: 'create, being finished',
    as: 'ada',
    path: '/create-bet',
    given: (page) => hold(page, '**/api/complete-bet-idea'),
    when: (page) => inSequence(page, fillBet, click(/Finish This Bet/)),
    shows: 'Finishing...',
  },
  {
    name: 'create calendar',
    as: 'ada',
    path: '/create-bet',
    when: (page) => page.getByLabel('Expiry date').click(),
    shows: 'Pick an expiry date',
    window: true,
  },
];

const share: Scene[] = [
  { name: 'share', as: 'cleo', path: sharePath('pendingPrivate'), shows: 'Bet Option B' },
  { name: 'share of the creator', as: 'ada', path: sharePath('pendingPrivate'), shows: 'PRIVATE BET' },
  { name: 'share taken', as: 'cleo', path: sharePath('livePrivate'), shows: 'LIVE' },
  {
    name: 'share not found',
    as: 'cleo',
    path: '/share/unknown',
    shows: 'the link has expired',
    refused: [404],
  },
  {
    name: 'share loading',
    as: 'cleo',
    path: '/share/slow',
    given: (page) => hold(page, '**/api/bets/share/slow'),
    shows: 'Loading bet details...',
    loading: true,
  },
  {
    name: 'share failed',
    as: 'cleo',
    path: '/share/broken',
    given: (page) => refuse(page, '**/api/bets/share/broken'),
    shows: 'Error Loading Bet',
    refused: [500],
  },
];

const achievements: Scene[] = [
  { name: 'achievements', as: 'ada', path: '/achievements', shows: 'First Steps' },
  { name: 'achievements locked', as: 'newbie', path: '/achievements', shows: '0/9 unlocked' },
  {
    name: 'achievements of a category',
    as: 'ada',
    path: '/achievements',
    when: (page) => page.getByRole('tab', { name: 'Streaks' }).click(),
    shows: 'Legendary Streak',
  },
  {
    name: 'achievements of an empty category',
    as: 'ada',
    path: '/achievements',
    given: (page) =>
      change<Achievement[]>(page, '**/api/achievements', (all) =>
        all.filter(({ definition }) => definition.category !== 'streak'),
      ),
    when: (page) => page.getByRole('tab', { name: 'Streaks' }).click(),
    shows: 'No achievements found in this category.',
  },
  {
    name: 'achievements loading',
    as: 'ada',
    path: '/achievements',
    given: (page) => hold(page, '**/api/achievements'),
    shows: 'Achievements',
    loading: true,
  },
  {
    name: 'achievements failed',
    as: 'ada',
    path: '/achievements',
    given: (page) => refuse(page, '**/api/achievements'),
    shows: 'The achievements could not be loaded',
    refused: [500],
  },
];

const around: Scene[] = [
  {
    name: 'notifications',
    as: 'ben',
    path: '/achievements',
    when: openNotifications,
    shows: 'Clear All',
    window: true,
  },
  {
    name: 'notifications empty',
    as: 'newbie',
    path: '/achievements',
    when: openNotifications,
    shows: 'No notifications yet',
    window: true,
  },
  {
    name: 'notifications many and long',
    as: 'ben',
    path: '/achievements',
    given: (page) =>
      change<Notification[]>(page, '**/api/notifications', ([first]) =>
        Array.from({ length: 120 }, (_, index) => ({
          id: `n-${index}`,
          title: index % 2 ? 'Unbreakablywrittentitle'.repeat(4) : 'Outcome proposed',
          message: `${first?.message ?? ''} ${'and on and on '.repeat(index % 5)}`,
          isRead: index > 105,
          createdAt: '2026-03-01T12:05:00Z',
          betId: null,
          deadline: null,
        })),
      ),
    when: openNotifications,
    shows: '99+',
    window: true,
  },
  {
    name: 'notifications failed',
    as: 'ben',
    path: '/achievements',
    given: (page) => refuse(page, '**/api/notifications'),
    when: openNotifications,
    shows: 'Notifications could not be loaded.',
    refused: [500],
    window: true,
  },
  { name: 'menu', as: 'ada', path: '/achievements', when: openMenu, shows: 'Logout', window: true },
];

export const memberScenes: Scene[] = [
  ...portfolio,
  ...market,
  ...create,
  ...share,
  ...achievements,
  ...accountScenes,
  ...around,
];
