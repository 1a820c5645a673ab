import { keptText, useKeptText } from '../../../lib/kept-text';
import { forget } from '../../../lib/tab-storage';
import { useForm } from '../../../lib/useForm';
import { betToasts } from '../../../texts/bets';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { disputeBet } from '../api';
import styles from './panels.module.css';

interface DisputeDialogProps {
  betId: string;
  userId: string;
  open: boolean;
  onClose: () => void;
}

export default function DisputeDialog({ open, onClose, ...rest }: DisputeDialogProps) {
  return (
    <Dialog open={open} title={texts.disputeTitle} onClose={onClose}>
      <DisputeForm onSent={onClose} {...rest} />
    </Dialog>
  );
}

interface DisputeFormProps {
  betId: string;
  userId: string;
  onSent: () => void;
}

/** The reason survives when the dialog closes and when the session ends. */
function DisputeForm({ betId, userId, onSent }: DisputeFormProps) {
  const name = `bolts.dispute.${userId}.${betId}`;
  const form = useForm({
    initialValues: { reason: keptText(name) },
    checks: ({ reason }) => (reason.trim() ? {} : { reason: texts.disputeRequired }),
    checkedOn: 'submit',
    send: async ({ reason }) => {
      await disputeBet(betId, reason.trim());
      forget(name);
      onSent();
      toast(betToasts.disputed, undefined, 'success');
    },
    title: betToasts.disputeFailed,
  });
  useKeptText(name, form.values.reason);
  return (
    <form {...form.props} className={styles.dialogForm}>
      <Field label={texts.disputeReason} hint={texts.disputeHint} error={form.errorOf('reason')}>
        {(control) => <textarea {...control} {...form.field('reason')} className={inputClass} />}
      </Field>
      <Button type="submit" tone="danger" pending={form.pending} pendingLabel={texts.sendingDispute}>
        {texts.sendDispute}
      </Button>
    </form>
  );
}
