import { keys } from '../../../api/keys';
import type { Withdrawal } from '../../../api/types';
import { usePagedApi } from '../../../api/usePagedApi';
import { formatMoney } from '../../../lib/money';
import { prepared } from '../../../lib/prepared';
import { useLateDialog } from '../../../lib/useLateDialog';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ListState } from '../../../ui/ListState';
import { Money } from '../../../ui/Money';
import { MoreButton } from '../../../ui/MoreButton';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { WithdrawalBadge } from './WithdrawalBadge';
import styles from './wallet.module.css';

const detail = prepared(() => import(/* webpackChunkName: "late" */ './WithdrawalDialog'));

/** A list of the user's latest withdrawals and their states. */
export function WithdrawalsCard() {
  const list = usePagedApi(keys.latestWithdrawals);
  const { shown, awaited, open, close } = useLateDialog<Withdrawal>(detail);
  return (
    <Card title={texts.list}>
      <ListState
        small
        list={list}
        loading={<Skeleton size="line" />}
        failed={texts.listFailed}
        empty={<p className={styles.muted}>{texts.none}</p>}
        more={<MoreButton small list={list} label={texts.more} />}
      >
        {(withdrawals) => (
          <ul className={styles.rows}>
            {withdrawals.map((withdrawal) => (
              <li key={withdrawal.id} className={styles.row}>
                <Row
                  withdrawal={withdrawal}
                  pending={withdrawal === awaited}
                  onChoose={() => void open(withdrawal)}
                />
              </li>
            ))}
          </ul>
        )}
      </ListState>
      {shown && <detail.Part withdrawal={shown.about} open={shown.open} onClose={() => close(shown.about)} />}
    </Card>
  );
}

interface RowProps {
  withdrawal: Withdrawal;
  pending: boolean;
  onChoose: () => void;
}

function Row({ withdrawal, pending, onChoose }: RowProps) {
  const { label } = texts.states[withdrawal.status];
  return (
    <>
      <div className={styles.rowWords}>
        <p className={styles.rowTitle}>
          <Money amount={withdrawal.amount} currency="sats" />
          <WithdrawalBadge withdrawal={withdrawal} />
        </p>
        <p className={styles.rowFacts}>
          <Time at={withdrawal.createdAt} />
          {withdrawal.lightningAddress && <span>{withdrawal.lightningAddress}</span>}
        </p>
      </div>
      <Button
        small
        pending={pending}
        aria-label={texts.detailsOf(formatMoney(withdrawal.amount, 'sats'), label.toLowerCase())}
        onClick={onChoose}
      >
        {texts.details}
      </Button>
    </>
  );
}
