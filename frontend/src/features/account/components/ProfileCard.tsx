import { type FormEvent, useRef } from 'react';
import { write } from '../../../api/client';
import type { User } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { focusFirstInvalid } from '../../../lib/forms';
import { useCheckedForm } from '../../../lib/useCheckedForm';
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
const ALL_TOUCHED = { username: true, firstName: true, lastName: true };
const COMPLETES = { username: 'username', firstName: 'given-name', lastName: 'family-name' };

function profileOf(user: User): ProfileForm {
  return {
    username: user.username ?? '',
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
  };
}

export function ProfileCard({ user }: { user: User }) {
  const element = useRef<HTMLFormElement>(null);
  const { form, refusals } = useCheckedForm<ProfileForm>(profileChecks, { initialValues: profileOf(user) });
  const save = useAction(
    async ({ username, firstName, lastName }: ProfileForm) => {
      const saved = await write<User>('PATCH', '/api/auth/profile', {
        username: username.trim(),
        firstName: firstName.trim(),
        lastName: lastName.trim(),
      });
      form.resetForm({ values: profileOf(saved) });
      toast(texts.toasts.profileUpdated, undefined, 'success');
    },
    {
      title: texts.toasts.profileFailed,
      fallback: texts.toasts.profileFallback,
      onError: (error) => {
        const taken = error.code === 'username_taken' ? [{ field: 'username', message: error.message }] : [];
        refusals.remember([...taken, ...error.fields], form.values);
        void form.validateForm().then(() => focusFirstInvalid(element.current));
        return false;
      },
    },
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    refusals.forget();
    await form.setTouched(ALL_TOUCHED, false);
    const errors = await form.validateForm();
    if (Object.keys(errors).length > 0) focusFirstInvalid(element.current);
    else await save.run(form.values);
  }

  return (
    <Card title={texts.profile}>
      <form ref={element} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {FIELDS.map((name) => (
          <Field
            key={name}
            label={texts[name]}
            hint={name === 'username' && texts.usernameHint}
            {...(name !== 'username' && { optional: commonTexts.optional })}
            error={form.touched[name] ? form.errors[name] : undefined}
          >
            {(control) => (
              <input
                {...control}
                {...form.getFieldProps(name)}
                autoComplete={COMPLETES[name]}
                autoCapitalize={name === 'username' ? 'none' : undefined}
                className={inputClass}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" tone="primary" pending={save.pending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
