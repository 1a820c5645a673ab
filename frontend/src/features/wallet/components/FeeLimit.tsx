import { withdrawTexts as texts } from '../../../texts/wallet';
import { Money } from '../../../ui/Money';
import styles from './wallet.module.css';

/** The fee of a withdrawal as long as only its limit is known. */
export function FeeLimit({ feeLimit }: { feeLimit: number }) {
  return (
    <>
      {texts.atMost} <Money amount={feeLimit} currency="sats" />
      <span className={styles.hint}>{texts.feeHint}</span>
    </>
  );
}
