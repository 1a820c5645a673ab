import { useState } from 'react';
import type { Bet, Outcome } from '../../../api/types';
import { keptText, useKeptText } from '../../../lib/kept-text';
import { forget } from '../../../lib/tab-storage';
import { useForm } from '../../../lib/useForm';
import { adminTexts as texts } from '../../../texts/admin';
import { arbiterTexts } from '../../../texts/arbiter';
import { outcomeTexts } from '../../../texts/bets';
import { resolutionTexts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import { ChoiceGroup, Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { OutcomeDialog } from '../components/OutcomeDialog';
import { outcomeName } from '../parties';
import styles from './arbiter.module.css';

interface Ruling {
  outcome: Outcome | '';
  note: string;
}

interface RulingFormProps {
  bet: Bet;
  userId: string;
  /** The arbiter must give a reason. For admins the note is optional. */
  noteRequired?: boolean;
  send: (outcome: Outcome | '', note: string) => Promise<unknown>;
}

/** The form with which the arbiter or an admin decides a dispute. */
export function RulingForm({ bet, userId, noteRequired = false, send }: RulingFormProps) {
  const [asking, setAsking] = useState<Ruling | null>(null);
  const name = `bolts.ruling.${userId}.${bet.id}`;
  const form = useForm<Ruling>({
    initialValues: { outcome: '', note: keptText(name) },
    checks: ({ outcome, note }) => ({
      ...(!outcome && { outcome: texts.chooseFirst }),
      ...(noteRequired && !note.trim() && { note: arbiterTexts.noteRequired }),
    }),
    checkedOn: 'submit',
    ask: setAsking,
    send: async ({ outcome, note }) => {
      await send(outcome, note.trim());
      forget(name);
      setAsking(null);
      toast(texts.ruled, undefined, 'success');
    },
    title: texts.ruleFailed,
    onError: ({ status }) => {
      // The server refused the ruling. The dialog closes, so that the user sees the field errors in the form.
      if (status !== 0 && status < 500) setAsking(null);
      return false;
    },
  });
  useKeptText(name, form.values.note);
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
      <Field
        label={noteRequired ? arbiterTexts.ruleNote : texts.note}
        hint={noteRequired ? arbiterTexts.ruleNoteHint : texts.noteHint}
        error={form.errorOf('note')}
      >
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
