import { useRef, useState } from 'react';
import type { Bet, Outcome } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { focusFirstInvalid } from '../../../lib/focusFirstInvalid';
import { betToasts, outcomeTexts } from '../../../texts/bets';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import { ChoiceGroup } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { proposeOutcome } from '../api';
import { outcomeName } from '../parties';
import { OutcomeDialog } from './OutcomeDialog';
import styles from './panels.module.css';

interface ProposeBlockProps {
  bet: Bet;
  userId: string;
  /** The name of the other party. */
  other: string;
}

export function ProposeBlock({ bet, userId, other }: ProposeBlockProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [asking, setAsking] = useState<Outcome | null>(null);
  const [missing, setMissing] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const declares = bet.resolutionMethod === 'Manual Verification';
  const propose = useAction(
    async (chosen: Outcome) => {
      const { message } = await proposeOutcome(bet, chosen);
      setAsking(null);
      toast(declares ? betToasts.resolved : betToasts.proposed, message, 'success');
    },
    {
      title: betToasts.proposeFailed,
      onError: ({ status }) => {
        if (status === 404 || status === 409) setAsking(null);
        return false;
      },
    },
  );
  function submit() {
    if (outcome === null) {
      setMissing(true);
      focusFirstInvalid(element.current);
    } else if (declares) setAsking(outcome);
    else void propose.run(outcome);
  }
  return (
    <div ref={element} className={styles.block}>
      <ChoiceGroup<Outcome>
        legend={texts.proposeLegend}
        name="outcome"
        value={outcome}
        onChange={setOutcome}
        error={missing && !outcome ? texts.chooseFirst : undefined}
        options={[
          { value: 'A', label: outcomeName(bet, 'A'), tone: 'a' },
          { value: 'B', label: outcomeName(bet, 'B'), tone: 'b' },
          { value: 'void', label: outcomeTexts.void, detail: texts.voidDetail },
        ]}
      />
      <p className={styles.muted}>{declares ? texts.declareHint : texts.proposeHint(other)}</p>
      <Button
        tone={bet.turn ? 'primary' : 'plain'}
        pending={propose.pending}
        pendingLabel={texts.proposing}
        onClick={submit}
      >
        {declares ? texts.declare : texts.propose}
      </Button>
      <OutcomeDialog
        bet={bet}
        userId={userId}
        outcome={asking}
        title={texts.declareTitle}
        confirmLabel={texts.declare}
        pendingLabel={texts.proposing}
        pending={propose.pending}
        onConfirm={() => asking && void propose.run(asking)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
