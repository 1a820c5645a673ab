import type { Achievement, Bet, BetIdea, Notification, Stats, User, Withdrawal } from '../api/types';

export const user: User = {
  id: 'u-me',
  email: 'me@example.com',
  username: 'me',
  firstName: null,
  lastName: null,
  createdAt: '2026-01-01T00:00:00Z',
  boltsBalance: 1000,
  satsBalance: 50,
  isAdmin: false,
  mustChangePassword: false,
};

/** A bet. Both sides stake the same unless `change` has another stake of the opponent. */
export function makeBet(change: Partial<Bet> = {}): Bet {
  const stakeAmount = change.stakeAmount ?? 200;
  const opponentStake = change.opponentStake ?? stakeAmount;
  const pot = stakeAmount + opponentStake;
  const isCreatorB = change.creatorChoice === 'B';
  const [stakeA, stakeB] = isCreatorB ? [opponentStake, stakeAmount] : [stakeAmount, opponentStake];
  const odds = (stake: number) => Math.round((100 * pot) / stake) / 100;
  return {
    id: 'bet-1',
    title: 'Snow on Christmas Day',
    description: '',
    category: 'Weather',
    creatorId: 'u-ada',
    acceptorId: null,
    creator: { username: 'ada', email: 'a•••@example.com' },
    acceptor: null,
    creatorChoice: 'A',
    optionA: 'It snows',
    optionB: 'It stays dry',
    stakeAmount,
    opponentStake,
    stakeA,
    stakeB,
    pot,
    currencyType: 'bolts',
    status: 'pending',
    isPrivate: false,
    isPublic: true,
    shareToken: null,
    oddsA: odds(stakeA),
    oddsB: odds(stakeB),
    expiresAt: '2099-01-01T00:00:00Z',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    acceptedAt: null,
    resolutionMethod: 'Mutual Agreement',
    resolutionDate: null,
    sourceUrl: null,
    winnerId: null,
    winningOption: null,
    proposedWinningOption: null,
    proposalId: null,
    proposedBy: null,
    proposedAt: null,
    rejectionCount: 0,
    lastRejectedAt: null,
    disputedAt: null,
    disputeReason: null,
    settledAt: null,
    settledBy: null,
    cancelReason: null,
    acceptorMayProposeAt: null,
    next: null,
    // The actions that a signed-in user may take on an open bet of another user.
    actions: ['accept'],
    waitsFor: [],
    turn: null,
    arbiter: null,
    arbiterDeadline: null,
    ...change,
  };
}

const none = { wins: 0, losses: 0, net: 0, bestWin: 0, biggestLoss: 0, totalBets: 0, activeBets: 0 };

export const stats: Stats = {
  totalBets: 5,
  activeBets: 1,
  wonBets: 2,
  lostBets: 1,
  winRate: 66.67,
  totalBoltsWinnings: 400,
  totalSatsWinnings: 0,
  totalWinnings: 0,
  bolts: {
    ...none,
    wins: 2,
    losses: 1,
    net: 300,
    bestWin: 200,
    biggestLoss: 100,
    totalBets: 5,
    activeBets: 1,
  },
  sats: none,
};

export function makeNotification(change: Partial<Notification> = {}): Notification {
  return {
    id: 'n-1',
    title: 'Outcome proposed',
    message: 'ada proposes an outcome',
    isRead: false,
    createdAt: '2026-03-01T12:05:00Z',
    betId: 'bet-1',
    deadline: null,
    ...change,
  };
}

export function makeAchievement(
  change: Omit<Partial<Achievement>, 'definition'> & { definition?: Partial<Achievement['definition']> } = {},
): Achievement {
  const { definition, ...rest } = change;
  return {
    current: 0,
    target: 1,
    percentage: 0,
    unlockedAt: null,
    claimedAt: null,
    ...rest,
    definition: {
      id: 'first_bet',
      name: 'First Steps',
      description: 'Create or accept your first bet',
      icon: '🎯',
      category: 'betting',
      rarity: 'common',
      condition: { type: 'total_bets', value: 1 },
      reward: { bolts: 100, sats: null, title: null },
      ...definition,
    },
  };
}

export function makeWithdrawal(change: Partial<Withdrawal> = {}): Withdrawal {
  return {
    id: 'w-1',
    status: 'sending',
    amount: 1000,
    feeLimit: 10,
    fee: null,
    lightningAddress: null,
    invoice: 'lnbc10u1invoice',
    paymentHash: 'ab'.repeat(32),
    preimage: null,
    refundReason: null,
    isInDoubt: false,
    createdAt: new Date().toISOString(),
    endedAt: null,
    ...change,
  };
}

export function makeIdea(change: Partial<BetIdea> = {}): BetIdea {
  return {
    title: 'Snow in Oslo on Friday?',
    description: 'The weather service decides.',
    optionA: 'Snow',
    optionB: 'No snow',
    category: 'Weather',
    resolutionMethod: 'Mutual Agreement',
    sourceUrl: 'https://www.yr.no/',
    expiryDate: '2030-11-29T21:00:00Z',
    oddsA: null,
    ...change,
  };
}
