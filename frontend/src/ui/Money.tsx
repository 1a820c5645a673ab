import { TrendingDown, TrendingUp } from 'lucide-react';
import type { Currency } from '../api/types';
import { formatNumber, formatSigned } from '../lib/money';
import styles from './Money.module.css';
import { Unit } from './Unit';

interface MoneyProps {
  amount: number;
  currency: Currency;
  /** How the sign shows. `true`: as a gain or a loss, with sign, icon and colour. `'plain'`: only the sign. */
  signed?: boolean | 'plain';
}

export function Money({ amount, currency, signed }: MoneyProps) {
  const tone = signed === true && amount !== 0 ? (amount > 0 ? 'won' : 'lost') : undefined;
  const Icon = amount > 0 ? TrendingUp : TrendingDown;
  return (
    <span className={styles.money} data-tone={tone}>
      <span className={styles.figure}>
        {tone && <Icon size={16} aria-hidden="true" />}
        {signed ? formatSigned(amount) : formatNumber(amount)}
      </span>{' '}
      <span className={styles.unit}>
        <Unit currency={currency} amount={amount} />
      </span>
    </span>
  );
}
