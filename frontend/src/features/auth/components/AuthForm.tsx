import { useEffect, useRef, useState } from 'react';
import { ApiError, write } from '../../../api/client';
import { noteOwedPassword } from '../../../api/owed-password';
import type { User } from '../../../api/types';
import { focusFirstInvalid } from '../../../lib/forms';
import { fullLoad } from '../../../lib/paths';
import { useCheckedForm } from '../../../lib/useCheckedForm';
import { authTexts as texts } from '../../../texts/auth';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { createAccountChecks, signInChecks } from '../checks';
import { type Credentials, registrationProblem } from '../credentials';
import styles from './AuthForm.module.css';
import { PasswordField } from './PasswordField';

const NO_PASSWORDS = { password: '', confirmPassword: '' };

export type AuthMode = 'sign-in' | 'create';

interface AuthFormProps {
  mode: AuthMode;
  /** The path of this site that opens after the sign-in. */
  next: string;
  /** The e-mail address that was typed before the mode changed. */
  email: string;
  onEmail: (email: string) => void;
}

export function AuthForm({ mode, next, email, onEmail }: AuthFormProps) {
  const creating = mode === 'create';
  const element = useRef<HTMLFormElement>(null);
  const [leaving, setLeaving] = useState(false);
  const { form, refusals } = useCheckedForm<Credentials>(creating ? createAccountChecks : signInChecks, {
    initialValues: { email, ...NO_PASSWORDS },
    onSubmit: send,
  });
  const typed = form.values.email;
  useEffect(() => onEmail(typed), [typed, onEmail]);

  async function send(values: Credentials) {
    try {
      const user = await write<User>('POST', creating ? '/api/auth/register' : '/api/auth/login', {
        email: values.email.trim(),
        password: values.password,
      });
      noteOwedPassword(user.mustChangePassword);
      setLeaving(true);
      fullLoad(next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusals.remember(error.fields, values);
      await form.validateForm();
      const [title, fallback] = creating
        ? [texts.registerFailed, texts.registerFallback]
        : [texts.loginFailed, texts.loginFallback];
      toast(title, error.message || fallback, 'destructive');
      focusFirstInvalid(element.current);
    }
  }

  function submit(event: React.FormEvent) {
    event.preventDefault();
    refusals.forget();
    const problem = creating ? registrationProblem(form.values) : null;
    if (problem) toast(texts.validationTitle, problem, 'destructive');
    void form.submitForm().then(() => focusFirstInvalid(element.current));
  }

  const pending = form.isSubmitting || leaving;
  const errorOf = (name: keyof Credentials) => (form.touched[name] ? form.errors[name] : undefined);
  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      <Field label={texts.email} error={errorOf('email')}>
        {(control) => (
          <input
            {...control}
            {...form.getFieldProps('email')}
            type="email"
            autoComplete="email"
            placeholder={texts.emailPlaceholder}
            className={inputClass}
          />
        )}
      </Field>
      <PasswordField
        {...form.getFieldProps('password')}
        label={texts.password}
        error={errorOf('password')}
        autoComplete={creating ? 'new-password' : 'current-password'}
        placeholder={creating ? texts.newPasswordPlaceholder : texts.passwordPlaceholder}
      />
      {creating && (
        <PasswordField
          {...form.getFieldProps('confirmPassword')}
          label={texts.confirm}
          error={errorOf('confirmPassword')}
          autoComplete="new-password"
          placeholder={texts.confirmPlaceholder}
        />
      )}
      <Button
        type="submit"
        tone="primary"
        wide
        pending={pending}
        pendingLabel={creating ? texts.creating : texts.signingIn}
      >
        {creating ? texts.create : texts.signIn}
      </Button>
    </form>
  );
}
