import { useState } from 'react';
import { write } from '../../../api/client';
import { noteOwedPassword } from '../../../api/owed-password';
import type { Problem, User } from '../../../api/types';
import { fullLoad } from '../../../lib/paths';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { secondStepTexts as texts } from '../../../texts/second-step';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import styles from './AuthForm.module.css';

interface SecondStepProps {
  /** The server's answer to the password. */
  problem: Partial<Problem>;
  /** The path of the page that opens after the sign-in. */
  next: string;
  /** Begins again with the password. */
  onBack: () => void;
}

interface CodeValues {
  code: string;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStep({ problem, next, onBack }: SecondStepProps) {
  const methods = problem.methods ?? [];
  const [method, setMethod] = useState(methods[0] ?? 'code');
  const [leaving, setLeaving] = useState(false);
  const isRecovery = method === 'recoveryCode';
  const form = useForm<CodeValues>({
    initialValues: { code: '' },
    checks: ({ code }): FieldErrors<CodeValues> => (code.trim() ? {} : { code: texts.required }),
    checkedOn: 'submit',
    send: async ({ code }) => {
      const user = await write<User>('POST', '/api/auth/login/factor', {
        challenge: problem.challenge,
        [method]: code.trim(),
      });
      noteOwedPassword(user.mustChangePassword);
      setLeaving(true);
      fullLoad(next);
    },
    problemsOf: ({ fields }) => fields.map(({ message }) => ({ field: 'code', message })),
    onError: ({ code, message, fields }) => {
      if (code !== 'challenge_gone') return fields.length > 0;
      toast(texts.failed, message, 'destructive');
      onBack();
      return true;
    },
    title: texts.failed,
    fallback: texts.fallback,
    isSignIn: true,
  });
  function turn() {
    setMethod(isRecovery ? 'code' : 'recoveryCode');
    form.resetForm();
  }
  return (
    <form {...form.props} className={styles.form}>
      <p>{isRecovery ? texts.recoveryLead : texts.lead}</p>
      <Field label={isRecovery ? texts.recoveryCode : texts.code} error={form.errorOf('code')}>
        {(control) => (
          <input
            {...control}
            {...form.field('code')}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this step
            autoFocus
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <Button
        type="submit"
        tone="primary"
        wide
        pending={form.pending || leaving}
        pendingLabel={texts.signingIn}
      >
        {texts.signIn}
      </Button>
      {methods.length > 1 && (
        <Button wide onClick={turn}>
          {isRecovery ? texts.useCode : texts.useRecovery}
        </Button>
      )}
      <Button wide onClick={onBack}>
        {texts.back}
      </Button>
    </form>
  );
}
