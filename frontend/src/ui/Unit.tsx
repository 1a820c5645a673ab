import { useIsTestMode } from '../api/config';
import type { Currency } from '../api/types';
import { currencyName } from '../lib/money';
import styles from './Unit.module.css';

interface UnitProps {
  currency: Currency;
  /** The amount that decides between singular and plural. */
  amount?: number;
}

/** The name of a currency. */
export function Unit({ currency, amount }: UnitProps) {
  return currencyName(currency, amount === undefined ? amount : Math.abs(amount));
}

/**
 * Shows `test` for test sats and `real` for real sats. Until the page knows which applies, an invisible `test` keeps
 * the space, because it is the longer text.
 */
export function SatsNote({ test, real }: { test: string; real: string }) {
  const isTestMode = useIsTestMode();
  if (isTestMode === null) return <span className={styles.place} data-words={test} />;
  return isTestMode ? test : real;
}
