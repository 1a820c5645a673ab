import type { ReactNode } from 'react';
import type { Bet } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { arbiterTexts as texts } from '../../../texts/arbiter';
import { betPageTexts } from '../../../texts/bets';
import { Button, ButtonLink } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ConfirmButton } from '../../../ui/ConfirmButton';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import { isArbitersRuling } from '../status';
import { answerInvitation, ruleAsArbiter } from './api';
import styles from './arbiter.module.css';
import { RulingForm } from './RulingForm';

interface ArbiterPanelProps {
  bet: Bet;
  userId: string;
  /** The sentence that says whose turn it is. */
  sentence: ReactNode;
  /** What the arbiter reads for a ruling, such as the history of the bet. It shows beside the form. */
  evidence: ReactNode;
}

/** The tasks of the arbiter of a bet that has not ended: the answer to the invitation, and the ruling. */
export default function ArbiterPanel({ bet, userId, sentence, evidence }: ArbiterPanelProps) {
  const may = bet.actions.includes.bind(bet.actions);
  return (
    <Card title={titleOf(bet)} tone={bet.turn ? 'attention' : 'plain'}>
      {sentence}
      <div className={styles.blocks}>
        {may('decline_arbitration') && <Invitation bet={bet} mayAccept={may('accept_arbitration')} />}
        {bet.turn === 'rule' &&
          (isArbitersRuling(bet, userId) ? (
            <Ruling bet={bet} userId={userId} evidence={evidence} />
          ) : (
            // This user may not rule as the arbiter, but may rule as an admin.
            <ButtonLink to="/admin" tone="primary">
              {betPageTexts.rule}
            </ButtonLink>
          ))}
        {!bet.turn && !may('decline_arbitration') && <p className={styles.text}>{restWords(bet)}</p>}
        {may('resign_arbitration') && <GiveUp bet={bet} />}
      </div>
    </Card>
  );
}

function titleOf(bet: Bet): string {
  if (bet.turn === 'rule') return texts.ruleTitle;
  const status = bet.arbiter?.status;
  if (status === 'invited') return texts.invitedTitle;
  return status === 'accepted' ? texts.acceptedTitle : texts.overTitle;
}

/** What an arbiter reads who has nothing to do. */
function restWords(bet: Bet): string {
  const status = bet.arbiter?.status;
  if (status === 'declined' || status === 'resigned' || status === 'out_of_time') return texts.over[status];
  return texts.accepted;
}

/** The invitation. During a dispute the arbiter can only decline, because an admin already has the dispute. */
function Invitation({ bet, mayAccept }: { bet: Bet; mayAccept: boolean }) {
  const answer = useAction(
    async (accept: boolean) => {
      await answerInvitation(bet.id, accept);
      toast(accept ? texts.acceptedToast : texts.declinedToast, undefined, 'success');
    },
    { title: texts.answerFailed },
  );
  return (
    <>
      <p className={styles.text}>{mayAccept ? texts.invited : texts.invitedTooLate}</p>
      <div className={styles.buttons}>
        {mayAccept && (
          <Button
            tone="primary"
            pending={answer.pending}
            pendingLabel={texts.answering}
            onClick={() => void answer.run(true)}
          >
            {texts.accept}
          </Button>
        )}
        <Button pending={answer.pending} onClick={() => void answer.run(false)}>
          {texts.decline}
        </Button>
      </div>
    </>
  );
}

interface RulingProps {
  bet: Bet;
  userId: string;
  evidence: ReactNode;
}

function Ruling({ bet, userId, evidence }: RulingProps) {
  return (
    <div className={styles.ruling}>
      <div className={styles.blocks}>
        {bet.arbiterDeadline && (
          <p>
            {texts.until} <Time at={bet.arbiterDeadline} />.
          </p>
        )}
        <div>
          <p className={styles.strong}>{texts.reason}</p>
          <p className={styles.prose}>{bet.disputeReason}</p>
        </div>
        <RulingForm
          bet={bet}
          userId={userId}
          noteRequired
          send={(outcome, note) => ruleAsArbiter(bet.id, outcome, note)}
        />
      </div>
      <div className={styles.blocks}>{evidence}</div>
    </div>
  );
}

function GiveUp({ bet }: { bet: Bet }) {
  return (
    <div className={styles.quiet}>
      <ConfirmButton
        label={texts.giveUp}
        message={texts.giveUpConfirm}
        pendingLabel={texts.answering}
        tone="quiet"
        small
        danger
        failed={texts.answerFailed}
        send={async () => {
          await answerInvitation(bet.id, false);
          toast(texts.gaveUpToast, undefined, 'success');
        }}
      />
    </div>
  );
}
