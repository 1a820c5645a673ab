import { type FormEvent, useRef } from 'react';
import { write } from '../../../api/client';
import { useAction } from '../../../api/useAction';
import { focusFirstInvalid } from '../../../lib/forms';
import { useCheckedForm } from '../../../lib/useCheckedForm';
import { accountTexts as texts } from '../../../texts/account';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { toast } from '../../../ui/toast-store';
import { AccountName } from '../../auth/components/AccountName';
import { PasswordField } from '../../auth/components/PasswordField';
import { passwordChecks } from '../checks';
import type { PasswordForm } from '../schema';
import styles from './account.module.css';

const NO_PASSWORDS: PasswordForm = { currentPassword: '', newPassword: '', confirmPassword: '' };
const FIELDS = ['currentPassword', 'newPassword', 'confirmPassword'] as const;
const ALL_TOUCHED = { currentPassword: true, newPassword: true, confirmPassword: true };

interface PasswordCardProps {
  email: string;
  /** Whether the current password is the one-time password of a reset. */
  forced?: boolean;
}

export function PasswordCard({ email, forced }: PasswordCardProps) {
  const element = useRef<HTMLFormElement>(null);
  const { form, refusals } = useCheckedForm<PasswordForm>(passwordChecks, { initialValues: NO_PASSWORDS });
  const update = useAction(
    async ({ currentPassword, newPassword }: PasswordForm) => {
      await write('PATCH', '/api/auth/password', { currentPassword, newPassword });
      form.resetForm();
      toast(texts.toasts.passwordUpdated, forced ? texts.forced.changed : undefined, 'success');
    },
    {
      title: texts.toasts.error,
      fallback: texts.toasts.passwordFallback,
      onError: (error) => {
        refusals.remember(error.fields, form.values);
        void form.validateForm().then(() => focusFirstInvalid(element.current));
        return false;
      },
    },
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    refusals.forget();
    await form.setTouched(ALL_TOUCHED, false);
    const errors = await form.validateForm();
    const first = FIELDS.map((name) => errors[name]).find(Boolean);
    if (first) {
      toast(texts.toasts.validation, first, 'destructive');
      focusFirstInvalid(element.current);
      return;
    }
    await update.run(form.values);
  }

  const errorOf = (name: keyof PasswordForm) => (form.touched[name] ? form.errors[name] : undefined);
  return (
    <Card title={texts.security} intro={texts.otherSessions}>
      <form ref={element} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <AccountName email={email} />
        {FIELDS.map((name) => (
          <PasswordField
            key={name}
            {...form.getFieldProps(name)}
            label={name === 'currentPassword' && forced ? texts.forced.currentPassword : texts[name]}
            error={errorOf(name)}
            autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
          />
        ))}
        <div>
          <Button type="submit" tone="primary" pending={update.pending} pendingLabel={texts.updating}>
            {texts.updatePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
}
