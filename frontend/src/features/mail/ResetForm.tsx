import { useState } from 'react';
import { write } from '../../api/client';
import { useForm } from '../../lib/useForm';
import { mailTexts } from '../../texts/mail';
import { Button, ButtonLink } from '../../ui/Button';
import { MessagePage } from '../../ui/MessagePage';
import { PasswordField } from '../../ui/PasswordField';
import page from '../../ui/page.module.css';

const texts = mailTexts.reset;

interface Passwords {
  newPassword: string;
  confirm: string;
}

function check({ newPassword, confirm }: Passwords): Partial<Passwords> {
  const length = [...newPassword].length;
  if (length < 6) return { newPassword: texts.short };
  if (length > 128) return { newPassword: texts.long };
  return confirm === newPassword ? {} : { confirm: texts.mismatch };
}

/** Sets a new password with the token of a mail. */
export function ResetForm({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const [isDead, setDead] = useState(false);
  const form = useForm<Passwords>({
    initialValues: { newPassword: '', confirm: '' },
    checks: check,
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
          {...form.field('confirm')}
          label={texts.confirm}
          error={form.errorOf('confirm')}
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
