import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../api/keys';
import { useRefreshAll } from '../../../api/session';
import type { Withdrawal } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { CopyField } from '../../../ui/CopyField';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { type Fact, FactList } from './FactList';
import { WithdrawalBadge } from './WithdrawalBadge';
import styles from './wallet.module.css';

const POLL_MS = 3_000;
/** A payment that is still under way after this time is called slow. */
const LONG_MS = 20_000;

export function hasEnded({ status }: Withdrawal): boolean {
  return status === 'paid' || status === 'refunded';
}

interface WithdrawalDetailProps {
  /** The withdrawal as last read. */
  withdrawal: Withdrawal;
  onDone: () => void;
}

/** Shows one withdrawal and polls it until it has ended. */
export function WithdrawalDetail({ withdrawal: known, onDone }: WithdrawalDetailProps) {
  const place = useFocusOnMount<HTMLDivElement>();
  const { data } = useApi(keys.withdrawal(known.id), {
    fallbackData: known,
    refreshInterval: (latest) => (hasEnded(latest ?? known) ? 0 : POLL_MS),
  });
  const withdrawal = data ?? known;
  useRefreshAtEnd(withdrawal);
  return (
    <div ref={place} tabIndex={-1} className={`${styles.place} ${styles.form}`}>
      <div role="status" className={styles.progress}>
        <WithdrawalBadge withdrawal={withdrawal} />
        <Progress withdrawal={withdrawal} />
      </div>
      <FactList facts={factsOf(withdrawal)} />
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

/** Says only what the provider has reported so far. */
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

/** The end of a withdrawal changes balances and lists, so all reads are repeated. */
function useRefreshAtEnd(withdrawal: Withdrawal) {
  const ended = hasEnded(withdrawal);
  const before = useRef(ended);
  const refreshAll = useRefreshAll();
  useEffect(() => {
    if (ended && !before.current) void refreshAll();
    before.current = ended;
  }, [ended, refreshAll]);
}

function factsOf(withdrawal: Withdrawal): Fact[] {
  const { facts } = texts;
  const { amount, feeLimit, fee, endedAt } = withdrawal;
  return [
    [facts.amount, <Money key="amount" amount={amount} currency="sats" />],
    withdrawal.status !== 'refunded' && [
      facts.fee,
      fee === null ? (
        <span key="fee">
          {texts.atMost} <Money amount={feeLimit} currency="sats" />
          <span className={styles.hint}>{texts.feeHint}</span>
        </span>
      ) : (
        <span key="fee">
          <Money amount={fee} currency="sats" />
          <span className={styles.hint}>
            <Money amount={feeLimit - fee} currency="sats" /> {texts.feeBack}
          </span>
        </span>
      ),
    ],
    !hasEnded(withdrawal) && [facts.held, <Money key="held" amount={amount + feeLimit} currency="sats" />],
    withdrawal.lightningAddress && [facts.to, withdrawal.lightningAddress],
    [facts.created, <Time key="created" at={withdrawal.createdAt} />],
    endedAt && [facts.ended, <Time key="ended" at={endedAt} />],
    [
      facts.hash,
      <span key="hash" className={styles.code}>
        {withdrawal.paymentHash}
      </span>,
    ],
  ];
}
