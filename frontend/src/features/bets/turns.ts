import type { Bet } from '../../api/types';
import { formatMoney } from '../../lib/money';
import { consequenceTexts, nextTexts, turnTexts } from '../../texts/turns';
import { liveSentence, type TimedSentence } from './live';
import { outcomeName, personName, sideOf } from './parties';
import { stakeBy } from './stakes';
import { isExpired, isParty, type Party, partyOf } from './status';

/** What the bet asks of the viewer. Empty if the bet does not wait for the viewer. */
export function taskWords(bet: Bet): string {
  const proposed = bet.proposedWinningOption;
  return bet.turn ? turnTexts.ask[bet.turn](proposed ? outcomeName(bet, proposed) : '') : '';
}

/** What the clock does at the next deadline, for this viewer: the texts before and after the time. */
export function consequenceWords(bet: Bet, userId: string | null): Omit<TimedSentence, 'at'> {
  if (bet.turn === 'answer_invitation') return { before: consequenceTexts.adminRules, after: '' };
  if (bet.arbiterDeadline) return { before: consequenceTexts.handedOver, after: '' };
  if (bet.next?.event === 'stand') return { before: consequenceTexts.stands, after: standWords(bet, userId) };
  const before = bet.next?.event === 'dispute_lapse' ? consequenceTexts.unruled : consequenceTexts.bothBack;
  return { before, after: '' };
}

/** The time until which the bet waits: the end of the arbiter's time, or the next step of the clock. */
export function deadlineOf(bet: Bet): string | null {
  return bet.arbiterDeadline ?? bet.next?.at ?? null;
}

/** The effect of the standing outcome on the viewer. Empty for viewers who have no stake. */
function standWords(bet: Bet, userId: string | null): string {
  if (!isParty(bet, userId)) return '';
  if (bet.proposedWinningOption === sideOf(bet, userId))
    return consequenceTexts.andYouGet(formatMoney(bet.pot, bet.currencyType));
  return consequenceTexts.andYouLose(formatMoney(stakeBy(bet, userId), bet.currencyType));
}

/** One sentence for the viewer: whose turn it is, until when, and what happens otherwise. Null after the bet's end. */
export function nextSentence(bet: Bet, userId: string | null, now: Date): TimedSentence | null {
  const party = partyOf(bet, userId);
  if (bet.status === 'pending') return pendingSentence(bet, party, now);
  if (bet.status !== 'accepted' && bet.status !== 'awaiting_resolution') return null;
  if (bet.status === 'accepted' && !isExpired(bet, now)) return liveSentence(bet, party);
  const lead = bet.turn ? nextTexts.yourTurn(taskWords(bet)) : othersWords(bet, userId);
  if (!lead || !bet.next) return { before: nextTexts.expired, at: null, after: '' };
  const { before, after } = consequenceWords(bet, userId);
  // The invitation has no deadline, so the sentence says that the time is the bet's.
  const until = bet.turn === 'answer_invitation' ? nextTexts.deadline : '';
  return { before: `${lead} ${before}${until}`, at: deadlineOf(bet), after: `${after}.` };
}

function pendingSentence(bet: Bet, party: Party, now: Date): TimedSentence {
  if (isExpired(bet, now)) return { before: nextTexts.lateTaker, at: null, after: '' };
  const stake = formatMoney(bet.stakeAmount, bet.currencyType);
  const before = party === 'creator' ? nextTexts.waitsForTaker(stake) : nextTexts.free;
  return { before, at: bet.expiresAt, after: '.' };
}

/** Whom the bet waits for, and with what task. Empty if the bet waits for nobody but the viewer. */
function othersWords(bet: Bet, userId: string | null): string {
  const names = bet.waitsFor.flatMap((role) => {
    if (role === 'admin') return [nextTexts.admin];
    if (role === 'arbiter') return [personName(bet.arbiter)];
    const id = role === 'creator' ? bet.creatorId : bet.acceptorId;
    return id === userId ? [] : [personName(bet[role])];
  });
  const [one, other] = names;
  if (one === undefined) return '';
  const { answer, rule, declare, propose } = nextTexts.tasks;
  const task = () => {
    if (bet.disputedAt) return rule;
    if (bet.proposalId) return answer;
    return bet.resolutionMethod === 'Manual Verification' ? declare : propose;
  };
  return nextTexts.waiting(other === undefined ? one : nextTexts.and(one, other), task());
}
