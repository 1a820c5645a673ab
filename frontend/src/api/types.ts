/** The API's JSON, as docs/http-api.md has it; replaced by the generated schema once the server prints one. */

export type Side = 'A' | 'B';
export type Outcome = Side | 'void';
export type Currency = 'bolts' | 'sats';
export type BetStatus = 'pending' | 'accepted' | 'awaiting_resolution' | 'resolved' | 'cancelled';
export type ResolutionMethod = 'Mutual Agreement' | 'Manual Verification';
export type NextEvent = 'expire' | 'due' | 'stand' | 'lapse' | 'dispute_lapse';
export type SettledBy = 'agreement' | 'declaration' | 'ruling' | 'stand' | 'dispute_lapse';
export type CancelReason = 'expired' | 'deleted' | 'void' | 'lapsed' | 'refunded';

export interface Person {
  username: string | null;
  email: string;
}

export interface Upcoming {
  event: NextEvent;
  at: string;
}

export interface Bet {
  id: string;
  title: string;
  description: string | null;
  category: string | null;
  creatorId: string;
  acceptorId: string | null;
  creator: Person;
  acceptor: Person | null;
  creatorChoice: Side;
  optionA: string;
  optionB: string;
  stakeAmount: number;
  currencyType: Currency;
  status: BetStatus;
  isPrivate: boolean;
  isPublic: boolean;
  shareToken: string | null;
  oddsA: number;
  oddsB: number;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  acceptedAt: string | null;
  resolutionMethod: ResolutionMethod;
  resolutionDate: string | null;
  sourceUrl: string | null;
  winnerId: string | null;
  winningOption: Side | null;
  proposedWinningOption: Outcome | null;
  proposalId: string | null;
  proposedBy: string | null;
  proposedAt: string | null;
  rejectionCount: number;
  lastRejectedAt: string | null;
  disputedAt: string | null;
  disputeReason: string | null;
  settledAt: string | null;
  settledBy: SettledBy | null;
  cancelReason: CancelReason | null;
  acceptorMayProposeAt: string | null;
  next: Upcoming | null;
}

export interface User {
  id: string;
  email: string;
  username: string | null;
  firstName: string | null;
  lastName: string | null;
  createdAt: string;
  boltsBalance: number;
  satsBalance: number;
  isAdmin: boolean;
  mustChangePassword: boolean;
}

export interface CurrencyStats {
  wins: number;
  losses: number;
  net: number;
  bestWin: number;
  biggestLoss: number;
  totalBets: number;
  activeBets: number;
}

export interface Stats {
  totalBets: number;
  activeBets: number;
  wonBets: number;
  lostBets: number;
  winRate: number;
  totalBoltsWinnings: number;
  totalSatsWinnings: number;
  totalWinnings: number;
  bolts: CurrencyStats;
  sats: CurrencyStats;
}

export interface MarketStats {
  activeBets: number;
  boltsVolume: number;
  satsVolume: number;
  totalBetsCount: number;
}

export interface Notification {
  id: string;
  title: string;
  message: string;
  isRead: boolean;
  createdAt: string;
  betId: string | null;
}

export type TimelineEventName =
  | 'created'
  | 'accepted'
  | 'deleted'
  | 'expired'
  | 'due'
  | 'ended_early'
  | 'proposed'
  | 'agreed'
  | 'declared'
  | 'rejected'
  | 'disputed'
  | 'ruled'
  | 'stood'
  | 'lapsed'
  | 'dispute_lapsed'
  | 'refunded'
  | 'admin_deleted';

export interface TimelineEvent {
  at: string;
  event: TimelineEventName;
  by: 'creator' | 'acceptor' | 'admin' | 'clock';
  detail: string | null;
}

export interface Timeline {
  events: TimelineEvent[];
  next: Upcoming | null;
}

export interface FieldProblem {
  field: string;
  message: string;
}

export interface Problem {
  title: string;
  status: number;
  code: string;
  detail: string;
  errors: FieldProblem[];
}

export interface NewBet {
  title: string;
  description: string | null;
  optionA: string;
  optionB: string;
  stakeAmount: number;
  currencyType: Currency;
  category: string | null;
  isPrivate: boolean;
  isPublic: boolean;
  resolutionMethod: ResolutionMethod;
  resolutionDate: null;
  sourceUrl: string | null;
  creatorOption: Side;
  expiresAt: string;
  timeZone: string;
}
