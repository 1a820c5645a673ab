import { useState } from 'react';
import { write } from '../../api/client';
import { useForm } from '../../lib/useForm';
import { mailTexts } from '../../texts/mail';
import { addressTexts } from '../../texts/mail-settings';
import { Button, ButtonLink } from '../../ui/Button';
import { Field, inputClass } from '../../ui/Field';
import { MessagePage } from '../../ui/MessagePage';
import page from '../../ui/page.module.css';

const texts = mailTexts.forgot;

/** Asks for a mail with a link for a new password. The answer is the same for known and unknown addresses. */
export function ForgotForm() {
  const [isDone, setDone] = useState(false);
  const form = useForm({
    initialValues: { email: '' },
    checks: ({ email }) => (email.includes('@') ? {} : { email: addressTexts.invalid }),
    send: async ({ email }) => {
      await write('POST', '/api/auth/password-reset/request', { email: email.trim() });
      setDone(true);
    },
    title: texts.failed,
  });
  const back = <ButtonLink to="/auth">{texts.back}</ButtonLink>;
  if (isDone)
    return (
      <MessagePage title={texts.title} message={texts.done}>
        {back}
      </MessagePage>
    );
  return (
    <MessagePage title={texts.title} message={texts.lead}>
      <form {...form.props} className={page.stack}>
        <Field label={texts.email} error={form.errorOf('email')}>
          {(control) => (
            <input
              {...control}
              {...form.field('email')}
              type="email"
              autoComplete="email"
              className={inputClass}
            />
          )}
        </Field>
        <Button type="submit" tone="primary" wide pending={form.pending} pendingLabel={texts.pending}>
          {texts.button}
        </Button>
        {back}
      </form>
    </MessagePage>
  );
}
