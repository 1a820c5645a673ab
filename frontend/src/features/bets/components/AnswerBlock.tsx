import { useState } from 'react';
import type { Bet, Outcome } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { formatMoney } from '../../../lib/money';
import { betToasts } from '../../../texts/bets';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import { toast } from '../../../ui/toast-store';
import { answerOutcome } from '../api';
import { outcomeName, sideOf } from '../parties';
import { stakeBy } from '../stakes';
import { OutcomeDialog } from './OutcomeDialog';
import styles from './panels.module.css';

interface AnswerBlockProps {
  bet: Bet;
  userId: string;
  other: string;
}

/** The proposal that was on screen when the user pressed 'Accept'. */
interface Asked {
  proposalId: string | null;
  outcome: Outcome;
}

/** Shows the current proposal and its payout. The party who did not make the proposal gets buttons to answer it. */
export function AnswerBlock({ bet, userId, other }: AnswerBlockProps) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const answer = useAction(
    async (accept: boolean, proposalId: string | null) => {
      await answerOutcome(bet.id, accept, proposalId);
      setAsking(null);
      toast(betToasts.responded, answeredWords(bet, userId, accept, other), 'success');
    },
    {
      title: betToasts.respondFailed,
      onError: ({ status }) => {
        if (status === 404 || status === 409) setAsking(null);
        return false;
      },
    },
  );
  const proposed = bet.proposedWinningOption;
  if (!proposed) return null;
  const own = bet.proposedBy === userId;
  const mayAccept = bet.actions.includes('accept_proposal');
  const mayReject = bet.actions.includes('reject_proposal');
  return (
    <div className={styles.block}>
      <p>{own ? texts.proposalByYou : texts.proposalByOther(other)}</p>
      <p className={styles.outcome}>{outcomeName(bet, proposed)}</p>
      <p className={styles.muted}>
        {own ? texts.ifOtherAccepts(other) : texts.ifYouAccept}
        {consequence(bet, userId)}
      </p>
      {bet.disputedAt && (own || mayAccept) && (
        <p className={styles.muted}>{texts.mayAccept(own ? other : texts.you)}</p>
      )}
      {(mayAccept || mayReject) && (
        <div className={styles.buttons}>
          {mayAccept && (
            <Button
              // In a dispute the bet waits for a ruling, and the user need not accept anything.
              tone={bet.turn ? 'primary' : 'plain'}
              pending={answer.pending}
              pendingLabel={texts.submitting}
              onClick={() => setAsking({ proposalId: bet.proposalId, outcome: proposed })}
            >
              {texts.accept}
            </Button>
          )}
          {mayReject && (
            <Button
              pending={answer.pending}
              pendingLabel={texts.submitting}
              onClick={() => void answer.run(false, bet.proposalId)}
            >
              {texts.reject}
            </Button>
          )}
        </div>
      )}
      <OutcomeDialog
        bet={bet}
        userId={userId}
        outcome={asking?.outcome ?? null}
        title={texts.acceptTitle}
        confirmLabel={texts.accept}
        pendingLabel={texts.submitting}
        pending={answer.pending}
        onConfirm={() => asking && void answer.run(true, asking.proposalId)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}

function consequence(bet: Bet, userId: string): string {
  const stake = formatMoney(stakeBy(bet, userId), bet.currencyType);
  if (bet.proposedWinningOption === 'void') return texts.youGetBack(stake);
  return bet.proposedWinningOption === sideOf(bet, userId)
    ? texts.youGet(formatMoney(bet.pot, bet.currencyType))
    : texts.youLose(stake);
}

/** The text of the toast after an answer. */
function answeredWords(bet: Bet, userId: string, accept: boolean, other: string): string {
  // Right after a rejection only the creator may propose.
  if (!accept) return betToasts.rejected(userId === bet.creatorId ? texts.you : other);
  if (bet.proposedWinningOption !== sideOf(bet, userId)) return betToasts.ended;
  return betToasts.won(formatMoney(bet.pot - stakeBy(bet, userId), bet.currencyType));
}
