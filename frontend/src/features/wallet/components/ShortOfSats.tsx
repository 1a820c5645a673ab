import { formatMoney } from '../../../lib/money';
import { depositTexts, withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import styles from './wallet.module.css';

interface ShortOfSatsProps {
  /** The amount plus the fee limit, in sats. */
  needed: number;
  balance: number;
  /** The end of the message 'You are N sats short …'. It says what the sats are needed for. */
  purpose: string;
  /** Whether the error of the amount field already shows the needed sats and the balance. */
  isToldAbove?: boolean;
  onDeposit: () => void;
}

/** Shows how many sats the user lacks for a withdrawal, and a button that opens the deposit dialog. */
export function ShortOfSats({ needed, balance, purpose, isToldAbove = false, onDeposit }: ShortOfSatsProps) {
  return (
    <div className={`${styles.warning} ${styles.short}`} role="status">
      {!isToldAbove && <p className={styles.strong}>{shortWords(needed, balance)}</p>}
      <p>{texts.missing(formatMoney(needed - balance, 'sats'), purpose)}</p>
      <div>
        <Button onClick={onDeposit}>{depositTexts.open}</Button>
      </div>
    </div>
  );
}

export function shortWords(needed: number, balance: number): string {
  return texts.short(formatMoney(needed, 'sats'), formatMoney(balance, 'sats'));
}
