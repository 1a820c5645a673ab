import type { Bet, Outcome } from '../../api/types';
import { formatMoney } from '../../lib/money';
import { resolutionTexts as texts } from '../../texts/resolution';
import { personName } from './parties';
import { potOf } from './stakes';

/** A text that tells the user `userId` each party's payout for this outcome. */
export function payoutWords(bet: Bet, outcome: Outcome, userId: string): string {
  const stake = formatMoney(bet.stakeAmount, bet.currencyType);
  const creator = { isReader: userId === bet.creatorId, name: personName(bet.creator) };
  const acceptor = { isReader: userId === bet.acceptorId, name: personName(bet.acceptor) };
  if (outcome === 'void') {
    const back = [creator, acceptor].map(({ isReader, name }) =>
      isReader ? texts.youGetBackStake(stake) : texts.getsBack(name, stake),
    );
    return [texts.eachBack, ...back].join(' ');
  }
  const [winner, loser] = outcome === bet.creatorChoice ? [creator, acceptor] : [acceptor, creator];
  const pot = formatMoney(potOf(bet), bet.currencyType);
  return [
    winner.isReader ? texts.youGetPot(pot) : texts.gets(winner.name, pot),
    loser.isReader ? texts.youLoseStake(stake) : texts.loses(loser.name, stake),
  ].join(' ');
}
