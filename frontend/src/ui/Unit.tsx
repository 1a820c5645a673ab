import { useConfig, useIsTestMode } from '../api/config';
import type { Currency } from '../api/types';
import { currencyName } from '../lib/money';
import { satsTexts } from '../texts/common';
import styles from './Unit.module.css';

interface UnitProps {
  currency: Currency;
  /** The amount that decides between singular and plural. */
  amount?: number;
}

/** The name of a currency. Before the name of test sats, a label says that they are test sats. */
export function Unit({ currency, amount }: UnitProps) {
  const name = currencyName(currency, amount === undefined ? amount : Math.abs(amount));
  return (
    <>
      <TestTag currency={currency} after=" " />
      {name}
    </>
  );
}

interface TestTagProps {
  currency: Currency;
  /** Text after the label. */
  after?: string;
}

/**
 * The label of test sats, in brackets unless a text follows. Shows nothing for real sats and for other currencies.
 */
export function TestTag({ currency, after }: TestTagProps) {
  const config = useConfig(currency === 'sats');
  if (!config?.isTestMode || currency !== 'sats') return null;
  return (
    <>
      <abbr className={styles.tag} title={satsTexts.testTitle}>
        {after ? satsTexts.test : `(${satsTexts.test})`}
      </abbr>
      {after}
    </>
  );
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
