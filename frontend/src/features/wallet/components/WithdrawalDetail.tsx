import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../api/keys';
import { useRefreshAll } from '../../../api/session';
import type { Withdrawal } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { CopyField } from '../../../ui/CopyField';
import { Fact, Facts } from '../../../ui/Facts';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { FeeLimit } from './FeeLimit';
import { WithdrawalBadge } from './WithdrawalBadge';
import styles from './wallet.module.css';

const POLL_MS = 3_000;
/** If a withdrawal has no result after this time, the page shows a text about the long wait. */
const LONG_MS = 20_000;

function hasEnded({ status }: Withdrawal): boolean {
  return status === 'paid' || status === 'refunded';
}

interface WithdrawalDetailProps {
  /** The withdrawal as the page received it last. */
  withdrawal: Withdrawal;
  /** Whether an earlier request had already ordered it, so that the last one sent nothing. */
  isRepeated?: boolean;
  onDone: () => void;
}

/** Shows one withdrawal and polls its state until it is paid or refunded. */
export function WithdrawalDetail({ withdrawal: known, isRepeated, onDone }: WithdrawalDetailProps) {
  const place = useFocusOnMount<HTMLDivElement>();
  const { data } = useApi(keys.withdrawal(known.id), {
    fallbackData: known,
    refreshInterval: (latest) => (hasEnded(latest ?? known) ? 0 : POLL_MS),
  });
  const withdrawal = data ?? known;
  useRefreshAtEnd(withdrawal);
  return (
    <div ref={place} tabIndex={-1} className={`${styles.place} ${styles.form}`}>
      {isRepeated && <p className={styles.warning}>{texts.repeated}</p>}
      <div role="status" className={styles.progress}>
        <WithdrawalBadge withdrawal={withdrawal} />
        <Progress withdrawal={withdrawal} />
      </div>
      <WithdrawalFacts withdrawal={withdrawal} />
      {withdrawal.preimage && (
        <CopyField
          label={texts.facts.proof}
          value={withdrawal.preimage}
          copyLabel={texts.copyProof}
          copied={texts.proofCopied}
        />
      )}
      {!hasEnded(withdrawal) && <p className={styles.muted}>{texts.mayClose}</p>}
      <Button wide onClick={onDone}>
        {texts.done}
      </Button>
    </div>
  );
}

/** Shows the progress of a withdrawal. The text must not claim more than the Lightning provider has reported. */
function Progress({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status, refundReason } = withdrawal;
  const long = useIsLong(withdrawal);
  if (withdrawal.isInDoubt) return <p>{texts.inDoubt}</p>;
  return (
    <>
      <p>{status === 'sending' && long ? texts.waitingLong : texts.states[status].text}</p>
      {refundReason && (
        <p>
          {texts.reason}: {refundReason}
        </p>
      )}
    </>
  );
}

function useIsLong({ createdAt }: Withdrawal): boolean {
  const rest = new Date(createdAt).getTime() + LONG_MS - Date.now();
  const [long, setLong] = useState(rest <= 0);
  const wait = useRef(rest);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(wait.current, 0));
    return () => clearTimeout(timer);
  }, []);
  return long;
}

/** Reads all data on the page again when the withdrawal ends, because its end changes balances and lists. */
function useRefreshAtEnd(withdrawal: Withdrawal) {
  const ended = hasEnded(withdrawal);
  const before = useRef(ended);
  const refreshAll = useRefreshAll();
  useEffect(() => {
    if (ended && !before.current) void refreshAll();
    before.current = ended;
  }, [ended, refreshAll]);
}

function WithdrawalFacts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { facts } = texts;
  const { amount, feeLimit, fee, endedAt } = withdrawal;
  return (
    <Facts look="ruled">
      <Fact name={facts.amount}>
        <Money amount={amount} currency="sats" />
      </Fact>
      {withdrawal.status !== 'refunded' && (
        <Fact name={facts.fee}>
          {fee === null ? <FeeLimit feeLimit={feeLimit} /> : <Fee fee={fee} feeLimit={feeLimit} />}
        </Fact>
      )}
      {!hasEnded(withdrawal) && (
        <Fact name={facts.held}>
          <Money amount={amount + feeLimit} currency="sats" />
        </Fact>
      )}
      {withdrawal.lightningAddress && <Fact name={facts.to}>{withdrawal.lightningAddress}</Fact>}
      <Fact name={facts.created}>
        <Time at={withdrawal.createdAt} />
      </Fact>
      {endedAt && (
        <Fact name={facts.ended}>
          <Time at={endedAt} />
        </Fact>
      )}
      <Fact name={facts.hash}>
        <span className={styles.code}>{withdrawal.paymentHash}</span>
      </Fact>
    </Facts>
  );
}

function Fee({ fee, feeLimit }: { fee: number; feeLimit: number }) {
  return (
    <>
      <Money amount={fee} currency="sats" />
      <span className={styles.hint}>
        <Money amount={feeLimit - fee} currency="sats" /> {texts.feeBack}
      </span>
    </>
  );
}
