import { write } from '../../../api/client';
import { type Ceremony, knowsPasskeys, makePasskey, passkeyFailure } from '../../../lib/passkeys';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { passkeyTexts } from '../../../texts/passkeys';
import { securityTexts } from '../../../texts/security';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { CurrentPassword } from '../../../ui/CurrentPassword';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

const texts = securityTexts.passkeys;

interface AddPasskeyProps {
  email: string;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

interface Values {
  name: string;
  password: string;
}

function required({ name, password }: Values): FieldErrors<Values> {
  return {
    ...(name.trim() ? {} : { name: securityTexts.errors.name }),
    ...(password ? {} : { password: securityTexts.errors.password }),
  };
}

/** Asks the name and the password, and lets the browser make a passkey. */
export function AddPasskey({ email, onCodes, onClose }: AddPasskeyProps) {
  const form = useForm<Values>({
    initialValues: { name: texts.firstName, password: '' },
    checks: required,
    checkedOn: 'submit',
    send: async ({ name, password }) => {
      if (!knowsPasskeys()) return toast(texts.failedTitle, passkeyTexts.unknown, 'destructive');
      const ceremony = await write<Ceremony>('POST', '/api/auth/passkeys/options', { password });
      let answer: Awaited<ReturnType<typeof makePasskey>>;
      try {
        answer = await makePasskey(ceremony);
      } catch (error) {
        return toast(texts.failedTitle, passkeyFailure(error), 'destructive');
      }
      const { recoveryCodes } = await write<{ recoveryCodes: string[] }>('POST', '/api/auth/passkeys', {
        name,
        ...answer,
      });
      onCodes(recoveryCodes);
      toast(texts.added, undefined, 'success');
      onClose();
    },
    onError: ({ fields }) => fields.some(({ field }) => field === 'name' || field === 'password'),
    title: texts.failedTitle,
    fallback: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      <p>{texts.lead}</p>
      <AccountName email={email} />
      <Field label={texts.name} hint={texts.nameHint} error={form.errorOf('name')}>
        {(control) => (
          <input {...control} {...form.field('name')} autoComplete="off" className={inputClass} />
        )}
      </Field>
      <CurrentPassword form={form} label={securityTexts.adding.password} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{securityTexts.removing.cancel}</Button>
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={passkeyTexts.proof.pending}>
          {texts.make}
        </Button>
      </div>
    </form>
  );
}
