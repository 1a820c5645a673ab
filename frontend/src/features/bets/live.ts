import type { Bet } from '../../api/types';
import { liveTexts as texts } from '../../texts/live';
import { personName } from './parties';
import type { Party } from './status';

/** A sentence with a time in it. `at` is null if the sentence has no time. */
export interface TimedSentence {
  before: string;
  at: string | null;
  after: string;
}

/** What happens to a live bet at its expiry and after it. */
export function liveSentence(bet: Bet, party: Party, before = texts.live): TimedSentence {
  return { before, at: bet.expiresAt, after: texts.after(whatFollows(bet, party)) };
}

/** The same for a bet that the reader may take, as the sentence before the reader takes it. */
export function takenSentence(bet: Bet): TimedSentence {
  return liveSentence(bet, 'acceptor', texts.taken);
}

function whatFollows(bet: Bet, party: Party): string {
  if (bet.resolutionMethod === 'Manual Verification') return texts.thenDeclared;
  if (party === 'creator') return texts.thenYou;
  const creator = personName(bet.creator);
  return party === 'acceptor' ? texts.thenYouAnswer(creator) : texts.thenCreator(creator);
}
