import { expect, it } from 'vitest';
import { isActive, isOpen, isParty, partyOf } from './status';

it('knows the party that a user is', () => {
  const parties = { creatorId: 'u-ada', acceptorId: 'u-bob' };
  expect([null, 'u-ada', 'u-bob', 'u-x'].map((id) => partyOf(parties, id))).toEqual([
    'visitor',
    'creator',
    'acceptor',
    'stranger',
  ]);
});

it('counts nobody but the two sides as a party', () => {
  const taken = { creatorId: 'u-ada', acceptorId: 'u-bob' };
  expect([null, 'u-ada', 'u-bob', 'u-x'].map((id) => isParty(taken, id))).toEqual([false, true, true, false]);
  // Neither the visitor nor the free side has an id.
  expect(isParty({ creatorId: 'u-ada', acceptorId: null }, null)).toBe(false);
});

it('counts a bet as active until it is resolved or cancelled', () => {
  const all = ['pending', 'accepted', 'awaiting_resolution', 'resolved', 'cancelled'] as const;
  expect(all.filter((status) => isActive({ status }))).toEqual([
    'pending',
    'accepted',
    'awaiting_resolution',
  ]);
});

it('counts a pending bet as open until the instant of its expiry', () => {
  const expiresAt = '2026-06-10T12:00:00Z';
  const at = (now: string, status: 'pending' | 'accepted' = 'pending') =>
    isOpen({ status, expiresAt }, new Date(now));
  expect(at('2026-06-10T11:59:59.999Z')).toBe(true);
  expect(at(expiresAt)).toBe(false);
  expect(at('2026-06-10T11:00:00Z', 'accepted')).toBe(false);
});
