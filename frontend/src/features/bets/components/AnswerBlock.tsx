import type { Bet } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { formatMoney, payout } from '../../../lib/money';
import { betToasts, resolutionTexts as texts } from '../../../texts/bets';
import { Button } from '../../../ui/Button';
import { toast } from '../../../ui/toast-store';
import type { AllowedActions } from '../actions';
import { answerOutcome } from '../api';
import { outcomeText } from '../names';
import styles from './panels.module.css';

interface AnswerBlockProps {
  bet: Bet;
  userId: string;
  other: string;
  allowed: AllowedActions;
}

/** The standing proposal: what it would pay, and the answer of the party who did not make it. */
export function AnswerBlock({ bet, userId, other, allowed }: AnswerBlockProps) {
  const answer = useAction(
    async (accept: boolean) => {
      await answerOutcome(bet.id, accept, bet.proposalId);
      toast(betToasts.responded, undefined, 'success');
    },
    { title: betToasts.respondFailed },
  );
  const proposed = bet.proposedWinningOption;
  if (!proposed) return null;
  const own = bet.proposedBy === userId;
  return (
    <div className={styles.block}>
      <p>{own ? texts.proposalByYou : texts.proposalByOther(other)}</p>
      <p className={styles.outcome}>{outcomeText(bet, proposed)}</p>
      <p className={styles.muted}>{consequence(bet, userId)}</p>
      {own && (
        <p className={styles.muted}>
          {bet.disputedAt ? texts.otherMayAccept(other) : texts.waitingForOther(other)}
        </p>
      )}
      {(allowed.acceptOutcome || allowed.rejectOutcome) && (
        <div className={styles.buttons}>
          {allowed.acceptOutcome && (
            <Button
              tone="primary"
              pending={answer.pending}
              pendingLabel={texts.submitting}
              onClick={() => void answer.run(true)}
            >
              {texts.accept}
            </Button>
          )}
          {allowed.rejectOutcome && (
            <Button
              tone="danger"
              pending={answer.pending}
              pendingLabel={texts.submitting}
              onClick={() => void answer.run(false)}
            >
              {texts.reject}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function consequence(bet: Bet, userId: string): string {
  const stake = formatMoney(bet.stakeAmount, bet.currencyType);
  if (bet.proposedWinningOption === 'void') return texts.youGetBack(stake);
  const creatorWins = bet.proposedWinningOption === bet.creatorChoice;
  const youWin = creatorWins === (userId === bet.creatorId);
  return youWin ? texts.youGet(formatMoney(payout(bet.stakeAmount), bet.currencyType)) : texts.youLose(stake);
}
