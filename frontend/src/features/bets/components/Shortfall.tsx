import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../api/session';
import type { Currency, User } from '../../../api/types';
import { balanceOf, currencyName, currencySpecs, formatMoney } from '../../../lib/money';
import { shortfallTexts as texts } from '../../../texts/bets';
import styles from './Shortfall.module.css';

/** The number of Bolts or sats that the user lacks to pay `amount`. 0 if the balance covers the amount. */
export function shortfallOf(user: User, amount: number, currency: Currency): number {
  return Math.max(0, amount - balanceOf(user, currency));
}

export function shortfallWords(amount: number, missing: number, currency: Currency): string {
  const [needed, had, lacking] = [amount, amount - missing, missing].map((sum) => formatMoney(sum, currency));
  return texts.missing(needed ?? '', had ?? '', lacking ?? '');
}

/** The number of Bolts or sats that the signed-in user lacks to pay `amount`. 0 for visitors. */
export function useShortfall(amount: number, currency: Currency): number {
  const { user } = useSession();
  return user ? shortfallOf(user, amount, currency) : 0;
}

interface ShortfallProps {
  amount: number;
  currency: Currency;
}

/** Shows how much the user lacks for a stake, and links to get more. Shows nothing if the balance covers the stake. */
export function Shortfall({ amount, currency }: ShortfallProps) {
  const missing = useShortfall(amount, currency);
  if (missing === 0) return null;
  return (
    <div className={styles.shortfall}>
      <p>{shortfallWords(amount, missing, currency)}</p>
      <p>
        <WaysToGet currency={currency} practise={<Link to="/create-bet">{texts.practise}</Link>} />
      </p>
    </div>
  );
}

interface WaysToGetProps {
  currency: Currency;
  /** A link or button that leads to a bet in Bolts, for practice without sats. */
  practise: ReactNode;
}

/** Links to the pages on which the user can get more Bolts or sats. */
export function WaysToGet({ currency, practise }: WaysToGetProps) {
  const name = currencyName(currency);
  if (!currencySpecs[currency].isMoney) return <Link to="/achievements">{texts.earn(name)}</Link>;
  return (
    <>
      <Link to="/account?deposit">{texts.deposit(name.toLowerCase())}</Link> {texts.or} {practise}
    </>
  );
}
