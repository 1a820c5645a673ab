import { write } from '../../../api/client';
import { forgetIdempotencyKeys } from '../../../api/idempotency';
import type { User } from '../../../api/types';
import { forgetAll } from '../../../lib/tab-storage';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { dataTexts } from '../../../texts/data';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { CurrentPassword } from '../../../ui/CurrentPassword';
import { Field, inputClass } from '../../../ui/Field';
import styles from '../components/account.module.css';

const texts = dataTexts.deletion;

interface DeleteFormProps {
  user: User;
  onDeleted: () => void;
  onClose: () => void;
}

interface Values {
  typed: string;
  password: string;
}

/** Asks to type the own name and the password, and deletes the account. */
export function DeleteForm({ user, onDeleted, onClose }: DeleteFormProps) {
  const name = user.username ?? user.email;
  const form = useForm<Values>({
    initialValues: { typed: '', password: '' },
    checks: ({ typed, password }): FieldErrors<Values> => ({
      ...(typed.trim() === name ? {} : { typed: texts.typedWrong(name) }),
      ...(password ? {} : { password: texts.passwordRequired }),
    }),
    checkedOn: 'submit',
    send: async ({ password }) => {
      await write('DELETE', '/api/account', { password });
      forgetAll();
      forgetIdempotencyKeys();
      onDeleted();
    },
    onError: ({ fields }) => fields.length > 0,
    title: texts.failedTitle,
    fallback: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      <p>{texts.removed}</p>
      <p>{texts.kept}</p>
      <p>{texts.downloadFirst}</p>
      <AccountName email={user.email} />
      <Field label={texts.typed(name)} error={form.errorOf('typed')}>
        {(control) => (
          <input
            {...control}
            {...form.field('typed')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <CurrentPassword form={form} label={texts.password} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" tone="danger" pending={form.pending} pendingLabel={texts.confirming}>
          {texts.confirm}
        </Button>
      </div>
    </form>
  );
}
