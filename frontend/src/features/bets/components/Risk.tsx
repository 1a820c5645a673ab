import type { ReactNode } from 'react';
import type { Bet, Currency } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { takenSentence } from '../live';
import { BelowArbiterNote } from './Late';
import styles from './Risk.module.css';
import { Shortfall, useShortfall } from './Shortfall';
import { Timed } from './Timed';

/** Shows what a user pays for a side, gets with a win, and gains. */
export function Risk({ stake, pot, currency }: { stake: number; pot: number; currency: Currency }) {
  return <p className={styles.risk}>{betTexts.deal(stake, pot, currency)}</p>;
}

interface TakersRiskProps {
  bet: Bet;
  /** Returns the buttons that take the open side. `isShort` is true if the balance does not cover the stake. */
  children: (isShort: boolean) => ReactNode;
}

/** Shows the risk of the open side and how much the user lacks for the stake, above the buttons that take the side. */
export function TakersRisk({ bet, children }: TakersRiskProps) {
  const stake = bet.opponentStake;
  const missing = useShortfall(stake, bet.currencyType);
  return (
    <BelowArbiterNote bet={bet}>
      <Risk stake={stake} pot={bet.pot} currency={bet.currencyType} />
      <p>
        <Timed sentence={takenSentence(bet)} />
      </p>
      <Shortfall amount={stake} currency={bet.currencyType} />
      {children(missing > 0)}
    </BelowArbiterNote>
  );
}
