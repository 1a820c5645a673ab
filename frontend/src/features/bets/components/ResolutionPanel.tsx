import { type ReactNode, useState } from 'react';
import type { Bet, BetAction } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { betToasts } from '../../../texts/bets';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/Dialog';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import { endEarly } from '../api';
import { personName } from '../parties';
import type { Party } from '../status';
import { AnswerBlock } from './AnswerBlock';
import { DisputeBlock } from './DisputeBlock';
import { ProposeBlock } from './ProposeBlock';
import styles from './panels.module.css';

interface ResolutionPanelProps {
  bet: Bet;
  party: Party;
  userId: string;
  /** The sentence that says whose turn it is. */
  sentence: ReactNode;
}

/** Shows the actions of a party between the acceptance and the settlement of a bet. */
export function ResolutionPanel({ bet, party, userId, sentence }: ResolutionPanelProps) {
  const other = personName(party === 'creator' ? bet.acceptor : bet.creator);
  const may = (action: BetAction) => bet.actions.includes(action);
  return (
    <Card title={texts.title} tone={bet.turn ? 'attention' : 'plain'}>
      {sentence}
      <div className={styles.blocks}>
        <Situation bet={bet} party={party} />
        {bet.proposalId && <AnswerBlock bet={bet} userId={userId} other={other} />}
        {may('propose') && <ProposeBlock key={bet.status} bet={bet} userId={userId} other={other} />}
        {may('end_early') &&
          (party === 'creator' ? <EndEarlyBlock bet={bet} /> : <ResolveExpiredBlock bet={bet} />)}
        {may('dispute') && <DisputeBlock bet={bet} userId={userId} />}
      </div>
    </Card>
  );
}

interface SituationProps {
  bet: Bet;
  party: Party;
}

function Situation({ bet, party }: SituationProps) {
  const mayPropose = bet.actions.includes('propose');
  const later = party === 'acceptor' && !mayPropose && bet.acceptorMayProposeAt;
  return (
    <div className={styles.block}>
      {bet.disputedAt && (
        <div className={styles.warning}>
          <p className={styles.strong}>{texts.disputedTitle}</p>
          <p>{bet.arbiterDeadline ? texts.disputedArbiter(personName(bet.arbiter)) : texts.disputed}</p>
          <p className={styles.prose}>{bet.disputeReason}</p>
        </div>
      )}
      {bet.rejectionCount > 0 && <p className={styles.muted}>{texts.rejections(bet.rejectionCount)}</p>}
      {later && (
        <p className={styles.muted}>
          {texts.youMayProposeFrom} <Time at={later} />.
        </p>
      )}
    </div>
  );
}

function EndEarlyBlock({ bet }: { bet: Bet }) {
  const [asking, setAsking] = useState(false);
  const end = useAction(
    async () => {
      await endEarly(bet.id);
      setAsking(false);
      toast(betToasts.endedEarly, undefined, 'success');
    },
    { title: betToasts.endEarlyFailed },
  );
  return (
    <div className={styles.block}>
      <Button onClick={() => setAsking(true)}>{texts.endEarly}</Button>
      <ConfirmDialog
        open={asking}
        title={texts.endEarly}
        message={
          bet.resolutionMethod === 'Manual Verification' ? texts.endEarlyConfirmManual : texts.endEarlyConfirm
        }
        confirmLabel={texts.endEarly}
        pendingLabel={texts.ending}
        pending={end.pending}
        onConfirm={() => void end.run()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

function ResolveExpiredBlock({ bet }: { bet: Bet }) {
  const resolve = useAction(
    async () => {
      await endEarly(bet.id);
      toast(betToasts.endedEarly, undefined, 'success');
    },
    { title: betToasts.endEarlyFailed },
  );
  return (
    <div className={styles.block}>
      <Button
        tone="primary"
        pending={resolve.pending}
        pendingLabel={texts.resolving}
        onClick={() => void resolve.run()}
      >
        {texts.resolveExpired}
      </Button>
    </div>
  );
}
