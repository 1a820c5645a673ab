import { TrendingDown, TrendingUp } from 'lucide-react';
import type { Currency } from '../api/types';
import { currencyName, formatNumber, formatSigned } from '../lib/money';
import styles from './Money.module.css';

interface MoneyProps {
  amount: number;
  currency: Currency;
  /** A gain or a loss: sign, icon and colour. */
  signed?: boolean;
}

export function Money({ amount, currency, signed }: MoneyProps) {
  const tone = signed && amount !== 0 ? (amount > 0 ? 'won' : 'lost') : undefined;
  const Icon = amount > 0 ? TrendingUp : TrendingDown;
  return (
    <span className={styles.money} data-tone={tone}>
      {tone && <Icon size={16} aria-hidden="true" />}
      <span className={styles.figure}>{signed ? formatSigned(amount) : formatNumber(amount)}</span>{' '}
      <span className={styles.unit}>{currencyName(currency, Math.abs(amount))}</span>
    </span>
  );
}
