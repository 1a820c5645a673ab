import { write } from '../../../api/client';
import { useForm } from '../../../lib/useForm';
import { accountTexts as texts } from '../../../texts/account';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { PasswordField } from '../../../ui/PasswordField';
import { toast } from '../../../ui/toast-store';
import { passwordChecks } from '../checks';
import type { PasswordForm } from '../schema';
import styles from './account.module.css';

const NO_PASSWORDS: PasswordForm = { currentPassword: '', newPassword: '', confirmPassword: '' };
const FIELDS = ['currentPassword', 'newPassword', 'confirmPassword'] as const;

interface PasswordCardProps {
  email: string;
  /** Whether the current password is the one-time password of a reset. */
  forced?: boolean;
}

export function PasswordCard({ email, forced }: PasswordCardProps) {
  const form = useForm<PasswordForm>({
    initialValues: NO_PASSWORDS,
    checks: passwordChecks,
    refuse: (_, errors) => {
      const first = FIELDS.map((name) => errors[name]).find(Boolean);
      return first ? { title: texts.toasts.validation, text: first } : null;
    },
    send: async ({ currentPassword, newPassword }) => {
      await write('PATCH', '/api/auth/password', { currentPassword, newPassword });
      form.resetForm();
      toast(texts.toasts.passwordUpdated, forced ? texts.forced.changed : undefined, 'success');
    },
    title: texts.toasts.error,
    fallback: texts.toasts.passwordFallback,
  });
  return (
    <Card title={texts.security} intro={texts.otherSessions}>
      <form {...form.props} className={styles.form}>
        <AccountName email={email} />
        {FIELDS.map((name) => (
          <PasswordField
            key={name}
            {...form.field(name)}
            label={name === 'currentPassword' && forced ? texts.forced.currentPassword : texts[name]}
            error={form.errorOf(name)}
            autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
          />
        ))}
        <div>
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.updating}>
            {texts.updatePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
}
