import type { Bet, Outcome } from '../../api/types';
import { formatMoney } from '../../lib/money';
import { resolutionTexts as texts } from '../../texts/resolution';
import { personName } from './parties';

/** A text that tells the user `userId` each party's payout for this outcome. */
export function payoutWords(bet: Bet, outcome: Outcome, userId: string): string {
  const money = (amount: number) => formatMoney(amount, bet.currencyType);
  const creator = {
    isReader: userId === bet.creatorId,
    name: personName(bet.creator),
    stake: money(bet.stakeAmount),
  };
  const acceptor = {
    isReader: userId === bet.acceptorId,
    name: personName(bet.acceptor),
    stake: money(bet.opponentStake),
  };
  if (outcome === 'void') {
    const back = [creator, acceptor].map(({ isReader, name, stake }) =>
      isReader ? texts.youGetBackStake(stake) : texts.getsBack(name, stake),
    );
    return [texts.eachBack, ...back].join(' ');
  }
  const [winner, loser] = outcome === bet.creatorChoice ? [creator, acceptor] : [acceptor, creator];
  const pot = money(bet.pot);
  return [
    winner.isReader ? texts.youGetPot(pot) : texts.gets(winner.name, pot),
    loser.isReader ? texts.youLoseStake(loser.stake) : texts.loses(loser.name, loser.stake),
  ].join(' ');
}
