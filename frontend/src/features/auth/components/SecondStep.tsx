import { useState } from 'react';
import { type ApiError, write } from '../../../api/client';
import { noteOwedPassword } from '../../../api/owed-password';
import type { Problem, User } from '../../../api/types';
import type { Ceremony } from '../../../lib/passkeys';
import { fullLoad } from '../../../lib/paths';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { secondStepTexts as texts } from '../../../texts/second-step';
import { Button } from '../../../ui/Button';
import { CodeField } from '../../../ui/CodeField';
import { toast } from '../../../ui/toast-store';
import styles from './AuthForm.module.css';
import { PasskeySignIn } from './PasskeySignIn';

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

/**
 * The form for a code of this method. After the sign-in the page `next` opens. `onGone` gets each error of the server, and
 * returns true if the sign-in begins again with the password.
 */
function useCodeForm(
  challenge: Problem['challenge'],
  method: string,
  next: string,
  onGone: (error: ApiError) => boolean,
) {
  const [leaving, setLeaving] = useState(false);
  const form = useForm<CodeValues>({
    initialValues: { code: '' },
    checks: ({ code }): FieldErrors<CodeValues> => (code.trim() ? {} : { code: texts.required }),
    checkedOn: 'submit',
    send: async ({ code }) => {
      const user = await write<User>('POST', '/api/auth/login/factor', {
        challenge,
        [method]: code.trim(),
      });
      noteOwedPassword(user.mustChangePassword);
      setLeaving(true);
      fullLoad(next);
    },
    problemsOf: ({ fields }) => fields.map(({ message }) => ({ field: 'code', message })),
    onError: (error) => onGone(error) || error.fields.length > 0,
    title: texts.failed,
    fallback: texts.fallback,
    isSignIn: true,
  });
  return { form, pending: form.pending || leaving };
}

/** The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code. */
export function SecondStep({ problem, next, onBack }: SecondStepProps) {
  const codes = (problem.methods ?? []).filter((name) => name !== 'passkey');
  const hasPasskey = problem.methods?.includes('passkey') ?? false;
  const [method, setMethod] = useState(codes[0] ?? 'code');
  const { challenge } = problem;
  const isRecovery = method === 'recoveryCode';
  const { form, pending } = useCodeForm(challenge, method, next, goBack);
  function goBack({ code, message }: ApiError): boolean {
    if (code !== 'challenge_gone') return false;
    toast(texts.failed, message, 'destructive');
    onBack();
    return true;
  }
  function turn() {
    setMethod(isRecovery ? 'code' : 'recoveryCode');
    form.resetForm();
  }
  return (
    <form {...form.props} className={styles.form}>
      {hasPasskey && (
        <PasskeySignIn
          next={next}
          begin={() => write<Ceremony>('POST', '/api/auth/login/factor/options', { challenge })}
          finish={(passkey) => write<User>('POST', '/api/auth/login/factor', { challenge, passkey })}
          onError={goBack}
        />
      )}
      {codes.length > 0 && (
        <>
          <p>{isRecovery ? texts.recoveryLead : texts.lead}</p>
          <CodeField
            form={form}
            label={isRecovery ? texts.recoveryCode : texts.code}
            autoFocus
            inputMode={isRecovery ? 'text' : 'numeric'}
          />
          <Button type="submit" tone="primary" wide pending={pending} pendingLabel={texts.signingIn}>
            {texts.signIn}
          </Button>
        </>
      )}
      {codes.length > 1 && (
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
