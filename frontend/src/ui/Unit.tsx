import { useConfig, useIsTestMode } from '../api/config';
import type { Currency } from '../api/types';
import { currencyName } from '../lib/money';
import { satsTexts } from '../texts/common';
import styles from './Unit.module.css';

interface UnitProps {
  currency: Currency;
  /** Decides between one and many. */
  amount?: number;
}

/** A currency's name; where sats are test sats, it says so. */
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
  /** Text between the label and what it is the label of. */
  after?: string;
}

/** The one label of test sats, wherever sats are shown; nothing for Bolts, and nothing for real sats. */
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

/** What is said of sats by what they are. Until that is known nothing is claimed, and the place of the longer one is kept. */
export function SatsNote({ test, real }: { test: string; real: string }) {
  const isTestMode = useIsTestMode();
  if (isTestMode === null) return <span className={styles.place} data-words={test} />;
  return isTestMode ? test : real;
}
