import { useState } from 'react';
import { Link } from 'react-router-dom';
import { postMoney } from '../../api/client';
import type { Bet, Outcome, User } from '../../api/types';
import { formatDateTime } from '../../lib/dates';
import { fromNow } from '../../lib/from-now';
import { useForm } from '../../lib/useForm';
import { adminTexts as texts } from '../../texts/admin';
import { outcomeTexts } from '../../texts/bets';
import { resolutionTexts } from '../../texts/resolution';
import { slipTexts } from '../../texts/slip';
import { Button } from '../../ui/Button';
import { Fact, Facts } from '../../ui/Facts';
import { ChoiceGroup, Field, inputClass } from '../../ui/Field';
import { Money } from '../../ui/Money';
import { toast } from '../../ui/toast-store';
import { OutcomeDialog, otherSide, outcomeName, personName } from '../bets';
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
        <Facts>
          <Fact name={texts.waitingSince}>
            {bet.disputedAt && (
              <time dateTime={bet.disputedAt} title={formatDateTime(bet.disputedAt)}>
                {fromNow(bet.disputedAt)}
              </time>
            )}
          </Fact>
          <Fact name={texts.parties}>{parties}</Fact>
          <Fact name={slipTexts.side('A')}>{bet.optionA}</Fact>
          <Fact name={slipTexts.side('B')}>{bet.optionB}</Fact>
          <Fact name={texts.escrow}>
            <Money amount={bet.pot} currency={bet.currencyType} />
          </Fact>
          <Fact name={texts.standing}>
            {bet.proposedWinningOption ? outcomeName(bet, bet.proposedWinningOption) : texts.noProposal}
          </Fact>
          <Fact name={texts.reason}>
            <span className={styles.reason}>{bet.disputeReason}</span>
          </Fact>
        </Facts>
        {bet.actions.includes('rule') ? <RulingForm bet={bet} userId={user.id} /> : <p>{texts.conflict}</p>}
      </div>
    </article>
  );
}

interface Ruling {
  outcome: Outcome | '';
  note: string;
}

const NO_RULING: Ruling = { outcome: '', note: '' };

function RulingForm({ bet, userId }: { bet: Bet; userId: string }) {
  const [asking, setAsking] = useState<Ruling | null>(null);
  const form = useForm<Ruling>({
    initialValues: NO_RULING,
    checks: ({ outcome }) => (outcome ? {} : { outcome: texts.chooseFirst }),
    checkedOn: 'submit',
    ask: setAsking,
    send: async ({ outcome, note }) => {
      await postMoney(`/api/admin/bets/${encodeURIComponent(bet.id)}/rule`, { outcome, note: note.trim() });
      setAsking(null);
      toast(texts.ruled, undefined, 'success');
    },
    title: texts.ruleFailed,
    onError: ({ status }) => {
      // The server refused the ruling. The dialog closes, so that the admin sees the field errors in the form.
      if (status !== 0 && status < 500) setAsking(null);
      return false;
    },
  });
  return (
    <form {...form.props} className={styles.form}>
      <ChoiceGroup<Outcome>
        legend={texts.outcome}
        name={`ruling-${bet.id}`}
        value={form.values.outcome || null}
        onChange={(outcome) => void form.setFieldValue('outcome', outcome)}
        error={form.errorOf('outcome')}
        options={[
          { value: 'A', label: outcomeName(bet, 'A'), tone: 'a' },
          { value: 'B', label: outcomeName(bet, 'B'), tone: 'b' },
          { value: 'void', label: outcomeTexts.void, detail: resolutionTexts.voidDetail },
        ]}
      />
      <Field label={texts.note} hint={texts.noteHint} error={form.errorOf('note')}>
        {(control) => <textarea {...control} {...form.field('note')} className={inputClass} />}
      </Field>
      <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.ruling}>
        {texts.rule}
      </Button>
      <OutcomeDialog
        bet={bet}
        userId={userId}
        outcome={asking?.outcome || null}
        title={texts.ruleTitle}
        confirmLabel={texts.rule}
        pendingLabel={texts.ruling}
        pending={form.pending}
        onConfirm={() => asking && void form.send(asking)}
        onClose={() => setAsking(null)}
      />
    </form>
  );
}
