import { useConfig, useIsTestMode } from '../api/config';
import type { Currency } from '../api/types';
import { currencyName } from '../lib/money';
import { satsTexts } from '../texts/common';
import styles from './Unit.module.css';

interface UnitProps {
  currency: Currency;
  /** The amount, which decides between singular and plural. */
  amount?: number;
}

/** The name of a currency. For test sats it says that they are test sats. */
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

/** The label of test sats. Shows nothing for real sats and for other currencies. */
export function TestTag({ currency, after }: TestTagProps) {
  const config = useConfig(currency === 'sats');
  if (!config?.isTestMode || currency !== 'sats') return null;
  return (
    <>
      <abbr className={styles.tag} title={satsTexts.testTitle}>
        {satsTexts.test}
      </abbr>
      {after}
    </>
  );
}

/** A text that depends on whether sats are real. Until this is known, the longer text takes its place invisibly. */
export function SatsNote({ test, real }: { test: string; real: string }) {
  const isTestMode = useIsTestMode();
  if (isTestMode === null) return <span className={styles.place} data-words={test} />;
  return isTestMode ? test : real;
}
