import type { ReactNode } from 'react';
import styles from './wallet.module.css';

/** Names with their values. An empty value is left out. */
export type Fact = readonly [string, ReactNode] | null | '' | false;

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
