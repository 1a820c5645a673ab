import { formatMoney } from '../../../lib/money';
import { depositTexts, withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import styles from './wallet.module.css';

interface ShortOfSatsProps {
  /** The amount and its fee limit. */
  needed: number;
  balance: number;
  /** What the missing sats are for. */
  purpose: string;
  /** The field above says already what is needed and what there is. */
  isToldAbove?: boolean;
  onDeposit: () => void;
}

/** What a withdrawal lacks, and the way to get it. */
export function ShortOfSats({ needed, balance, purpose, isToldAbove = false, onDeposit }: ShortOfSatsProps) {
  const missing = needed - balance;
  return (
    <div className={`${styles.warning} ${styles.short}`} role="status">
      {!isToldAbove && <p className={styles.strong}>{shortWords(needed, balance)}</p>}
      <p>{texts.missing(formatMoney(missing, 'sats'), missing === 1, purpose)}</p>
      <div>
        <Button onClick={onDeposit}>{depositTexts.open}</Button>
      </div>
    </div>
  );
}

export function shortWords(needed: number, balance: number): string {
  return texts.short(formatMoney(needed, 'sats'), formatMoney(balance, 'sats'));
}
