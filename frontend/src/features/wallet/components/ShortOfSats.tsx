import { formatMoney } from '../../../lib/money';
import { depositTexts, withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import styles from './wallet.module.css';

interface ShortOfSatsProps {
  /** The amount and its fee limit together. */
  needed: number;
  balance: number;
  /** The purpose of the missing sats. */
  purpose: string;
  /** Whether the error of the field above already names the needed sats and the balance. */
  isToldAbove?: boolean;
  onDeposit: () => void;
}

/** The sats that a withdrawal lacks, and a link to a deposit. */
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
