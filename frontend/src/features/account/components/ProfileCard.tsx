import { write } from '../../../api/client';
import type { User } from '../../../api/types';
import { useForm } from '../../../lib/useForm';
import { accountTexts as texts } from '../../../texts/account';
import { commonTexts } from '../../../texts/common';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { profileChecks } from '../checks';
import type { ProfileForm } from '../schema';
import styles from './account.module.css';

const FIELDS = ['username', 'firstName', 'lastName'] as const;
const COMPLETES = { username: 'username', firstName: 'given-name', lastName: 'family-name' };

function profileOf(user: User): ProfileForm {
  return {
    username: user.username ?? '',
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
  };
}

export function ProfileCard({ user }: { user: User }) {
  const form = useForm<ProfileForm>({
    initialValues: profileOf(user),
    checks: profileChecks,
    send: async ({ username, firstName, lastName }) => {
      const saved = await write<User>('PATCH', '/api/auth/profile', {
        username: username.trim(),
        firstName: firstName.trim(),
        lastName: lastName.trim(),
      });
      form.resetForm({ values: profileOf(saved) });
      toast(texts.toasts.profileUpdated, undefined, 'success');
    },
    problemsOf: ({ code, message, fields }) =>
      code === 'username_taken' ? [{ field: 'username', message }, ...fields] : fields,
    title: texts.toasts.profileFailed,
    fallback: texts.toasts.profileFallback,
  });
  return (
    <Card title={texts.profile}>
      <form {...form.props} className={styles.form}>
        {FIELDS.map((name) => (
          <Field
            key={name}
            label={texts[name]}
            hint={name === 'username' && texts.usernameHint}
            {...(name !== 'username' && { optional: commonTexts.optional })}
            error={form.errorOf(name)}
          >
            {(control) => (
              <input
                {...control}
                {...form.field(name)}
                autoComplete={COMPLETES[name]}
                autoCapitalize={name === 'username' ? 'none' : undefined}
                className={inputClass}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
