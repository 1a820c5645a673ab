import { withdrawTexts as texts } from '../../../texts/wallet';
import { Money } from '../../../ui/Money';
import styles from './wallet.module.css';

/** Shows the fee limit of a withdrawal whose final fee is not known yet. */
export function FeeLimit({ feeLimit }: { feeLimit: number }) {
  return (
    <>
      {texts.atMost} <Money amount={feeLimit} currency="sats" />
      <span className={styles.hint}>{texts.feeHint}</span>
    </>
  );
}
