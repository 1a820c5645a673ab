import { useState } from 'react';
import { write } from '../../api/client';
import { useConfig } from '../../api/config';
import { keyOf } from '../../api/keys';
import type { User } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { useForm } from '../../lib/useForm';
import { addressTexts as texts } from '../../texts/mail-settings';
import { AccountName } from '../../ui/AccountName';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CurrentPassword } from '../../ui/CurrentPassword';
import { Failed } from '../../ui/Failed';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import styles from './EmailCard.module.css';

/** The user's e-mail address, its confirmation and its change. A site without mails offers nothing of this. */
export function EmailCard({ user }: { user: User }) {
  const [isChanging, setChanging] = useState(false);
  const wanted = useConfig()?.sendsMail ?? false;
  const { data: state, error, mutate } = useApi(wanted ? keyOf('/api/auth/email') : null);
  const again = useAction(
    async () => {
      await write('POST', '/api/auth/verify-email/request');
      toast(texts.sent, texts.sentDetail(user.email), 'success');
    },
    { title: texts.failed },
  );
  if (!state) {
    return error ? (
      <Card title={texts.title}>
        <Failed title={texts.loadFailed} error={error} onRetry={mutate} small />
      </Card>
    ) : null;
  }
  const isFine = state.isVerified && !state.stopped;
  return (
    <Card title={texts.title}>
      <div className={styles.line}>
        <p className={styles.address}>{state.email}</p>
        {isFine && <p>{texts.verified}</p>}
        {state.stopped && <p role="alert">{texts.stopped}</p>}
        {!state.isVerified && <p>{texts.unverified}</p>}
        {state.requested && <p>{texts.requested(state.requested)}</p>}
        {!isFine && (
          <Button pending={again.pending} pendingLabel={texts.sending} onClick={() => again.run()}>
            {texts.send}
          </Button>
        )}
        {!isChanging && <Button onClick={() => setChanging(true)}>{texts.change}</Button>}
      </div>
      {isChanging && <ChangeForm user={user} onDone={() => setChanging(false)} />}
    </Card>
  );
}

interface Change {
  newEmail: string;
  password: string;
}

function ChangeForm({ user, onDone }: { user: User; onDone: () => void }) {
  const form = useForm<Change>({
    initialValues: { newEmail: '', password: '' },
    checks: ({ newEmail, password }) => ({
      ...(!newEmail.includes('@') && { newEmail: texts.invalid }),
      ...(!password && { password: texts.passwordRequired }),
    }),
    send: async ({ newEmail, password }) => {
      await write('PATCH', '/api/auth/email', { newEmail: newEmail.trim(), password });
      toast(texts.sent, texts.sentDetail(newEmail.trim()), 'success');
      onDone();
    },
    title: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      <AccountName email={user.email} />
      <Field label={texts.newEmail} error={form.errorOf('newEmail')}>
        {(control) => (
          <input
            {...control}
            {...form.field('newEmail')}
            type="email"
            autoComplete="off"
            className={inputClass}
          />
        )}
      </Field>
      <CurrentPassword form={form} label={texts.password} />
      <Button type="submit" tone="primary" wide pending={form.pending} pendingLabel={texts.saving}>
        {texts.save}
      </Button>
    </form>
  );
}
