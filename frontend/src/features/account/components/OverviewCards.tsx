import type { User } from '../../../api/types';
import { formatDate } from '../../../lib/dates';
import { formatNumber, formatUsd, satsToBtc, satsToUsd } from '../../../lib/money';
import { accountTexts as texts } from '../../../texts/account';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';
import { SatsNote, Unit } from '../../../ui/Unit';
import { WalletActions } from '../../wallet';
import styles from './account.module.css';

export function OverviewCard({ user }: { user: User }) {
  return (
    <Card title={texts.overview}>
      <Facts look="below">
        <Fact name={texts.email}>{user.email}</Fact>
        <Fact name={texts.username}>{user.username || texts.notSet}</Fact>
        <Fact name={texts.memberSince}>{user.createdAt ? formatDate(user.createdAt) : texts.recently}</Fact>
      </Facts>
    </Card>
  );
}

export function BalancesCard({ user }: { user: User }) {
  return (
    <Card title={texts.balances}>
      <div className={styles.balances}>
        <section className={styles.balance} aria-label={texts.bolts.title}>
          <h3>{texts.bolts.title}</h3>
          <p className={styles.amount}>
            {formatNumber(user.boltsBalance)}{' '}
            <span>
              <Unit currency="bolts" />
            </span>
          </p>
          <p className={styles.kind}>{texts.bolts.kind}</p>
          <p className={styles.note}>{texts.bolts.note}</p>
        </section>
        <section className={styles.balance} aria-label={texts.sats.title}>
          <h3>{texts.sats.title}</h3>
          <p className={styles.amount}>
            {formatNumber(user.satsBalance)}{' '}
            <span>
              <Unit currency="sats" />
            </span>
          </p>
          <Facts className={styles.worth}>
            <Fact name={texts.bitcoin}>{satsToBtc(user.satsBalance)} BTC</Fact>
            <Fact name={texts.dollars}>{formatUsd(satsToUsd(user.satsBalance))}</Fact>
          </Facts>
          <p className={styles.note}>
            <SatsNote test={texts.sats.testNote} real={texts.sats.note} />
          </p>
          <p className={styles.note}>{texts.dollarsNote}</p>
        </section>
      </div>
      <WalletActions user={user} />
    </Card>
  );
}
