import { describe, expect, it } from 'vitest';
import type { Bet } from '../../api/types';
import { makeBet } from '../../test/fixtures';
import { takenSentence } from './live';
import { consequenceWords, nextSentence, taskWords } from './turns';

const ada = 'u-ada';
const bob = 'u-bob';
const taken: Partial<Bet> = { acceptorId: bob, acceptor: { username: 'bob', email: 'b•••@example.com' } };
const live: Partial<Bet> = { ...taken, status: 'accepted' };
const awaiting: Partial<Bet> = {
  ...taken,
  status: 'awaiting_resolution',
  next: { event: 'lapse', at: '2026-03-15T00:00:00Z' },
};
const proposed: Partial<Bet> = {
  ...awaiting,
  proposalId: 'p-1',
  proposedBy: ada,
  proposedWinningOption: 'A',
  waitsFor: ['acceptor'],
  next: { event: 'stand', at: '2026-03-04T00:00:00Z' },
};
const disputed: Partial<Bet> = {
  ...awaiting,
  disputedAt: '2026-03-01T00:00:00Z',
  waitsFor: ['admin'],
  next: { event: 'dispute_lapse', at: '2026-03-31T00:00:00Z' },
};
const manual: Partial<Bet> = { resolutionMethod: 'Manual Verification' };
const now = new Date('2026-03-01T00:00:00Z');

/** The sentence with '…' in the place of its time. */
function said(change: Partial<Bet>, userId: string | null, at = now): string | null {
  const sentence = nextSentence(makeBet(change), userId, at);
  return sentence && `${sentence.before}${sentence.at ? ' …' : ''}${sentence.after}`;
}

describe('the sentence below the slip', () => {
  it.each<[string, Partial<Bet>, string | null, string]>([
    [
      'pending, creator',
      {},
      ada,
      'Waiting for a taker: if nobody takes your bet, your stake of 200 Bolts comes back ….',
    ],
    ['pending, other', {}, bob, 'The other side is open. If nobody takes it, the bet is cancelled ….'],
    ['pending, visitor', {}, null, 'The other side is open. If nobody takes it, the bet is cancelled ….'],
    [
      'live, creator',
      live,
      ada,
      'This bet is live: it expires …, and then you say what happened. If nobody settles it, both stakes go back.',
    ],
    [
      'live, acceptor',
      live,
      bob,
      'This bet is live: it expires …, and then ada proposes the outcome. It counts unless you reject it. If nobody settles it, both stakes go back.',
    ],
    [
      'live, other',
      live,
      'u-cleo',
      'This bet is live: it expires …, and then ada proposes the outcome. If nobody settles it, both stakes go back.',
    ],
    [
      'live, manual',
      { ...live, ...manual },
      bob,
      'This bet is live: it expires …, and then either side can declare the outcome. If nobody settles it, both stakes go back.',
    ],
    [
      'to propose',
      { ...awaiting, waitsFor: ['creator'], turn: 'propose' },
      ada,
      'Your turn: say what happened; otherwise both stakes go back ….',
    ],
    [
      'other proposes',
      { ...awaiting, waitsFor: ['creator'] },
      bob,
      'Waiting for ada to propose an outcome; otherwise both stakes go back ….',
    ],
    [
      'to answer and lose',
      { ...proposed, turn: 'answer' },
      bob,
      'Your turn: accept or reject the outcome “It snows”; otherwise the outcome stands … and you lose your stake of 200 Bolts.',
    ],
    [
      'to answer and win',
      { ...proposed, proposedWinningOption: 'B', turn: 'answer' },
      bob,
      'Your turn: accept or reject the outcome “It stays dry”; otherwise the outcome stands … and you get 400 Bolts.',
    ],
    [
      'other answers',
      proposed,
      ada,
      'Waiting for bob to answer; otherwise the outcome stands … and you get 400 Bolts.',
    ],
    ['stranger', proposed, 'u-cleo', 'Waiting for bob to answer; otherwise the outcome stands ….'],
    [
      'void proposed',
      { ...proposed, proposedWinningOption: 'void', next: awaiting.next ?? null, turn: 'answer' },
      bob,
      'Your turn: accept or reject the outcome “Void”; otherwise both stakes go back ….',
    ],
    [
      'rejected',
      { ...awaiting, waitsFor: ['creator'], turn: 'propose_again' },
      ada,
      'Your turn: propose another outcome or start a dispute; otherwise both stakes go back ….',
    ],
    [
      'expired, both',
      { ...awaiting, ...live, expiresAt: '2026-02-28T00:00:00Z', waitsFor: ['creator', 'acceptor'] },
      'u-cleo',
      'Waiting for ada or bob to propose an outcome; otherwise both stakes go back ….',
    ],
    [
      'expired, to open',
      {
        ...awaiting,
        ...live,
        expiresAt: '2026-02-28T00:00:00Z',
        waitsFor: ['creator', 'acceptor'],
        turn: 'open',
      },
      bob,
      'Your turn: start to settle this expired bet; otherwise both stakes go back ….',
    ],
    [
      'to declare',
      { ...awaiting, ...manual, waitsFor: ['creator'], turn: 'declare' },
      ada,
      'Your turn: declare what happened; otherwise both stakes go back ….',
    ],
    [
      'other declares',
      { ...awaiting, ...manual, waitsFor: ['creator'] },
      bob,
      'Waiting for ada to declare the outcome; otherwise both stakes go back ….',
    ],
    [
      'expired, invited arbiter',
      { ...awaiting, waitsFor: ['creator'], turn: 'answer_invitation' },
      'u-cleo',
      'Your turn: say whether you will be the arbiter; otherwise an admin rules on a dispute. The next deadline of the bet is ….',
    ],
    [
      'disputed, party',
      disputed,
      ada,
      'Waiting for an admin to rule; otherwise the bet is settled without a ruling ….',
    ],
    [
      'disputed, admin',
      { ...disputed, turn: 'rule' },
      'u-root',
      'Your turn: rule on this dispute; otherwise the bet is settled without a ruling ….',
    ],
  ])('%s', (_, change, userId, words) => {
    expect(said(change, userId)).toBe(words);
  });

  it('names the deadline of the step that it tells', () => {
    expect(nextSentence(makeBet(proposed), ada, now)?.at).toBe('2026-03-04T00:00:00Z');
    expect(nextSentence(makeBet(live), ada, now)?.at).toBe('2099-01-01T00:00:00Z');
  });

  it('says what is known while the server has not applied the expiry yet', () => {
    const late = new Date('2099-01-02T00:00:00Z');
    expect(said({}, ada, late)).toBe('Nobody took this bet in time. The stake goes back to its creator.');
    expect(said(live, ada, late)).toBe('This bet has expired.');
  });

  it('tells who may take a bet what follows, before the bet is taken', () => {
    const sentence = takenSentence(makeBet({}));
    expect(`${sentence.before} …${sentence.after}`).toBe(
      'It expires …, and then ada proposes the outcome. It counts unless you reject it. If nobody settles it, both stakes go back.',
    );
    expect(sentence.at).toBe('2099-01-01T00:00:00Z');
    expect(takenSentence(makeBet(manual)).after).toMatch(/^, and then either side can declare the outcome\./);
  });

  it.each(['resolved', 'cancelled'] as const)('is absent once the bet is %s', (status) => {
    expect(said({ ...taken, status }, ada)).toBeNull();
  });
});

it('says to a card what is asked, and what happens otherwise', () => {
  const bet = makeBet({ ...proposed, turn: 'answer' });
  expect(taskWords(bet)).toBe('accept or reject the outcome “It snows”');
  expect(consequenceWords(bet, bob)).toEqual({
    before: 'the outcome stands',
    after: ' and you lose your stake of 200 Bolts',
  });
  expect(taskWords(makeBet())).toBe('');
});

it('names each reader’s own amounts at odds', () => {
  const odds = { stakeAmount: 100, opponentStake: 40 };
  expect(said({ ...proposed, ...odds }, ada)).toContain('and you get 140 Bolts');
  expect(said({ ...proposed, turn: 'answer', ...odds }, bob)).toContain('you lose your stake of 40 Bolts');
  expect(said(odds, ada)).toContain('your stake of 100 Bolts comes back');
});
