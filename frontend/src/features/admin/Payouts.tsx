import { useState } from 'react';
import { keys } from '../../api/keys';
import type { AdminWithdrawal, WithdrawalStatus } from '../../api/types';
import { usePagedApi } from '../../api/usePagedApi';
import { adminTexts } from '../../texts/admin';
import { withdrawTexts } from '../../texts/wallet';
import { Field, selectClass } from '../../ui/Field';
import { Money } from '../../ui/Money';
import { Time } from '../../ui/Time';
import { WithdrawalBadge } from '../wallet';
import styles from './admin.module.css';
import { ListSection } from './ListSection';

const texts = adminTexts.payouts;
const STATUSES: readonly WithdrawalStatus[] = ['held', 'sending', 'paid', 'refunded'];

/** The list of the withdrawals of all users, for admins. */
export function Payouts() {
  const [status, setStatus] = useState('');
  const list = usePagedApi(keys.adminWithdrawals(status || null));
  const filter = (
    <Field label={texts.filter}>
      {(control) => (
        <select
          {...control}
          className={selectClass}
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        >
          <option value="">{texts.all}</option>
          {STATUSES.map((name) => (
            <option key={name} value={name}>
              {withdrawTexts.states[name].label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <ListSection title={texts.title} intro={texts.intro} filter={filter} list={list} texts={texts}>
      {(payouts) => (
        <ul className={styles.rows}>
          {payouts.map((payout) => (
            <li key={payout.withdrawal.id} className={styles.row}>
              <Payout payout={payout} />
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function Payout({ payout: { userEmail, attempts, withdrawal } }: { payout: AdminWithdrawal }) {
  const { fee, feeLimit, refundReason } = withdrawal;
  return (
    <div className={styles.rowWords}>
      <p className={styles.rowFacts}>
        <b className={styles.who}>{userEmail}</b>
        <Money amount={withdrawal.amount} currency="sats" />
        <WithdrawalBadge withdrawal={withdrawal} />
      </p>
      <p className={styles.rowFacts}>
        <Time at={withdrawal.createdAt} />
        <span>
          {fee === null ? texts.feeLimit : texts.fee} <Money amount={fee ?? feeLimit} currency="sats" />
        </span>
        <span>{attempts === 0 ? texts.notSent : texts.attempts(attempts)}</span>
        {withdrawal.lightningAddress && <span>{withdrawal.lightningAddress}</span>}
      </p>
      {refundReason && <p className={styles.muted}>{refundReason}</p>}
      <p className={styles.id}>{withdrawal.id}</p>
    </div>
  );
}
