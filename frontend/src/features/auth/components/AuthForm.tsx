import { useEffect, useLayoutEffect, useState } from 'react';
import { write } from '../../../api/client';
import { noteOwedPassword } from '../../../api/owed-password';
import type { Problem, User } from '../../../api/types';
import { fullLoad } from '../../../lib/paths';
import { type Form, useForm } from '../../../lib/useForm';
import { authTexts as texts } from '../../../texts/auth';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { PasswordField } from '../../../ui/PasswordField';
import { createAccountChecks, signInChecks } from '../checks';
import { type Credentials, registrationProblem } from '../credentials';
import styles from './AuthForm.module.css';

const NO_PASSWORDS = { password: '', confirmPassword: '' };

export type AuthMode = 'sign-in' | 'create';

interface AuthFormProps {
  mode: AuthMode;
  /** The path of the page that opens after the sign-in. */
  next: string;
  /** The e-mail address that the user typed before switching between sign-in and account creation. */
  email: string;
  onEmail: (email: string) => void;
  /** Called with the server's answer if the password is right and the second factor must follow. */
  onSecondFactor: (problem: Partial<Problem>) => void;
}

export function AuthForm({ mode, next, email, onEmail, onSecondFactor }: AuthFormProps) {
  const creating = mode === 'create';
  const [leaving, setLeaving] = useState(false);
  const form = useForm<Credentials>({
    initialValues: { email, ...NO_PASSWORDS },
    checks: creating ? createAccountChecks : signInChecks,
    refuse: (values) => {
      const text = creating ? registrationProblem(values) : null;
      return text === null ? null : { title: texts.validationTitle, text };
    },
    send: async (values) => {
      const user = await write<User>('POST', creating ? '/api/auth/register' : '/api/auth/login', {
        email: values.email.trim(),
        password: values.password,
      });
      noteOwedPassword(user.mustChangePassword);
      setLeaving(true);
      fullLoad(next);
    },
    title: creating ? texts.registerFailed : texts.loginFailed,
    fallback: creating ? texts.registerFallback : texts.loginFallback,
    onError: ({ code, cause }) => {
      const isHalfDone = code === 'second_factor_required';
      if (isHalfDone) onSecondFactor(cause);
      return isHalfDone;
    },
    isSignIn: true,
  });
  // The form is rendered at build time, so the user may have filled it in before this script was loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the first rendering
  useLayoutEffect(() => {
    const filled = Object.fromEntries(new FormData(form.props.ref.current ?? undefined));
    void form.setValues({ ...form.values, ...filled }, false);
  }, []);
  const typed = form.values.email;
  useEffect(() => onEmail(typed), [typed, onEmail]);
  return (
    // Before the script is loaded, the browser submits the form. POST keeps the password out of the address.
    <form {...form.props} method="post" className={styles.form}>
      <Fields form={form} creating={creating} />
      <Button
        type="submit"
        tone="primary"
        wide
        pending={form.pending || leaving}
        pendingLabel={creating ? texts.creating : texts.signingIn}
      >
        {creating ? texts.create : texts.signIn}
      </Button>
    </form>
  );
}

function Fields({ form, creating }: { form: Form<Credentials>; creating: boolean }) {
  return (
    <>
      <Field label={texts.email} error={form.errorOf('email')}>
        {(control) => (
          <input
            {...control}
            {...form.field('email')}
            type="email"
            autoComplete="email"
            placeholder={texts.emailPlaceholder}
            className={inputClass}
          />
        )}
      </Field>
      <PasswordField
        {...form.field('password')}
        label={texts.password}
        error={form.errorOf('password')}
        autoComplete={creating ? 'new-password' : 'current-password'}
        placeholder={creating ? texts.newPasswordPlaceholder : texts.passwordPlaceholder}
      />
      {creating && (
        <PasswordField
          {...form.field('confirmPassword')}
          label={texts.confirm}
          error={form.errorOf('confirmPassword')}
          autoComplete="new-password"
          placeholder={texts.confirmPlaceholder}
        />
      )}
    </>
  );
}
