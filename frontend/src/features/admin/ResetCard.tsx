import { type FormEvent, useRef, useState } from 'react';
import { write } from '../../api/client';
import { useAction } from '../../api/useAction';
import { fieldErrors, focusFirstInvalid } from '../../lib/forms';
import { adminTexts } from '../../texts/admin';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CopyField } from '../../ui/CopyField';
import { ConfirmDialog } from '../../ui/Dialog';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import styles from './admin.module.css';

const texts = adminTexts.reset;

interface Reset {
  email: string;
  password: string;
}

export function ResetCard() {
  const element = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<Reset | null>(null);
  const reset = useAction(
    async (userEmail: string) => {
      const { temporaryPassword } = await write<{ temporaryPassword: string }>(
        'POST',
        '/api/admin/reset-password',
        { userEmail },
      );
      setAsking(false);
      setEmail('');
      setDone({ email: userEmail, password: temporaryPassword });
      toast(texts.done, undefined, 'success');
    },
    {
      title: texts.failed,
      onError: (error) => {
        setAsking(false);
        setProblem(fieldErrors(error.fields, { userEmail: '' }).userEmail);
        focusFirstInvalid(element.current);
        return false;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    const missing = email.trim() === '';
    setProblem(missing ? adminTexts.deposit.emailRequired : undefined);
    if (missing) focusFirstInvalid(element.current);
    else setAsking(true);
  }
  return (
    <Card title={texts.title} intro={texts.intro}>
      <form ref={element} className={styles.form} noValidate onSubmit={submit}>
        <Field label={adminTexts.deposit.email} error={problem}>
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="off"
              placeholder={adminTexts.deposit.emailPlaceholder}
              className={inputClass}
              value={email}
              // The dialog can be closed while its reset runs. The field is read-only until the reset ends.
              readOnly={reset.pending}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone="danger" pending={reset.pending} pendingLabel={texts.submitting}>
            {texts.submit}
          </Button>
        </div>
      </form>
      {done && <OneTimePassword reset={done} onHide={() => setDone(null)} />}
      <ConfirmDialog
        open={asking}
        title={texts.title}
        message={texts.confirm(email.trim())}
        confirmLabel={texts.submit}
        pendingLabel={texts.submitting}
        pending={reset.pending}
        danger
        onConfirm={() => void reset.run(email.trim())}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}

/** The password exists only in this component. Not even the server can show it again. */
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
