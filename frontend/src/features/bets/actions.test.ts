import { describe, expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { type ActionState, type AllowedActions, allowedActions, partyOf } from './actions';

const NOW = new Date('2026-06-10T12:00:00Z');
const LATER = '2026-06-11T00:00:00Z';
const EARLIER = '2026-06-09T00:00:00Z';
const CREATOR = 'u-ada';
const ACCEPTOR = 'u-bob';

const bet = (change: Partial<ActionState>): ActionState => makeBet({ expiresAt: LATER, ...change });
const taken = { acceptorId: ACCEPTOR };
const manual = { resolutionMethod: 'Manual Verification' as const };
const live = { ...taken, status: 'accepted' as const };
const awaiting = { ...taken, status: 'awaiting_resolution' as const };
const proposed = (by: string) => ({ ...awaiting, proposalId: 'p', proposedBy: by });
const expired = { expiresAt: EARLIER };
const disputed = { disputedAt: EARLIER };

type Row = [string, Partial<ActionState>, string | null, (keyof AllowedActions)[]];

/** Decisions, section 5, written out: state, who, and everything that they may do. */
const TABLE: Row[] = [
  ['pending, visitor', {}, null, []],
  ['pending, stranger', {}, 'u-x', ['accept']],
  ['pending, creator', {}, CREATOR, ['delete']],
  ['pending and expired, stranger', expired, 'u-x', []],
  ['pending and expired, creator', expired, CREATOR, []],
  ['pending at the very instant of expiry', { expiresAt: NOW.toISOString() }, 'u-x', []],

  ['live mutual, creator', live, CREATOR, ['endEarly', 'propose']],
  ['live mutual, acceptor', live, ACCEPTOR, []],
  ['live mutual, stranger', live, 'u-x', []],
  ['live mutual, visitor', live, null, []],
  ['live manual, creator', { ...live, ...manual }, CREATOR, ['endEarly']],
  ['live manual, acceptor', { ...live, ...manual }, ACCEPTOR, []],
  ['live mutual expired, creator', { ...live, ...expired }, CREATOR, ['propose', 'dispute']],
  ['live mutual expired, acceptor', { ...live, ...expired }, ACCEPTOR, ['resolveExpired', 'dispute']],
  ['live manual expired, creator', { ...live, ...manual, ...expired }, CREATOR, ['propose', 'dispute']],
  [
    'live manual expired, acceptor',
    { ...live, ...manual, ...expired },
    ACCEPTOR,
    ['resolveExpired', 'propose', 'dispute'],
  ],
  ['live expired, stranger', { ...live, ...expired }, 'u-x', []],

  ['awaiting mutual, creator', awaiting, CREATOR, ['propose', 'dispute']],
  ['awaiting mutual, acceptor', awaiting, ACCEPTOR, ['dispute']],
  [
    'awaiting mutual, acceptor, not yet his turn',
    { ...awaiting, acceptorMayProposeAt: LATER },
    ACCEPTOR,
    ['dispute'],
  ],
  [
    'awaiting mutual, acceptor, his turn from this instant',
    { ...awaiting, acceptorMayProposeAt: NOW.toISOString() },
    ACCEPTOR,
    ['propose', 'dispute'],
  ],
  ['awaiting manual, creator', { ...awaiting, ...manual }, CREATOR, ['propose', 'dispute']],
  ['awaiting manual, acceptor', { ...awaiting, ...manual }, ACCEPTOR, ['dispute']],
  [
    'awaiting manual expired, acceptor',
    { ...awaiting, ...manual, ...expired },
    ACCEPTOR,
    ['propose', 'dispute'],
  ],
  ['awaiting, stranger', awaiting, 'u-x', []],
  ['awaiting, visitor', awaiting, null, []],

  ['proposed by creator, creator', proposed(CREATOR), CREATOR, ['dispute']],
  [
    'proposed by creator, acceptor',
    proposed(CREATOR),
    ACCEPTOR,
    ['acceptOutcome', 'rejectOutcome', 'dispute'],
  ],
  [
    'proposed by acceptor, creator',
    proposed(ACCEPTOR),
    CREATOR,
    ['acceptOutcome', 'rejectOutcome', 'dispute'],
  ],
  [
    'proposed by acceptor, acceptor whose turn it is',
    { ...proposed(ACCEPTOR), acceptorMayProposeAt: EARLIER },
    ACCEPTOR,
    ['dispute'],
  ],
  ['proposed, stranger', proposed(CREATOR), 'u-x', []],
  ['proposed, visitor', proposed(CREATOR), null, []],

  ['disputed without a proposal, creator', { ...awaiting, ...disputed }, CREATOR, []],
  ['disputed with a proposal, acceptor', { ...proposed(CREATOR), ...disputed }, ACCEPTOR, ['acceptOutcome']],
  ['disputed with a proposal, creator', { ...proposed(CREATOR), ...disputed }, CREATOR, []],
  ['disputed manual expired, acceptor', { ...awaiting, ...manual, ...expired, ...disputed }, ACCEPTOR, []],

  ['resolved, creator', { ...taken, status: 'resolved' }, CREATOR, []],
  ['resolved, acceptor', { ...taken, status: 'resolved' }, ACCEPTOR, []],
  ['cancelled, creator', { ...taken, status: 'cancelled' }, CREATOR, []],
  ['cancelled, stranger', { status: 'cancelled' }, 'u-x', []],
];

describe('allowedActions', () => {
  it.each(TABLE)('%s', (_name, change, userId, expected) => {
    const allowed = allowedActions(bet(change), userId, NOW);
    const names = Object.entries(allowed)
      .filter(([, may]) => may)
      .map(([name]) => name);
    expect(names).toEqual(expected);
  });
});

it('knows who someone is to a bet', () => {
  const parties = { creatorId: CREATOR, acceptorId: ACCEPTOR };
  expect([null, CREATOR, ACCEPTOR, 'u-x'].map((id) => partyOf(parties, id))).toEqual([
    'visitor',
    'creator',
    'acceptor',
    'stranger',
  ]);
});
