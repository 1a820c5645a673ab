import { useState } from 'react';
import { write } from '../../api/client';
import { useForm } from '../../lib/useForm';
import { adminTexts } from '../../texts/admin';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CopyField } from '../../ui/CopyField';
import { ConfirmDialog } from '../../ui/Dialog';
import { toast } from '../../ui/toast-store';
import styles from './admin.module.css';
import { EmailField } from './EmailField';

const texts = adminTexts.reset;

interface ResetForm {
  userEmail: string;
}

interface Reset {
  email: string;
  password: string;
}

export function ResetCard() {
  const [asking, setAsking] = useState<ResetForm | null>(null);
  const [done, setDone] = useState<Reset | null>(null);
  const form = useForm<ResetForm>({
    initialValues: { userEmail: '' },
    checks: ({ userEmail }) => (userEmail.trim() ? {} : { userEmail: adminTexts.deposit.emailRequired }),
    checkedOn: 'submit',
    ask: setAsking,
    send: async (values) => {
      const userEmail = values.userEmail.trim();
      const { temporaryPassword } = await write<{ temporaryPassword: string }>(
        'POST',
        '/api/admin/reset-password',
        { userEmail },
      );
      setAsking(null);
      form.resetForm();
      setDone({ email: userEmail, password: temporaryPassword });
      toast(texts.done, undefined, 'success');
    },
    title: texts.failed,
    onError: () => {
      setAsking(null);
      return false;
    },
  });
  return (
    <Card title={texts.title} intro={texts.intro}>
      <form {...form.props} className={styles.form}>
        {/* The admin can close the dialog while the reset runs. The field stays read-only until the reset ends. */}
        <EmailField form={form} readOnly={form.pending} />
        <div>
          <Button type="submit" tone="danger" pending={form.pending} pendingLabel={texts.submitting}>
            {texts.submit}
          </Button>
        </div>
      </form>
      {done && <OneTimePassword reset={done} onHide={() => setDone(null)} />}
      <ConfirmDialog
        open={asking !== null}
        title={texts.title}
        message={texts.confirm(asking?.userEmail.trim() ?? '')}
        confirmLabel={texts.submit}
        pendingLabel={texts.submitting}
        pending={form.pending}
        danger
        onConfirm={() => asking && void form.send(asking)}
        onClose={() => setAsking(null)}
      />
    </Card>
  );
}

/** Shows the one-time password. Only this component has the password: the server cannot show it a second time. */
function OneTimePassword({ reset, onHide }: { reset: Reset; onHide: () => void }) {
  return (
    <div className={styles.secret}>
      <CopyField
        label={texts.result(reset.email)}
        value={reset.password}
        copyLabel={texts.copy}
        copied={texts.copied}
      />
      <p className={styles.muted}>{texts.resultHint}</p>
      <Button tone="quiet" onClick={onHide}>
        {texts.hide}
      </Button>
    </div>
  );
}
