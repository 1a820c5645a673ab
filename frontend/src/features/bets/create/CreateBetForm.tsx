import { useNavigate } from 'react-router-dom';
import type { User } from '../../../api/types';
import { amountOf } from '../../../lib/amount';
import { finishDraft } from '../../../lib/draft';
import type { Form } from '../../../lib/useForm';
import { createTexts as texts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Switch } from '../../../ui/Field';
import { Risk } from '../components/Risk';
import { WordingPanel } from '../ideas/WordingPanel';
import { BasicsCard } from './BasicsCard';
import styles from './create.module.css';
import { DraftAside } from './DraftAside';
import type { BetForm } from './form';
import { opponentStakeOf } from './odds';
import { ResolutionCard } from './ResolutionCard';
import { TermsCard } from './TermsCard';
import { useBetForm } from './useBetForm';

export function CreateBetForm({ user }: { user: User }) {
  const navigate = useNavigate();
  const form = useBetForm(user);
  function cancel() {
    finishDraft(user.id);
    navigate('/dashboard');
  }
  return (
    <form {...form.props} className={styles.form}>
      <DraftAside form={form} userId={user.id} />
      <BasicsCard form={form} userId={user.id} />
      <TermsCard form={form} user={user} />
      <ResolutionCard form={form} />
      <Card title={texts.settings}>
        <Switch
          label={texts.private}
          detail={texts.privateDetail}
          checked={form.values.isPrivate}
          onChange={(isPrivate) => void form.setFieldValue('isPrivate', isPrivate)}
        />
      </Card>
      <WordingPanel form={form} />
      <div className={styles.foot}>
        <TypedRisk form={form} />
        <div className={styles.buttons}>
          <Button onClick={cancel}>{texts.cancel}</Button>
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.submitting}>
            {texts.submit}
          </Button>
        </div>
        <p className={styles.note}>{texts.draftKept}</p>
      </div>
    </form>
  );
}

/** Shows above the submit button how much the user risks and can win with the typed stake. */
function TypedRisk({ form }: { form: Form<BetForm> }) {
  const stake = amountOf(form.values.stakeAmount);
  const against = opponentStakeOf(form.values);
  const isSensible = [stake, against].every((amount) => Number.isSafeInteger(amount) && amount > 0);
  if (!isSensible) return null;
  return <Risk stake={stake} pot={stake + against} currency={form.values.currencyType} />;
}
