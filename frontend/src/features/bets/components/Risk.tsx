import type { ReactNode } from 'react';
import type { Bet, Currency } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { TestTag } from '../../../ui/Unit';
import { takersStake } from '../stakes';
import styles from './Risk.module.css';
import { Shortfall, useShortfall } from './Shortfall';

/** What a stake risks and wins. */
export function Risk({ stake, currency }: { stake: number; currency: Currency }) {
  return (
    <p className={styles.risk}>
      {betTexts.risk(stake, currency)} <TestTag currency={currency} />
    </p>
  );
}

interface TakersRiskProps {
  bet: Bet;
  /** The buttons that take the open side. */
  children: (isShort: boolean) => ReactNode;
}

/** The risk of the open side before the buttons that take it, and what the user lacks for its stake. */
export function TakersRisk({ bet, children }: TakersRiskProps) {
  const stake = takersStake(bet);
  const missing = useShortfall(stake, bet.currencyType);
  return (
    <>
      <Risk stake={stake} currency={bet.currencyType} />
      <Shortfall amount={stake} currency={bet.currencyType} />
      {children(missing > 0)}
    </>
  );
}
