import type { Currency, User } from '../../../api/types';
import { formatDate } from '../../../lib/dates';
import {
  balanceOf,
  CURRENCIES,
  currencyName,
  formatNumber,
  formatUsd,
  satsToBtc,
  satsToUsd,
} from '../../../lib/money';
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
        {CURRENCIES.map((currency) => (
          <Balance key={currency} currency={currency} amount={balanceOf(user, currency)} />
        ))}
      </div>
      <WalletActions user={user} />
    </Card>
  );
}

function Balance({ currency, amount }: { currency: Currency; amount: number }) {
  const { kind, note, testNote } = texts.currencies[currency];
  const title = texts.balance(currencyName(currency));
  const isBitcoin = currency === 'sats';
  return (
    <section className={styles.balance} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.amount}>
        {formatNumber(amount)}{' '}
        <span>
          <Unit currency={currency} />
        </span>
      </p>
      {kind && <p className={styles.kind}>{kind}</p>}
      {isBitcoin && <Worth sats={amount} />}
      <p className={styles.note}>{testNote ? <SatsNote test={testNote} real={note} /> : note}</p>
      {isBitcoin && <p className={styles.note}>{texts.dollarsNote}</p>}
    </section>
  );
}

function Worth({ sats }: { sats: number }) {
  return (
    <Facts className={styles.worth}>
      <Fact name={texts.bitcoin}>{satsToBtc(sats)} BTC</Fact>
      <Fact name={texts.dollars}>{formatUsd(satsToUsd(sats))}</Fact>
    </Facts>
  );
}
