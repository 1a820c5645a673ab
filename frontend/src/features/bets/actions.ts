import type { Bet } from '../../api/types';

export type Party = 'visitor' | 'stranger' | 'creator' | 'acceptor';

/** What the person on the bet page may do right now; the server decides again when they do it. */
export interface AllowedActions {
  accept: boolean;
  delete: boolean;
  endEarly: boolean;
  resolveExpired: boolean;
  propose: boolean;
  acceptOutcome: boolean;
  rejectOutcome: boolean;
  dispute: boolean;
}

export type ActionState = Pick<
  Bet,
  | 'status'
  | 'creatorId'
  | 'acceptorId'
  | 'expiresAt'
  | 'resolutionMethod'
  | 'proposalId'
  | 'proposedBy'
  | 'disputedAt'
  | 'acceptorMayProposeAt'
>;

export function partyOf(bet: Pick<Bet, 'creatorId' | 'acceptorId'>, userId: string | null): Party {
  if (userId === null) return 'visitor';
  if (userId === bet.creatorId) return 'creator';
  return userId === bet.acceptorId ? 'acceptor' : 'stranger';
}

/** 'Expired' is a moment, not a status: it begins at the instant itself. */
export function isExpired(bet: Pick<Bet, 'expiresAt'>, now: Date): boolean {
  return now.getTime() >= new Date(bet.expiresAt).getTime();
}

/** Whether the other side can still be taken. */
export function isOpen(bet: Pick<Bet, 'status' | 'expiresAt'>, now: Date): boolean {
  return bet.status === 'pending' && !isExpired(bet, now);
}

export function allowedActions(bet: ActionState, userId: string | null, now: Date): AllowedActions {
  const party = partyOf(bet, userId);
  const expired = isExpired(bet, now);
  const isParty = party === 'creator' || party === 'acceptor';
  const undisputed = bet.disputedAt === null;
  const live = bet.status === 'accepted';
  const awaiting = bet.status === 'awaiting_resolution';
  const open = isOpen(bet, now);
  const answers = isParty && awaiting && bet.proposalId !== null && bet.proposedBy !== userId;
  return {
    accept: open && party === 'stranger',
    delete: open && party === 'creator',
    endEarly: live && !expired && party === 'creator',
    resolveExpired: live && expired && party === 'acceptor',
    propose: undisputed && (live || awaiting) && mayPropose(bet, party, expired, now),
    acceptOutcome: answers,
    rejectOutcome: answers && undisputed,
    dispute: isParty && undisputed && (awaiting || (live && expired)),
  };
}

function mayPropose(bet: ActionState, party: Party, expired: boolean, now: Date): boolean {
  const live = bet.status === 'accepted';
  if (bet.resolutionMethod === 'Manual Verification') {
    if (live) return expired && (party === 'creator' || party === 'acceptor');
    return party === 'creator' || (party === 'acceptor' && expired);
  }
  if (bet.proposalId !== null) return false;
  if (party === 'creator') return true;
  return party === 'acceptor' && !live && reached(bet.acceptorMayProposeAt, now);
}

function reached(instant: string | null, now: Date): boolean {
  return instant !== null && now.getTime() >= new Date(instant).getTime();
}
