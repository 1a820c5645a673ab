import { useState } from 'react';
import { write } from '../../api/client';
import { useForm } from '../../lib/useForm';
import { mailTexts } from '../../texts/mail';
import { Button, ButtonLink } from '../../ui/Button';
import { MessagePage } from '../../ui/MessagePage';
import { PasswordField } from '../../ui/PasswordField';
import page from '../../ui/page.module.css';
import { type NewPassword, newPasswordChecks } from '../account';

const texts = mailTexts.reset;

/** Sets a new password with the token of a mail. */
export function ResetForm({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const [isDead, setDead] = useState(false);
  const form = useForm<NewPassword>({
    initialValues: { newPassword: '', confirmPassword: '' },
    checks: newPasswordChecks,
    send: async ({ newPassword }) => {
      await write('POST', '/api/auth/password-reset', { token, newPassword });
      setDone(true);
    },
    onError: (error) => {
      setDead(error.fields.some(({ field }) => field === 'token'));
      return false;
    },
    title: texts.failed,
    isSignIn: true,
  });
  if (!token) return <MessagePage title={mailTexts.incomplete.title} message={mailTexts.incomplete.text} />;
  if (isDone)
    return (
      <MessagePage title={texts.title} message={texts.done}>
        <ButtonLink to="/auth" tone="primary">
          {texts.signIn}
        </ButtonLink>
      </MessagePage>
    );
  return (
    <MessagePage title={texts.title} message={texts.lead}>
      <form {...form.props} className={page.stack}>
        <PasswordField
          {...form.field('newPassword')}
          label={texts.password}
          error={form.errorOf('newPassword')}
          autoComplete="new-password"
        />
        <PasswordField
          {...form.field('confirmPassword')}
          label={texts.confirm}
          error={form.errorOf('confirmPassword')}
          autoComplete="new-password"
        />
        <Button type="submit" tone="primary" wide pending={form.pending} pendingLabel={texts.pending}>
          {texts.button}
        </Button>
        {isDead && <ButtonLink to="/mail/forgot">{texts.again}</ButtonLink>}
      </form>
    </MessagePage>
  );
}
