import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { postMoney } from '../../api/client';
import type { Bet, Outcome, User } from '../../api/types';
import { useAction } from '../../api/useAction';
import { fieldErrors, focusFirstInvalid } from '../../lib/forms';

import { adminTexts as texts } from '../../texts/admin';
import { betTexts, resolutionTexts } from '../../texts/bets';
import { Button } from '../../ui/Button';
import { ChoiceGroup, Field, inputClass } from '../../ui/Field';
import { Money } from '../../ui/Money';
import { Time } from '../../ui/Time';
import { toast } from '../../ui/toast-store';
import { Facts } from '../bets/components/Details';
import { OutcomeDialog } from '../bets/components/OutcomeDialog';
import { otherSide, outcomeText, personName } from '../bets/parties';
import { potOf } from '../bets/stakes';
import styles from './DisputeCard.module.css';

interface DisputeCardProps {
  bet: Bet;
  user: User;
}

export function DisputeCard({ bet, user }: DisputeCardProps) {
  const parties = `${personName(bet.creator)} (${bet.creatorChoice}) ${texts.versus} ${personName(bet.acceptor)} (${otherSide(bet.creatorChoice)})`;
  return (
    <article className={styles.card}>
      <h3>
        <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
      </h3>
      <div className={styles.columns}>
        <Facts
          rows={[
            [texts.waitingSince, bet.disputedAt && <Time key="since" at={bet.disputedAt} style="relative" />],
            [texts.parties, parties],
            [betTexts.side('A'), bet.optionA],
            [betTexts.side('B'), bet.optionB],
            [texts.escrow, <Money key="escrow" amount={potOf(bet)} currency={bet.currencyType} />],
            [
              texts.standing,
              bet.proposedWinningOption ? outcomeText(bet, bet.proposedWinningOption) : texts.noProposal,
            ],
            [
              texts.reason,
              <span key="reason" className={styles.reason}>
                {bet.disputeReason}
              </span>,
            ],
          ]}
        />
        {bet.actions.includes('rule') ? <RulingForm bet={bet} userId={user.id} /> : <p>{texts.conflict}</p>}
      </div>
    </article>
  );
}

const NOTHING_WRONG = { outcome: '', note: '' };

function RulingForm({ bet, userId }: { bet: Bet; userId: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [asking, setAsking] = useState<Outcome | null>(null);
  const [note, setNote] = useState('');
  const [problems, setProblems] = useState<Partial<typeof NOTHING_WRONG>>({});
  const element = useRef<HTMLFormElement>(null);
  function refuse(found: Partial<typeof NOTHING_WRONG>) {
    setProblems(found);
    focusFirstInvalid(element.current);
  }
  const rule = useAction(
    async (chosen: Outcome) => {
      await postMoney(`/api/admin/bets/${encodeURIComponent(bet.id)}/rule`, {
        outcome: chosen,
        note: note.trim(),
      });
      setAsking(null);
      toast(texts.ruled, undefined, 'success');
    },
    {
      title: texts.ruleFailed,
      onError: (error) => {
        // The form shows its own field errors.
        if (error.status !== 0 && error.status < 500) setAsking(null);
        refuse(fieldErrors(error.fields, NOTHING_WRONG));
        return false;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (outcome) setAsking(outcome);
    else refuse({ outcome: texts.chooseFirst });
  }
  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <ChoiceGroup<Outcome>
        legend={texts.outcome}
        name={`ruling-${bet.id}`}
        value={outcome}
        onChange={(chosen) => {
          setOutcome(chosen);
          setProblems({});
        }}
        error={problems.outcome}
        options={[
          { value: 'A', label: outcomeText(bet, 'A'), tone: 'a' },
          { value: 'B', label: outcomeText(bet, 'B'), tone: 'b' },
          { value: 'void', label: resolutionTexts.void, detail: resolutionTexts.voidDetail },
        ]}
      />
      <Field label={texts.note} hint={texts.noteHint} error={problems.note}>
        {(control) => (
          <textarea
            {...control}
            className={inputClass}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" tone="primary" pending={rule.pending} pendingLabel={texts.ruling}>
        {texts.rule}
      </Button>
      <OutcomeDialog
        bet={bet}
        userId={userId}
        outcome={asking}
        title={texts.ruleTitle}
        confirmLabel={texts.rule}
        pendingLabel={texts.ruling}
        pending={rule.pending}
        onConfirm={() => asking && void rule.run(asking)}
        onClose={() => setAsking(null)}
      />
    </form>
  );
}
